"""Which decision a ruling is of."""

import pytest

from gateway.model import Fence, Finding
from gateway.model.policy_answer import Denial, Obligation
from gateway.stages.identify import identify
from tests.support.packing import case_of, ruling

SOURCES = [{"id": "knowledge-base", "critical": False, "status": "answered"}]


async def ids(*rulings, sources=SOURCES, case=None):
    """The request id and the decision ids."""
    case, named = await identify(rulings, case or case_of(), sources)
    assert [one.item.id for one in named] == [one.item.id for one in rulings]
    return case.request_id, [one.decision_id for one in named]


async def test_the_same_has_the_same_ids():
    """
    What comes to the same is the same decision, whatever it was called before.
    """
    one = ruling("a")
    assert await ids(one) == await ids(one.model_copy(update={"decision_id": "provisional"}))


@pytest.mark.parametrize(
    "change",
    [
        {"content": "other"},
        {"fence": Fence(label="x")},
        {"facts": {"reviews": [{"verdict": "released"}]}},
        {"outcome": "redacted"},
        {"denials": (Denial(code="X-1", message="x"),)},
        {"obligations": (Obligation(type="fence"),)},
        {"exceptions": ("EX-1",)},
        {"detectors": {"injection": "2"}},
        {"item": ruling("a", content="other").item},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_whatever_a_ruling_says_is_part_of_all_ids(change):
    """
    Another content, question, outcome, obligation or released text of one item makes other ids for the request and every item.
    """
    one, two = ruling("a"), ruling("b")
    request, decisions = await ids(one, two)
    other, others = await ids(one.model_copy(update=change), two)
    assert other != request
    assert not set(others) & set(decisions)


async def test_the_set_is_part_of_all_ids():
    """
    So are which items there are, in which order, and what became of the sources that were asked.
    """
    one, two = ruling("a"), ruling("b")
    silent = [{**SOURCES[0], "status": "unavailable"}]
    seen = [await ids(one, two), await ids(two, one), await ids(one), await ids(one, two, sources=silent)]
    assert len({request for request, _ in seen}) == 4


async def test_what_was_found_where_is_not_said_twice():
    """
    Findings count by what policy was told of them and what came of it; a place that changes neither is no other decision.
    """
    found = Finding(kind="pii", type="PERSON", score=1, start=0, end=1, detector="d")
    moved = found.model_copy(update={"via": "name"})
    one = ruling("a")
    assert await ids(one.model_copy(update={"findings": (found,)})) == await ids(
        one.model_copy(update={"findings": (moved,)})
    )


async def test_every_decision_on_a_request_has_the_same_places():
    """
    The ids under which decisions on one request are opened do not depend on what is decided, and differ by place and request.
    """
    case, _ = await identify([ruling("a")], case_of(), SOURCES)
    other, _ = await identify([ruling("b")], case_of(), SOURCES)
    assert [case.opening_id(place) for place in range(3)] == [other.opening_id(place) for place in range(3)]
    assert len({case.opening_id(0), case.opening_id(1), case_of(query="x").opening_id(0), case.request_id}) == 4
    assert case.derive_salt("pack") != other.derive_salt("pack")
