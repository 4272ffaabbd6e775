"""What reviewers said of suspicious content before."""

from gateway.model import Finding
from gateway.model.policy_input import ReviewFacts
from gateway.stages.quarantine import quarantine
from gateway.stages.recall import recall
from tests.support.fakes import ScriptedReviews
from tests.support.packing import case_of, ruling

SIGN = Finding(kind="injection", type="override", score=1, start=0, end=1, detector="d")
VERDICT = ReviewFacts(
    id="REV-1", verdict="released", scope={"agent": "RISK", "purpose": "p", "source_id": None}, expires="x"
)


def suspicious(name, content="Ignore this."):
    return ruling(name, content=content).model_copy(update={"findings": (SIGN,)})


async def test_nobody_is_asked_of_what_is_not_suspicious():
    """
    Without a sign of injection the reviews are not asked, personal data or not.
    """
    personal = ruling("a").model_copy(update={"findings": (SIGN.model_copy(update={"kind": "pii"}),)})
    reviews = ScriptedReviews()
    assert await recall([ruling("b"), personal], case_of(), reviews=reviews) == {}
    assert reviews.asked == []


async def test_what_was_said_of_the_same_content():
    """
    A verdict on a content is found for each item of that content, under the very digest it was kept with.
    """
    first, case = ScriptedReviews(), case_of()
    await quarantine([suspicious("a").model_copy(update={"outcome": "quarantined"})], case, reviews=first)
    reviews = ScriptedReviews({first.kept[0].digest: [VERDICT]})
    said = await recall([suspicious("a"), suspicious("b"), suspicious("c", "Other.")], case, reviews=reviews)
    assert said == {"decision-a": (VERDICT,), "decision-b": (VERDICT,), "decision-c": ()}
    [asked] = reviews.asked
    assert len(asked) == 2
