"""Policy asked again, with what was found."""

import pytest

from gateway.errors import PolicyMalformedError
from gateway.model import Finding
from gateway.model.policy_input import ReviewFacts
from gateway.model.review import ReviewScope
from gateway.stages.release import release
from tests.support.packing import ruling

ANSWER = {
    "outcome": "released",
    "denials": [],
    "obligations": [{"type": "fence", "operator": None, "entities": [], "fields": []}],
    "trust_class": "UNTRUSTED",
    "authority_tier": 4,
    "exceptions": ["EXC-2026-001"],
}


class Listening:
    """Answers the same for everything, and remembers what it was asked."""

    def __init__(self, answers=None):
        self.asked, self.answers = [], answers

    async def evaluate(self, entrypoint, inputs):
        self.asked += inputs
        return [ANSWER] * len(inputs) if self.answers is None else self.answers


def found(kind, type_, score):
    return Finding(kind=kind, type=type_, score=score, start=0, end=1, detector="d")


def screened(name, *findings):
    return ruling(name).model_copy(
        update={"screen": ("pii/full",), "findings": findings, "outcome": "quarantined", "facts": {"item": name}}
    )


async def test_what_was_refused_on_its_labels_stays_refused():
    """
    Only what was admitted and screened is asked about again; the rest keeps its place and its outcome.
    """
    denied, policy = ruling("b").model_copy(update={"outcome": "denied"}), Listening()
    rulings = await release([screened("a"), denied, screened("c")], {}, policy=policy)
    assert [one.outcome for one in rulings] == ["released", "denied", "released"]
    assert rulings[1] == denied
    assert [facts["item"] for facts in policy.asked] == ["a", "c"]


async def test_policy_hears_the_strongest_of_each_kind():
    """
    Of findings policy hears kind, type and highest score, once each and in a stable order; never where they stand.
    """
    policy = Listening()
    one = screened("a", found("pii", "PERSON", 0.4), found("injection", "override", 0.9), found("pii", "PERSON", 0.8))
    await release([one], {}, policy=policy)
    assert policy.asked[0]["findings"] == [
        {"kind": "injection", "type": "override", "score": 0.9},
        {"kind": "pii", "type": "PERSON", "score": 0.8},
    ]
    assert policy.asked[0]["screened"] == ["pii/full"]


async def test_policy_hears_what_reviewers_said():
    """
    Verdicts go with the item whose content they are about, and with no other.
    """
    policy = Listening()
    scope = ReviewScope(agent="RISK", purpose="p", source_id=None)
    verdict = ReviewFacts(id="REV-1", verdict="denied", scope=scope, expires="x")
    await release([screened("a"), screened("b")], {"decision-b": [verdict]}, policy=policy)
    assert [facts["reviews"] for facts in policy.asked] == [[], [verdict.model_dump()]]


async def test_the_record_will_say_what_was_asked():
    """
    The ruling holds the answer, the entrypoint and the facts of this second question, for replay.
    """
    policy = Listening()
    [one] = await release([screened("a")], {}, policy=policy)
    assert (one.entrypoint, one.facts) == ("context/release", policy.asked[0])
    assert (one.authority_tier, one.exceptions, one.obligations[0].type) == (4, ("EXC-2026-001",), "fence")


async def test_a_short_answer_releases_nothing():
    """
    An answer for fewer items than were asked about stops the request.
    """
    with pytest.raises(PolicyMalformedError):
        await release([screened("a"), screened("b")], {}, policy=Listening([ANSWER]))
