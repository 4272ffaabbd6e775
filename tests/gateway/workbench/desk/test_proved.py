"""What a second officer is told of a proof of the candidate."""

import pytest

from gateway.errors import InvariantInvalidError, ProofTooCostlyError
from gateway.workbench.desk.proved import CandidateProofs, proofs_off, told_changes, told_invariants
from gateway.workbench.proving.documents import (
    Counterexample,
    Coverage,
    DecisionChange,
    DiffRow,
    ExactDiff,
    InvariantProof,
    Shown,
)
from tests.support.bundles import SHIPPED

COVERAGE = Coverage(
    entrypoints=("context/admit",), areas=("trust",), rules=1, facts=(), not_covered=("a.rego:1",), two_values=()
)
EXAMPLE = Counterexample(differs={"item.jurisdiction": "HK"}, input={}, engines=("regorus",))


def shown(number, verdict, **said):
    said = {"id": f"INV-{number:03}", "title": "stays", "says": "It stays.", "control": "x", "owner": "y", **said}
    return Shown(asked="admit", verdict=verdict, **said)


def proof(*found):
    coverage = COVERAGE.model_copy(update={"not_covered": ()})
    return InvariantProof(
        revision="r", invariants_digest="d", shown=found, coverage=coverage, engines=("regorus",), solver="z3"
    )


def changes(*found):
    return ExactDiff(old="a", new="b", changes=found, coverage=(COVERAGE, COVERAGE), engines=("regorus",), solver="z3")


def row(change, number=0):
    return DiffRow(change=change, where={"item.jurisdiction": ("HK", f"V{number}")}, example=EXAMPLE)


def answering(answer):
    async def answered(*_bundles):
        if isinstance(answer, Exception):
            raise answer
        return answer

    return answered


def test_what_holds_is_counted():
    """
    An officer reads at a glance that all invariants hold; a bundle without any is not called proved.
    """
    assert list(told_invariants(proof(shown(1, "holds"), shown(2, "holds")))) == [
        "2 of 2 invariants hold for every input."
    ]
    assert list(told_invariants(proof())) == ["The bundle brings no invariants."]


def test_what_is_broken_comes_first_with_its_counterexample():
    """
    A broken invariant is named with the counterexample, by its digest and by what differs in it; what was not settled says why.
    """
    told = list(
        told_invariants(
            proof(shown(1, "open", reason="time"), shown(2, "broken", counterexample=EXAMPLE), shown(3, "holds"))
        )
    )
    assert told[0] == "1 of 3 invariants hold for every input."
    assert told[1].startswith("INV-002 stays: broken by counterexample sha256:")
    assert 'item.jurisdiction = "HK"' in told[1]
    assert told[2] == "INV-001 stays: not settled: time."


def test_what_the_reading_does_not_cover_is_said():
    """
    Places of the rules that were taken to be anything are counted, since they may hide a proof.
    """
    found = proof(shown(1, "holds")).model_copy(update={"coverage": COVERAGE})
    assert list(told_invariants(found))[1] == "1 places in the rules are not covered and were taken to be anything."


def test_the_first_rows_of_what_changes_are_told():
    """
    What becomes visible and what is refused from then on is counted in full, and its first kinds are told; the list has an end.
    """
    rows = (*(row("permitted", number) for number in range(8)), row("refused"))
    change = DecisionChange(entrypoint="context/admit", verdict="differs", rows=rows, complete=False, reason="time")
    told = list(told_changes(changes(change)))
    assert told[0] == "context/admit: 8 kinds of inputs become visible:"
    assert [line[:33] for line in told[1:6]] == [f"- item.jurisdiction: HK or V{n}, su" for n in range(5)]
    assert told[6] == "context/admit: 1 kind of inputs are refused from then on:"
    assert told[-1] == "context/admit: there may be more: time."
    assert len(told) == 9


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("same", "context/scope: no input is decided differently."),
        ("open", "context/scope: what is decided differently was not settled: time."),
    ],
)
def test_what_does_not_change_and_what_nobody_knows(verdict, said):
    """
    No change and a change that was not settled are never told alike.
    """
    change = DecisionChange(
        entrypoint="context/scope", verdict=verdict, rows=(), complete=verdict == "same", reason="time"
    )
    assert list(told_changes(changes(change))) == [said]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ProofTooCostlyError("the bundle was not proved within 30 s"), "not settled: the bundle was not proved within"),
        (InvariantInvalidError("INV-001: never: x"), "not proved (GW-225): INV-001: never: x."),
        (ValueError("secret"), "not proved: the proof failed (ValueError)."),
    ],
)
async def test_a_proof_that_fails_stands_in_nobodys_way(error, said):
    """
    Whatever a proof fails on, the proposal goes on, and the officer reads that it was not proved, beside what was.
    """
    same = DecisionChange(entrypoint="context/admit", verdict="same", rows=(), complete=True)
    proofs = CandidateProofs(answering(error), answering(changes(same)))
    told = await proofs(SHIPPED, SHIPPED)
    assert said in told[0]
    assert "secret" not in told[0]
    assert told[1:] == ("context/admit: no input is decided differently.",)
    both = CandidateProofs(answering(error), answering(error))
    assert [sentence.split(" not ")[0] for sentence in await both(SHIPPED, SHIPPED)] == [
        "The invariants were",
        "What is decided otherwise was",
    ]


async def test_no_sentence_is_longer_than_a_screen():
    """
    Tables with endless words cannot fill the desk: each sentence ends.
    """
    endless = EXAMPLE.model_copy(update={"differs": {"item.jurisdiction": "H" * 100_000}})
    broken = proof(*(shown(number, "broken", counterexample=endless) for number in range(90)))
    told = await CandidateProofs(answering(broken), answering(changes()))(SHIPPED, SHIPPED)
    assert len(told) == 52
    assert all(len(sentence) <= 600 for sentence in told)
    assert told[-1] == "40 more invariants do not hold, or are not settled."


async def test_no_proof_is_said():
    """
    Where proofs are switched off the officer reads that, and by which setting.
    """
    [said] = await proofs_off(SHIPPED, SHIPPED)
    assert "CTXGATE_POLICIES_PROOF_SECONDS" in said
