"""What was meant by a name that there is not."""

from gateway.policy.vetting.hints import hint


def test_a_slip_is_told_apart_from_a_choice():
    """
    Who misspells a name is told the one; who makes one up is told what there is, and never too much of it.
    """
    assert hint("bank_spo", ["bank_sop", "email"]) == "Did you mean bank_sop?"
    assert hint("zzz", ["bank_sop", "email"]) == "There are bank_sop, email."
    assert hint("zzz", map(str, range(100))).endswith(", ….")
    assert hint("zzz", []) == "There is none."
