"""What reviewers said of suspicious content before."""

import pytest

from gateway.errors import UnprovedError
from gateway.model import Finding
from gateway.model.base import RecordProof
from gateway.model.policy_input import ReviewFacts
from gateway.ports.stores import KeptReview
from gateway.stages.quarantine import quarantine
from gateway.stages.recall import recall
from tests.support.fakes import ScriptedProofs, ScriptedReviews
from tests.support.packing import case_of, ruling

SIGN = Finding(kind="injection", type="override", score=1, start=0, end=1, detector="d")
VERDICT = ReviewFacts(
    id="REV-1", verdict="released", scope={"agent": "RISK", "purpose": "p", "source_id": None}, expires="x"
)


def suspicious(name, content="Ignore this."):
    return ruling(name, content=content).model_copy(update={"findings": (SIGN,)})


KEPT = KeptReview(VERDICT, RecordProof(record="record", salt="ab" * 32))


async def test_nobody_is_asked_of_what_is_not_suspicious():
    """
    Without a sign of injection the reviews are not asked, personal data or not.
    """
    personal = ruling("a").model_copy(update={"findings": (SIGN.model_copy(update={"kind": "pii"}),)})
    reviews = ScriptedReviews()
    proofs = ScriptedProofs(UnprovedError("x"))
    assert await recall([ruling("b"), personal], case_of(), reviews=reviews, proofs=proofs) == {}
    assert reviews.asked == []


async def test_what_was_said_of_the_same_content():
    """
    A verdict on a content is found for each item of that content, under the very digest it was kept with.
    """
    first, case = ScriptedReviews(), case_of()
    await quarantine([suspicious("a").model_copy(update={"outcome": "quarantined"})], case, reviews=first, secret=b"s")
    reviews, proofs = ScriptedReviews({first.kept[0].digest: [KEPT]}), ScriptedProofs()
    three = [suspicious("a"), suspicious("b"), suspicious("c", "Other.")]
    said = await recall(three, case, reviews=reviews, proofs=proofs)
    assert said == {"decision-a": (VERDICT,), "decision-b": (VERDICT,), "decision-c": ()}
    [asked] = reviews.asked
    assert len(asked) == 2
    [claim] = proofs.claims
    assert (claim.tenant, claim.kind, claim.code) == ("t", "quarantine.reviewed", "RELEASED")
    assert claim.said["digest"] == first.kept[0].digest
    assert claim.proof == KEPT.proof


async def test_a_verdict_that_nothing_proves():
    """
    A verdict that is kept and not on record stops the request, rather than to be believed or passed over.
    """
    first, case = ScriptedReviews(), case_of()
    await quarantine([suspicious("a").model_copy(update={"outcome": "quarantined"})], case, reviews=first, secret=b"s")
    reviews = ScriptedReviews({first.kept[0].digest: [KEPT]})
    with pytest.raises(UnprovedError):
        await recall([suspicious("a")], case, reviews=reviews, proofs=ScriptedProofs(UnprovedError("x")))
