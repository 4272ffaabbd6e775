"""Trust policies: the format, and each way of not being it."""

import pytest

from ledger.errors import NoteInvalidError
from ledger.tlog.trust import TrustPolicy
from tests.support.strategies import signer
from tests.support.witnessing import new_witness, policy_of


@pytest.fixture
def witnesses(tmp_path):
    made = {name: new_witness(tmp_path, f"{name}.test") for name in ("w1", "w2", "w3")}
    yield made
    for one in made.values():
        one.state.close()


@pytest.fixture
def policy(witnesses):
    return policy_of(witnesses)


class TestTrustPolicy:
    def test_it_reads_the_format(self, policy):
        """
        Logs, witnesses with URLs, nested groups and the quorum are read; comments and blank lines passed over.
        """
        parsed = TrustPolicy.parse(policy)
        assert [party.url for party in parsed.logs] == ["https://log.test"]
        assert set(parsed.witnesses) == {"w1", "w2", "w3"}
        assert parsed.groups["audit"] == (1, ("w1", "w2"))
        assert TrustPolicy.parse("quorum none\n").satisfied(set())

    @pytest.mark.parametrize(
        "change",
        [
            ("quorum all-of-them", ""),
            ("quorum all-of-them", "quorum all-of-them\nquorum audit"),
            ("quorum all-of-them", "quorum nobody"),
            ("any w1 w2", "any w1 w9"),
            ("any w1 w2", "3 w1 w2"),
            ("any w1 w2", "0 w1 w2"),
            ("2 audit w3", "2 audit w1"),
            ("witness w2", "witness w1"),
            ("witness w2", "witness none"),
            ("group audit", "troupe audit"),
            ("log ", "log x"),
        ],
    )
    def test_it_refuses_what_is_not_the_format(self, policy, change):
        """
        Each mistake names its line.
        """
        with pytest.raises(NoteInvalidError):
            TrustPolicy.parse(policy.replace(*change))

    def test_kinds_of_keys(self, policy, witnesses):
        """
        A log's key is no witness's, and no key stands twice.
        """
        for line in (f"log {witnesses['w1'].signer.key}", f"witness w9 {signer().key}", f"log {signer().key}"):
            with pytest.raises(NoteInvalidError):
                TrustPolicy.parse(f"{policy}{line}\n")


@pytest.mark.parametrize(
    ("cosigned", "enough"),
    [
        ((), False),
        (("w1",), False),
        (("w1", "w2"), False),
        (("w3",), False),
        (("w2", "w3"), True),
        (("w1", "w2", "w3"), True),
    ],
)
def test_a_quorum_counts_groups_and_not_witnesses(policy, witnesses, cosigned, enough):
    """
    Two witnesses of one group count once where the group asks for any of them; strangers count nothing.
    """
    ids = {witnesses[name].signer.key.id for name in cosigned}
    assert TrustPolicy.parse(policy).satisfied({*ids, "stranger+00000000"}) is enough


@pytest.mark.parametrize(("threshold", "count"), [("any", 1), ("all", 3), ("2", 2)])
def test_thresholds(policy, threshold, count):
    """
    A group asks for any, all or a number of its members.
    """
    lines = policy.split("group ")[0]
    parsed = TrustPolicy.parse(f"{lines}group g {threshold} w1 w2 w3\nquorum g\n")
    assert parsed.groups["g"] == (count, ("w1", "w2", "w3"))
    ids = [party.key.id for party in parsed.witnesses.values()]
    assert not parsed.satisfied(ids[: count - 1])
    assert parsed.satisfied(ids[:count])


def test_the_line_that_is_wrong_is_named(policy):
    """
    Whoever reads the error finds the line.
    """
    number = policy.split("\n").index("quorum all-of-them") + 1
    with pytest.raises(NoteInvalidError, match=f"line {number} of the trust policy: nobody is not defined yet"):
        TrustPolicy.parse(policy.replace("quorum all-of-them", "quorum nobody"))
