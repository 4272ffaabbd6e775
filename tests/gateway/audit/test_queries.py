"""Reading the ledger: nothing is shown before the reading is on record, and nothing of another tenant."""

import csv
import io
import json

import pytest

from gateway.audit.acts import Actor
from gateway.audit.queries import GOVERNING, LedgerQueries, as_csv, as_document
from gateway.errors import RecordError
from ledger.erasable import commit
from ledger.errors import LedgerUnavailableError
from ledger.query import PROJECTED, Filter, Page
from ledger.record import Record
from ledger.tlog.merkle import leaf_hash
from tests.support.clock import NOW
from tests.support.fakes import BrokenLedger
from tests.support.strategies import ruling, sequencer, uid

AUDITOR = Actor("gfm", "ann")


@pytest.fixture
async def room(lane):
    """A reading room over two rulings of two tenants."""

    async def catch_up():
        sequencer(lane.store).catch_up()

    await lane.append([ruling(uid(), "a"), ruling(uid(), "b", tenant="asia", outcome="denied")])
    await catch_up()
    return LedgerQueries(lane.store, lane, catch_up)


async def test_the_reading_is_on_record_before_the_answer(room, lane):
    """
    The codes say by what was asked, for all to see; what was asked for is sealed, and committed to.
    """
    page = await room.page(Filter(tenant="gfm", kind="item.ruled"), AUDITOR, NOW)
    assert [json.loads(body)["item"]["id"] for body in page.records] == ["a"]
    read, aside = lane.drafts[-1], lane.erasables[-1]
    assert (read.kind, read.codes) == ("ledger.read", ("FILTER-KIND", "FILTER-TENANT"))
    assert json.loads(aside.content) == {"kind": "item.ruled", "tenant": "gfm"}
    assert read.item.commitment == commit(aside.item_salt, aside.content)
    assert "ann" not in read.subject.split()[0]


async def test_what_cannot_be_recorded_is_not_answered(room, lane, monkeypatch):
    """
    Without a record of the reading there is no answer.
    """
    monkeypatch.setattr(lane.store, "query", lambda _: pytest.fail("it was read"))
    broken = LedgerQueries(lane.store, BrokenLedger(lane, 0), room.catch_up)
    with pytest.raises(RecordError):
        await broken.page(Filter(tenant="gfm"), AUDITOR, NOW)


async def test_a_store_that_does_not_answer(room, lane, monkeypatch):
    """
    An error of the store is ours, with nothing of its inside.
    """

    def gone(*_):
        raise LedgerUnavailableError("the disk at /secret is gone")

    monkeypatch.setattr(lane.store, "query", gone)
    with pytest.raises(RecordError) as caught:
        await room.page(Filter(tenant="gfm"), AUDITOR, NOW)
    assert "/secret" not in caught.value.detail


async def test_records_by_id_are_of_the_readers_tenant(room, lane):
    """
    A record of another tenant is as one that is not there; who sits at the machine sees all.
    """
    names = [draft.decision_id for draft in lane.drafts[:2]]
    assert list(await room.bodies(names, AUDITOR, NOW)) == names[:1]
    assert set(await room.bodies(names, Actor(None, "local:root"), NOW)) == set(names)


async def test_counts_are_readings_too(room, lane):
    """
    Counting is recorded with what was counted by.
    """
    [one] = await room.series(Filter(kind="item.ruled", outcome="denied"), "tenant", "day", AUDITOR, NOW)
    assert (one.value, one.period, one.count) == ("asia", "2026-03-01", 1)
    assert {"FILTER-BY", "FILTER-PERIOD"} <= set(lane.drafts[-1].codes)


async def test_a_person_of_whom_nothing_is_known(room):
    """
    A name that the ledger does not know stands for nobody, whom no record is about, and whom no name that is known spells.
    """
    first, again = await room.token("gfm", "nobody"), await room.token("gfm", "nobody")
    assert first != again
    assert room.store.query(Filter(subject=first)).records == ()


async def test_nobody_can_be_called_all_tenants(room, lane):
    """
    Who reads as the tenant `-` reads nobody's records, only what concerns every tenant; one of no name reads nothing.
    """
    names = [draft.decision_id for draft in lane.drafts]
    for tenant in ("-", "*", "%"):
        found = await room.bodies(names, Actor(tenant, "ann"), NOW)
        kinds = {json.loads(body)["kind"] for body in found.values()}
        assert kinds <= set(GOVERNING)
    with pytest.raises(RecordError):
        await room.bodies(names, Actor("", "ann"), NOW)


async def test_the_tenant_is_a_condition_of_the_question(room, lane, monkeypatch):
    """
    Of another tenant nothing is even read: records by id are asked for with the tenant.
    """
    asked, query = [], lane.store.query

    def listening(wanted):
        asked.append(wanted.tenant)
        return query(wanted)

    monkeypatch.setattr(lane.store, "query", listening)
    monkeypatch.setattr(lane.store, "stored", lambda _: pytest.fail("read without a tenant"))
    await room.bodies([draft.decision_id for draft in lane.drafts[:2]], AUDITOR, NOW)
    assert set(asked) == {"gfm", "-"}


def page_of(room, **changes):
    body = room.store.query(Filter(kind="item.ruled", limit=1)).records[0]
    record = Record.decode(body).model_copy(update=changes)
    return Page(records=(record.encode(),), indexes=(7,), next=None)


async def test_a_page_as_a_document(room):
    """
    Each record comes as members, and as the very text that its leaf is the hash of.
    """
    page = page_of(room)
    document = as_document(page)
    [entry] = document["entries"]
    assert (entry["index"], document["next"]) == (7, None)
    assert entry["leaf"] == leaf_hash(entry["body"].encode()).hex()
    assert json.loads(entry["body"]) == document["records"][0]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t"])
async def test_no_cell_is_a_formula(room, sign):
    """
    A name that a spreadsheet would run is a text in the table.
    """
    rows = list(csv.DictReader(io.StringIO(as_csv(page_of(room, agent=f"{sign}cmd|' /C calc'!A0")))))
    assert rows[0]["agent"] == f"'{sign}cmd|' /C calc'!A0"
    assert list(rows[0]) == ["index", *PROJECTED, "codes", "leaf"]
