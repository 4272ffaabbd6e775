"""Quarantined content and what reviewers said of it: one row for a content and scope, sealed."""

import pytest

from adapters.stores.reviews import ReviewTable
from gateway.errors import StoreError
from gateway.model.base import RecordProof
from gateway.model.review import ReviewAct, ReviewScope
from gateway.ports.stores import KeptReview, QuarantinedItem

SCOPE = ReviewScope(agent="RISK", purpose="p", source_id="S")
PROOF = RecordProof(record="record", salt="ab" * 32)
ACT = ReviewAct(
    verdict="released", officer="ann", reason="A training text.", at="2026-03-01", expires="2026-04-01", proof=PROOF
)


def item(name="REV-1", **changes):
    base = {"id": name, "tenant": "t", "digest": "d", "scope": SCOPE, "item_id": "a", "decision_id": "1"}
    return QuarantinedItem(
        **{**base, "findings": ("override",), "at": "2026-03-01", "content": "Ignore this.", **changes}
    )


@pytest.fixture
def table(tables):
    return ReviewTable(tables)


async def test_content_waits_whole(table):
    """
    What is quarantined is found with its content and why, newest first, by its own tenant alone.
    """
    await table.quarantine([item(), item("REV-2", at="2026-03-02")])
    assert [one.id for one in await table.quarantined("t")] == ["REV-2", "REV-1"]
    [_, first] = await table.quarantined("t")
    assert (first.content, first.findings, first.seen, first.scope) == ("Ignore this.", ("override",), 1, SCOPE)
    assert await table.quarantined("other") == []


async def test_the_same_content_again_is_counted(table):
    """
    A content that comes back is one row, with how often and by which decision last.
    """
    await table.quarantine([item()])
    await table.quarantine([item(decision_id="2", at="2026-03-05")])
    [one] = await table.quarantined("t")
    assert (one.seen, one.decision_id, one.at) == (2, "2", "2026-03-05")


async def test_only_a_verdict_is_told_to_policy(table):
    """
    A proposal is for reviewers; once it is final policy hears of it, by the digest of the content.
    """
    await table.quarantine([item()])
    [one] = await table.quarantined("t")
    await table.judge(one, ACT, final=False)
    assert await table.known("t", ["d"]) == {}
    assert (await table.quarantined("t"))[0].proposed == ACT
    await table.judge(one, ACT, final=True)
    facts = {"id": "REV-1", "verdict": "released", "scope": SCOPE.model_dump(), "expires": "2026-04-01"}
    assert await table.known("t", ["d", "other"]) == {"d": [KeptReview(facts, ACT.proof)]}
    assert await table.known("other", ["d"]) == {}


async def test_what_a_decision_quarantined_is_erased(table):
    """
    The contents of these decisions go, and no others, also for the gateway's own role; how many is said.
    """
    await table.quarantine([item(), item("REV-2", decision_id="2")])
    assert await table.erase("t", ["1", "9"]) == 1
    assert [one.id for one in await table.quarantined("t")] == ["REV-2"]


async def test_contents_lie_sealed_in_their_place(table, rows):
    """
    A content is not in the table in the clear, and does not open under another id.
    """
    await table.quarantine([item()])
    [(sealed,)] = rows.read("SELECT content FROM held")
    assert b"Ignore" not in bytes(sealed)
    rows.write("UPDATE held SET id = ?", [("REV-9",)])
    with pytest.raises(StoreError):
        await table.quarantined("t")


async def test_where_the_table_does_not_answer(closed_tables):
    """
    What is not known to be kept is an error, so that nothing is released.
    """
    with pytest.raises(StoreError):
        await ReviewTable(closed_tables).quarantine([item()])
