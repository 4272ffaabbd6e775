"""Exceptions on request as they are kept: in SQLite and in PostgreSQL by the same statements."""

import pytest

from adapters.stores.rows import PostgresRows, SqliteRows
from adapters.stores.tables import SCHEMA
from adapters.stores.waivers import WaiverTable
from gateway.errors import StoreError
from gateway.model.base import RecordProof
from gateway.ports.waivers import OfficerAct, Waiver, WaiverScope, WaiverTrigger
from tests.support.aside import tables_on

NOW, SOON, LATER = "2026-03-01T00:00:00.000000Z", "2026-03-10T00:00:00.000000Z", "2026-04-01T00:00:00.000000Z"


@pytest.fixture
def table(rows):
    return WaiverTable(tables_on(rows))


def act(officer):
    proof = RecordProof(record="r", salt="0" * 64)
    return OfficerAct(
        officer=officer,
        person=officer,
        token=f"t-{officer}",
        role="approver",
        department="LEGAL",
        at=NOW,
        reason="It is needed.",
        proof=proof,
    )


def waiver(number, *, tenant="gfm", expires=LATER, approved=None, **more):
    return Waiver(
        id=f"EXR-{number:016x}",
        tenant=tenant,
        codes=("JUR-002",),
        scope=WaiverScope(entity_id="E"),
        expires=expires,
        owner="COO office",
        asked=act("cora"),
        approved=act(approved) if approved else None,
        **more,
    )


async def test_only_what_is_approved_and_not_over_is_in_force(table):
    """
    What waits, what is revoked, what is over and what is another tenant's is told to no request.
    """
    for one in (
        waiver(1, approved="lena"),
        waiver(2),
        waiver(3, approved="lena", expires=NOW),
        waiver(4, approved="lena", tenant="asia"),
        waiver(5, approved="lena"),
    ):
        await table.keep(one)
    assert await table.change(waiver(5, approved="lena", revoked=act("cora")), "approved")
    assert [kept.waiver.id[-1] for kept in await table.in_force("gfm", NOW)] == ["1"]
    assert len(await table.all_of("gfm")) == 4
    assert await table.one_of("asia", waiver(1).id) is None
    assert await table.counts(NOW, SOON) == {"asked": 1, "in_force": 2, "lapsing": 0, "never_used": 2}


async def test_two_officers_at_once(table):
    """
    Of two that change the same one, the second changes nothing.
    """
    await table.keep(waiver(1))
    assert await table.change(waiver(1, approved="lena"), "asked")
    assert not await table.change(waiver(1, revoked=act("lena")), "asked")
    assert (await table.one_of("gfm", waiver(1).id)).waiver.state == "approved"


async def test_uses_are_counted_up_to_what_is_allowed(table):
    """
    A use too many is none, whoever else was quicker; one that is revoked is not used any more.
    """
    once = waiver(1, approved="lena", trigger=WaiverTrigger(max_uses=2))
    await table.keep(once)
    assert await table.spend("gfm", {once.id: (1, 2)}, NOW)
    assert not await table.spend("gfm", {once.id: (2, 2)}, NOW)
    assert await table.spend("gfm", {once.id: (1, 2)}, SOON)
    kept = await table.one_of("gfm", once.id)
    assert (kept.used, kept.last_used) == (2, SOON)
    assert await table.spend("gfm", {once.id: (5, None)}, SOON)
    assert await table.change(once.model_copy(update={"revoked": act("cora")}), "approved")
    assert not await table.spend("gfm", {once.id: (1, None)}, SOON)


@pytest.fixture(params=["sqlite", "postgres"])
def erasing(request, tmp_path):
    """The tables for the role that erases."""
    if request.param == "sqlite":
        made = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    else:
        server = request.getfixturevalue("postgres")
        made = PostgresRows(server.url(server.new_ledger(), "eraser"))
    yield made
    made.close()


async def test_who_is_forgotten(erasing):
    """
    An officer's name and words go, what was agreed on stays; what only that person asked for, or is for them alone, goes.
    """
    table = WaiverTable(tables_on(erasing))
    approved = waiver(1, approved="lena")
    for one in (approved, waiver(2), waiver(3, approved="lena", beneficiary="Cora")):
        await table.keep(one)
    assert await table.forget_person("gfm", "cora", "tok") == 3
    [left] = await table.all_of("gfm")
    assert (left.waiver.id, left.waiver.asked.officer, left.waiver.asked.person) == (approved.id, "tok", None)
    assert "needed" not in left.waiver.asked.reason
    assert left.waiver.approved == approved.approved
    assert left.waiver.said("APPROVED") == approved.said("APPROVED")
    assert b"lena" not in erasing.read("SELECT body FROM waivers")[0][0]


async def test_a_row_that_was_moved_does_not_open(table, rows):
    """
    What is sealed for one id or tenant opens under no other.
    """
    await table.keep(waiver(1, approved="lena"))
    rows.write("UPDATE waivers SET tenant = ?", [("asia",)])
    with pytest.raises(StoreError):
        await table.in_force("asia", NOW)
