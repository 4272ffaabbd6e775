"""What was released, shown again: to whom, from which moment on, and what is refused."""

import json

import pytest

from gateway.audit.acts import Actor
from gateway.audit.evidence_room import EvidenceRoom
from gateway.audit.queries import LedgerQueries
from gateway.bootstrap.gateway import running
from gateway.errors import EvidenceErasedError, EvidenceNotKeptError, NotFoundError, RecordError
from gateway.prompt.render import render
from ledger.erasable import commit
from ledger.receipt import verify_receipt
from tests.support.clock import NOW
from tests.support.erasing import forget
from tests.support.fakes import BrokenLedger
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked

AUDITOR = Actor("gfm", "ann")


@pytest.fixture
async def keeping(settings):
    """A gateway that keeps contents."""
    async with running(settings.model_copy(update={"keep_content": True}), clock=lambda: NOW) as started:
        yield started


def room_of(gateway, ledger=None):
    parts = gateway.ledger.parts
    queries = LedgerQueries(gateway.store, ledger or gateway.recorder, gateway.ledger.keeper.sequenced)
    return EvidenceRoom(queries, parts.evidence, parts.signer)


async def test_a_pack_comes_back_bit_for_bit(keeping, small, subject):
    """
    By pack, request and decision id: the bytes that were handed over with their receipt, which verifies, and the prompt.
    """
    pack = await keeping.pipeline.assemble(asked(small, subject))
    [sealed] = records(keeping, kind="pack.sealed")
    for name in (pack.id, sealed.request_id, sealed.decision_id):
        shown = await room_of(keeping).show(name, AUDITOR, NOW)
        assert shown.file == pack.model_dump_json().encode()
        assert verify_receipt(json.loads(shown.file), keeping.ledger.parts.keys) == sealed
        assert shown.prompt == render(pack, "openai")
    check_ledger(keeping)


async def test_a_prompt_in_the_shape_that_was_asked_for(keeping, small, subject):
    """
    Where the request asks for a provider's messages, those are the prompt, and rulings alone have none.
    """
    pack = await keeping.pipeline.assemble(asked({**small, "render": "anthropic"}, subject))
    assert (await room_of(keeping).show(pack.id, AUDITOR, NOW)).prompt == pack.messages
    ruled = await keeping.pipeline.rule(asked({**small, "query": "alone"}, subject))
    shown = await room_of(keeping).show(ruled.id, AUDITOR, NOW)
    assert (shown.prompt, shown.file) == (None, ruled.model_dump_json().encode())


async def test_what_an_item_released(keeping, story, subject):
    """
    Of each item what it released, fence and all, with the salt that the record's commitment is checked with; of one that was
    refused or set aside, that nothing was.
    """
    await keeping.pipeline.assemble(asked(story("npa-risk", "request"), subject))
    rulings = records(keeping, kind="item.ruled")
    for one in rulings:
        shown = await room_of(keeping).show(one.decision_id, AUDITOR, NOW)
        assert shown.record["decision_id"] == one.decision_id
        if one.outcome in {"released", "redacted"}:
            assert one.released_commitment == commit(bytes.fromhex(shown.salt), shown.released.encode())
        else:
            assert (shown.released, shown.salt) == (None, None)
    assert {"released", "redacted", "denied", "quarantined"} <= {one.outcome for one in rulings}


async def test_the_look_is_on_record_before_anything_opens(keeping, small, subject, monkeypatch):
    """
    The record says that evidence was asked for, and of what only sealed; without it nothing is opened.
    """
    pack = await keeping.pipeline.assemble(asked(small, subject))
    await room_of(keeping).show(pack.id, AUDITOR, NOW)
    [read] = records(keeping, kind="ledger.read")
    assert read.codes == ("FILTER-EVIDENCE",)
    asked_for = keeping.ledger.parts.evidence.erasables([read.decision_id])[read.decision_id]
    assert json.loads(asked_for.content) == {"evidence": pack.id}
    monkeypatch.setattr(type(keeping.store), "sealed", lambda *_: pytest.fail("it was opened"))
    with pytest.raises(RecordError):
        await room_of(keeping, BrokenLedger(keeping.recorder, 0)).show(pack.id, AUDITOR, NOW)


