"""The record of the pack itself, and the receipt."""

import json

import pytest

from gateway.audit.drafts import item_ruled
from gateway.errors import RecordError
from gateway.model import Loss, RulingsAnswer
from gateway.model.pack import Withheld
from gateway.stages.seal import seal
from ledger.erasable import NOTHING
from ledger.errors import LedgerCorruptError
from ledger.receipt import verify_receipt
from ledger.tlog.merkle import root_hash
from tests.support.packing import case_of, pieces, ruling
from tests.support.strategies import keys

CASE = case_of()
VERDICT = RulingsAnswer(
    id="pack_1", created_at=CASE.at, request={}, policy={}, rulings=(), withheld=Withheld(count=0, codes={})
)


async def written(lane, *names):
    """Rulings of the case, on record."""
    drafted = [
        item_ruled(
            ruling(name, content="x").model_copy(
                update={"decision_id": CASE.derive_id("item", name), "entrypoint": "context/release"}
            ),
            CASE,
            "token",
            keep_content=False,
        )
        for name in names
    ]
    return await lane.append([draft for draft, _ in drafted], [side for _, side in drafted])


async def test_the_receipt_is_of_these_bytes(lane):
    """
    The receipt verifies for what was handed over, and for nothing else.
    """
    sealed = await seal(VERDICT, await written(lane, "a"), CASE, ledger=lane, mode="durable")
    document = json.loads(sealed.model_dump_json())
    assert verify_receipt(document, keys()).pack.id == "pack_1"
    with pytest.raises(LedgerCorruptError):
        verify_receipt({**document, "created_at": "2027"}, keys())


async def test_it_commits_to_all_rulings(lane):
    """
    The record names how many rulings there were, their root and the newest of them, and what of them is in the pack.
    """
    rulings = await written(lane, "a", "b", "c")
    packed = [rulings[1].record.decision_id]
    await seal(VERDICT, rulings, CASE, ledger=lane, mode="durable", packed=packed)
    part = lane.drafts[-1].pack
    assert (part.rulings, part.items) == (3, tuple(packed))
    assert part.rulings_root == root_hash([one.leaf for one in rulings]).hex()
    assert part.lane_head == rulings[-1].leaf.hex()


async def test_what_was_left_out_is_on_record_with_its_reason(lane):
    """
    An allowed item that is not in the pack has a record of its own, before the pack's.
    """
    one = ruling("a")
    rulings = await written(lane, "a")
    piece = pieces(one.model_copy(update={"decision_id": rulings[0].record.decision_id}))[0]
    await seal(VERDICT, rulings, CASE, ledger=lane, mode="durable", lost=[Loss(piece=piece, reason="near_duplicate")])
    dropped, sealed = lane.drafts[-2:]
    assert (dropped.kind, dropped.codes, dropped.item.id) == ("item.dropped", ("DROP-NEAR_DUPLICATE",), "a")
    assert sealed.kind == "pack.sealed"


async def test_the_pack_of_an_erased_person_is_refused_by_the_store(lane):
    """
    Something is sealed under the person's key with the pack, so that a store refuses it once that key is gone.
    """
    await seal(VERDICT, await written(lane, "a"), CASE, ledger=lane, mode="durable")
    assert lane.erasables[-1] != NOTHING


@pytest.mark.parametrize("mode", ["durable", "sequenced", "witnessed"])
async def test_the_ledger_is_as_sure_as_policy_asks(lane, mode):
    """
    Before the receipt is given the records are as sure as the mode says.
    """
    await seal(VERDICT, await written(lane, "a"), CASE, ledger=lane, mode=mode)
    assert lane.settled_as == [mode]


async def test_another_pack_under_the_same_request(lane):
    """
    A repeat that came to other bytes is refused: the ledger holds one pack for a request.
    """
    rulings = await written(lane, "a")
    first = await seal(VERDICT, rulings, CASE, ledger=lane, mode="durable")
    assert await seal(VERDICT, rulings, CASE, ledger=lane, mode="durable") == first
    with pytest.raises(RecordError):
        await seal(VERDICT.model_copy(update={"id": "pack_2"}), rulings, CASE, ledger=lane, mode="durable")
