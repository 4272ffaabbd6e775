"""The record of the pack itself, and the receipt."""

import json

from dataclasses import replace

import pytest

from gateway.audit.drafts import item_ruled
from gateway.errors import PackDiffersError, RepeatDiffersError
from gateway.model import Candidate, Fence, Loss, RulingsAnswer, Selection
from gateway.model.pack import Withheld
from gateway.model.session import Session
from gateway.stages.assemble import Ruled, assemble
from gateway.stages.budget import budget
from gateway.stages.seal import seal
from ledger.erasable import NOTHING
from ledger.errors import LedgerCorruptError
from ledger.receipt import verify_receipt
from ledger.tlog.merkle import root_hash
from tests.support.packing import REGISTRY, SCOPED, TOKENIZER, TOLD, case_of, pieces, ruling
from tests.support.strategies import keys

CASE, BUDGETS = case_of(), REGISTRY.budgets
VERDICT = RulingsAnswer(
    id="pack_1", created_at=CASE.at, request={}, policy={}, rulings=(), withheld=Withheld(count=0, codes={})
)


async def ruled(lane, *names, mode="durable"):
    """Rulings of the case, on record."""
    rulings = [
        ruling(name, content="x").model_copy(
            update={"decision_id": CASE.derive_id("item", name), "entrypoint": "context/release"}
        )
        for name in names
    ]
    drafted = [item_ruled(one, CASE, "token", keep_content=False) for one in rulings]
    written = await lane.append([draft for draft, _ in drafted], [side for _, side in drafted])
    scoped = SCOPED.model_copy(update={"release_mode": mode})
    return Ruled(CASE, scoped, rulings, list(written), [side for _, side in drafted], Session())


def packed(of, *rulings):
    """A pack of some rulings, counted, and what it was made of."""
    picked = budget(Selection(kept=tuple(pieces(*rulings)), told=TOLD), CASE, budgets=BUDGETS, tokenizer=TOKENIZER)
    return assemble(picked, of, VERDICT, budgets=BUDGETS, tokenizer=TOKENIZER), picked


async def test_the_receipt_is_of_these_bytes(lane):
    """
    The receipt verifies for what was handed over, and for nothing else.
    """
    sealed = await seal(VERDICT, await ruled(lane, "a"), ledger=lane)
    document = json.loads(sealed.model_dump_json())
    assert verify_receipt(document, keys()).pack.id == "pack_1"
    with pytest.raises(LedgerCorruptError):
        verify_receipt({**document, "created_at": "2027"}, keys())


async def test_it_commits_to_all_rulings(lane):
    """
    The record names how many rulings there were, their root and the newest of them, and what of them is in the pack.
    """
    of = await ruled(lane, "a", "b", "c")
    pack, picked = packed(of, *of.rulings)
    await seal(pack, of, ledger=lane, picked=picked, budgets=BUDGETS)
    part = lane.drafts[-1].pack
    assert (part.rulings, part.items) == (3, tuple(one.decision_id for one in of.rulings))
    assert part.rulings_root == root_hash([one.leaf for one in of.written]).hex()
    assert part.lane_head == of.written[-1].leaf.hex()


async def test_what_was_left_out_is_on_record_with_its_reason(lane):
    """
    An allowed item that is not in the pack has a record of its own, before the pack's.
    """
    of = await ruled(lane, "a")
    [piece] = pieces(*of.rulings)
    picked = Selection(kept=(), lost=(Loss(piece=piece, reason="near_duplicate"),))
    await seal(VERDICT, of, ledger=lane, picked=picked)
    dropped, sealed = lane.drafts[-2:]
    assert (dropped.kind, dropped.codes, dropped.item.id) == ("item.dropped", ("DROP-NEAR_DUPLICATE",), "a")
    assert sealed.kind == "pack.sealed"


async def test_the_pack_of_an_erased_person_is_refused_by_the_store(lane):
    """
    Something is sealed under the person's key with the pack, so that a store refuses it once that key is gone.
    """
    await seal(VERDICT, await ruled(lane, "a"), ledger=lane)
    assert lane.erasables[-1] != NOTHING


@pytest.mark.parametrize("mode", ["durable", "sequenced", "witnessed"])
async def test_the_ledger_is_as_sure_as_policy_asks(lane, mode):
    """
    Before the receipt is given the records are as sure as the mode says.
    """
    await seal(VERDICT, await ruled(lane, "a", mode=mode), ledger=lane)
    assert lane.settled_as == [mode]


async def test_another_pack_under_the_same_request(lane):
    """
    A repeat that came to other bytes is refused: the ledger holds one pack for a request.
    """
    of = await ruled(lane, "a")
    first = await seal(VERDICT, of, ledger=lane)
    assert await seal(VERDICT, of, ledger=lane) == first
    with pytest.raises(RepeatDiffersError):
        await seal(VERDICT.model_copy(update={"id": "pack_2"}), of, ledger=lane)


async def nothing_sealed(lane, of, pack=VERDICT, picked=None):
    """The seal refuses, and nothing more is on record."""
    before = len(lane.drafts)
    with pytest.raises(PackDiffersError) as refused:
        await seal(pack, of, ledger=lane, picked=picked, budgets=BUDGETS)
    assert len(lane.drafts) == before
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        {"content": "another secret"},
        {"fence": Fence(label="secret")},
        {"facts": {"secret": True}},
        {"item": Candidate.model_validate({"id": "a", "section": "knowledge", "content": "secret"})},
        {"outcome": "denied"},
        {"decision_id": "another"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_what_no_record_commits_to_is_not_handed_over(lane, change):
    """
    Content, fence, question, outcome and name of each ruling are held against its record before anything is sealed.
    """
    of = await ruled(lane, "a", "b")
    of.rulings[1] = of.rulings[1].model_copy(update=change)
    await nothing_sealed(lane, of)


async def test_rulings_without_a_record_are_not_handed_over(lane):
    """
    Each ruling has a record, and each record has the salts to hold it against.
    """
    of = await ruled(lane, "a", "b")
    await nothing_sealed(lane, replace(of, written=of.written[:1]))
    await nothing_sealed(lane, replace(of, asides=[NOTHING, NOTHING]))
    await nothing_sealed(lane, replace(of, asides=of.asides[::-1]))


async def test_a_pack_says_what_was_released_and_nothing_else(lane):
    """
    An item with another text, one more, one twice or one less than was picked is not handed over.
    """
    of = await ruled(lane, "a", "b")
    pack, picked = packed(of, *of.rulings)
    [section] = pack.sections
    one, two = section.items
    for items in [
        (one, two.model_copy(update={"content": "secret"})),
        (one, two.model_copy(update={"id": "secret"})),
        (one, one),
        (one, two, two),
        (one,),
    ]:
        changed = pack.model_copy(update={"sections": (section.model_copy(update={"items": items}),)})
        await nothing_sealed(lane, of, changed, picked)
    await nothing_sealed(lane, of, pack.model_copy(update={"messages": {"messages": "secret"}}), picked)
    assert (await seal(pack, of, ledger=lane, picked=picked, budgets=BUDGETS)).receipt


async def test_a_piece_that_was_changed_on_its_way_is_not_handed_over(lane):
    """
    Where pieces and pack agree with each other and not with what was released, the pack is not handed over.
    """
    of = await ruled(lane, "a")
    changed = of.rulings[0].model_copy(update={"content": "another secret"})
    pack, picked = packed(of, changed)
    [piece] = picked.kept
    piece = piece.model_copy(update={"ruling": of.rulings[0]})
    await nothing_sealed(lane, of, pack, picked.model_copy(update={"kept": (piece,)}))