async def test_another_tenants_is_as_one_that_is_not_there(keeping, small, subject):
    """
    An id of another tenant gets the very answer of an unknown one; who sits at the machine sees all.
    """
    pack = await keeping.pipeline.assemble(asked(small, subject))
    [sealed] = records(keeping, kind="pack.sealed")
    other, answers = Actor("asia", "ann"), set()
    for name in (pack.id, sealed.decision_id, sealed.request_id, sealed.pack.items[0], "nothing"):
        with pytest.raises(NotFoundError) as caught:
            await room_of(keeping).show(name, other, NOW)
        answers.add((type(caught.value), caught.value.detail))
    assert len(answers) == 1
    assert (await room_of(keeping).show(pack.id, Actor(None, "local:root"), NOW)).record["tenant"] == "gfm"


async def test_records_that_released_nothing_are_no_evidence(keeping, small, subject):
    """
    A record that is neither an item's ruling nor a pack's is not found by its decision id.
    """
    await keeping.pipeline.assemble(asked(small, subject))
    [opened] = records(keeping, kind="request.opened")
    with pytest.raises(NotFoundError):
        await room_of(keeping).show(opened.decision_id, AUDITOR, NOW)


async def test_after_an_erasure_nothing_is_shown(keeping, small, subject):
    """
    Of an erased person neither the pack nor an item is shown, not even that an item was refused, and the ledger holds.
    """
    pack = await keeping.pipeline.assemble(asked(small, subject))
    await forget("gfm", subject["sub"], keeping.stores, keeping.ledger, keeping.settings)
    names = [pack.id, *(one.decision_id for one in records(keeping, kind="item.ruled"))]
    for name in names:
        with pytest.raises(EvidenceErasedError):
            await room_of(keeping).show(name, AUDITOR, NOW)
    check_ledger(keeping)


async def test_where_no_content_is_kept(gateway, small, subject):
    """
    Without the setting neither a pack nor an item that was released can be shown, and the refusal says why.
    """
    pack = await gateway.pipeline.assemble(asked(small, subject))
    [sealed] = records(gateway, kind="pack.sealed")
    for name in (pack.id, sealed.pack.items[0]):
        with pytest.raises(EvidenceNotKeptError):
            await room_of(gateway).show(name, AUDITOR, NOW)


async def test_what_was_deleted_by_hand_is_neither_erased_nor_not_kept(keeping, small, subject, monkeypatch):
    """
    A ruling without its erasable side whose person is not erased is a fault of the ledger, and said to be one.
    """
    await keeping.pipeline.assemble(asked(small, subject))
    [sealed] = records(keeping, kind="pack.sealed")
    monkeypatch.setattr(type(keeping.store), "sealed", lambda *_: {})
    with pytest.raises(RecordError, match="missing"):
        await room_of(keeping).show(sealed.pack.items[0], AUDITOR, NOW)


async def test_what_is_not_what_the_record_commits_to_is_not_shown(keeping, small, subject, monkeypatch):
    """
    The sides of two packs, or of two items, in each other's place are not shown for one another.
    """
    packs = [await keeping.pipeline.assemble(asked({**small, "query": text}, subject)) for text in ("one", "two")]
    sealed = {record.pack.id: record for record in records(keeping, kind="pack.sealed")}
    one, two = (sealed[pack.id] for pack in packs)
    evidence = keeping.ledger.parts.evidence
    swapped = {**dict(zip(one.pack.items, two.pack.items[::-1], strict=True)), one.decision_id: two.decision_id}

    room = room_of(keeping)
    monkeypatch.setattr(type(evidence), "erasables", _other(evidence, swapped))
    for name in (one.pack.id, one.pack.items[0]):
        with pytest.raises(RecordError, match="commits to"):
            await room.show(name, AUDITOR, NOW)


def _other(evidence, swapped):
    """Opens the side of another record than is asked for."""
    real = type(evidence).erasables

    def erasables(self, names):
        found = real(self, [swapped.get(name, name) for name in names])
        return {name: found[swapped.get(name, name)] for name in names}

    return erasables


async def test_a_repeat_is_the_evidence_of_the_first(keeping, small, subject):
    """
    A request that comes again after a crash has the records of the first, and what was kept with them opens.
    """
    pack = await keeping.pipeline.assemble(asked(small, subject))
    assert await keeping.pipeline.assemble(asked(small, subject)) == pack
    [sealed] = records(keeping, kind="pack.sealed")
    for name in (pack.id, *sealed.pack.items):
        await room_of(keeping).show(name, AUDITOR, NOW)
    assert (await room_of(keeping).show(pack.id, AUDITOR, NOW)).file == pack.model_dump_json().encode()
