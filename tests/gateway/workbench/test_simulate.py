"""Past decisions under a candidate: what flips, for whom."""

import json

import pytest

from gateway.workbench.simulate import DIFFERENTLY, EXAMPLES, NEWLY_RELEASED, NEWLY_WITHHELD, simulate
from ledger.lane import Submission
from ledger.query import Filter
from ledger.record import PolicyPart
from tests.support.strategies import new_lane, ruling, sequencer, uid

PART = PolicyPart(revision="sha256:0", engine="e", engine_version="1", entrypoint="context/release")


class Candidate:
    """Answers every question with one outcome, and counts the questions."""

    def __init__(self, outcome, *codes):
        self.asked = []
        denials = [{"code": code, "message": "x"} for code in codes]
        self.answer = {"outcome": outcome, "denials": denials}

    def query(self, rule, facts):
        self.asked.append((rule, facts))
        return self.answer


@pytest.fixture
def past(tmp_path):
    """A ledger with rulings of given outcomes, and what policy was asked for each."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    kept = {}

    def write(*outcomes, facts=None, **changes):
        drafts = [ruling(uid(), f"i{n}", outcome, policy=PART, **changes) for n, outcome in enumerate(outcomes)]
        lane.commit([Submission(drafts)])
        sequencer(store).catch_up()
        told = {"subject": {"role": "analyst"}, "item": {"jurisdiction": "SG", "source_type": "email"}}
        kept.update({draft.decision_id: json.dumps(facts or told).encode() for draft in drafts})
        return store, lambda names: {name: kept[name] for name in names if name in kept}, kept

    yield write
    store.close()


@pytest.mark.parametrize(
    ("before", "after", "flip"),
    [
        ("denied", "released", NEWLY_RELEASED),
        ("quarantined", "redacted", NEWLY_RELEASED),
        ("released", "denied", NEWLY_WITHHELD),
        ("redacted", "quarantined", NEWLY_WITHHELD),
        ("released", "redacted", DIFFERENTLY),
        ("denied", "quarantined", DIFFERENTLY),
        ("released", "released", None),
    ],
)
def test_kinds_of_flips(past, before, after, flip):
    """
    What comes to be released, what comes to be withheld, and what is only treated otherwise are told apart.
    """
    store, inputs, _ = past(before)
    result = simulate(store, inputs, Candidate(after), Filter())
    assert dict(result.flips) == ({} if flip is None else {flip: 1})
    assert result.unchanged == (flip is None)


def test_for_whom_and_by_which_rule(past):
    """
    A flip counts by role, jurisdiction, source, and the codes that only one of both decisions has.
    """
    store, inputs, _ = past("denied", codes=("JUR-001", "TRU-003"))
    result = simulate(store, inputs, Candidate("released", "TRU-003"), Filter())
    assert dict(result.by_role) == {(NEWLY_RELEASED, "analyst"): 1}
    assert dict(result.by_jurisdiction) == {(NEWLY_RELEASED, "SG"): 1}
    assert dict(result.by_source) == {(NEWLY_RELEASED, "email"): 1}
    assert dict(result.by_code) == {(NEWLY_RELEASED, "JUR-001"): 1}
    assert result.examples[0].codes == ("JUR-001",)


def test_the_same_question_is_asked_once(past):
    """
    Decisions on the same input are one question to the engine, and each of them counts.
    """
    store, inputs, _ = past(*["denied"] * 7)
    candidate = Candidate("released")
    assert simulate(store, inputs, candidate, Filter()).flips[NEWLY_RELEASED] == 7
    assert len(candidate.asked) == 1


def test_what_was_erased_is_not_guessed(past):
    """
    A decision whose input is gone is counted as erased, and not asked.
    """
    store, inputs, kept = past("denied", "denied")
    kept.pop(next(iter(kept)))
    result = simulate(store, inputs, Candidate("released"), Filter())
    assert (result.decisions, result.erased, result.flips[NEWLY_RELEASED]) == (2, 1, 1)


def test_limits(past):
    """
    No more decisions than asked for, and only so many examples of a kind; all are counted.
    """
    store, inputs, _ = past(*["denied"] * (EXAMPLES + 5))
    assert simulate(store, inputs, Candidate("released"), Filter(), limit=3).decisions == 3
    result = simulate(store, inputs, Candidate("released"), Filter())
    assert (len(result.examples), result.flips[NEWLY_RELEASED]) == (EXAMPLES, EXAMPLES + 5)
    assert simulate(store, inputs, Candidate("released"), Filter(tenant="other")).decisions == 0
