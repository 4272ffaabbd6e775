"""Traces in a table: for operations, so that what cannot be written is lost and counted, and hurts no request."""

import asyncio

import pytest

from adapters.stores import traces
from adapters.stores.rows import SqliteRows
from adapters.stores.traces import SCHEMA, TraceTable
from gateway.errors import StoreError

AT = "2026-03-01T09:15:00.000000Z"


@pytest.fixture
def table(tmp_path):
    made = TraceTable(SqliteRows(tmp_path / "traces.sqlite", SCHEMA))
    yield made
    made.close()


async def test_the_traces_of_an_id(table):
    """
    All requests under one trace id come back, oldest first, and none of another tenant or id.
    """
    table.put("gfm", "t1", "2026-03-02", {"n": 2})
    table.put("gfm", "t1", "2026-03-01", {"n": 1})
    table.put("gfm", "t2", AT, {"n": 3})
    table.put("other", "t1", AT, {"n": 4})
    assert await table.get("gfm", "t1") == [{"n": 1}, {"n": 2}]
    assert await table.get("gfm", "t9") == []
    assert table.lost == 0


async def test_old_ones_are_forgotten(table):
    """
    Traces from before a time are deleted, those at it are kept.
    """
    for at in ("2026-03-01", "2026-03-02", "2026-03-03"):
        table.put("gfm", "t1", at, {"at": at})
    await table.settle()
    await table.forget("2026-03-02")
    assert [one["at"] for one in await table.get("gfm", "t1")] == ["2026-03-02", "2026-03-03"]


async def test_the_traces_of_who_is_erased(table, tmp_path):
    """
    Of the person alone, whose token each trace names, also those that still wait to be written; no file holds them then.
    """
    for at, token in (("2026-03-01", "person-1"), ("2026-03-02", "person-2"), ("2026-03-03", "person-1")):
        table.put("gfm", "t1", at, {"at": at, "user_id": token, "source": f"mail-of-{token}"})
    table.put("other", "t1", AT, {"user_id": "person-1"})
    assert await table.erase("gfm", "person-1") == 2
    assert [one["at"] for one in await table.get("gfm", "t1")] == ["2026-03-02"]
    assert await table.get("other", "t1")
    assert list(table.purge(rewrite=True)) == []
    assert not [path for path in tmp_path.iterdir() if b"mail-of-person-1" in path.read_bytes()]


async def test_a_full_queue_loses_some(table, monkeypatch):
    """
    What does not fit is lost and counted; what was taken is written.
    """
    monkeypatch.setattr(traces, "_MOST", 3)
    for number in range(5):
        table.put("gfm", "t1", f"{number}", {"n": number})
    assert table.lost == 2
    assert [one["n"] for one in await table.get("gfm", "t1")] == [0, 1, 2]


async def test_a_table_that_does_not_answer(table):
    """
    A trace that cannot be written is lost and counted, and raises nothing; whoever asks for one is told.
    """
    table.close()
    table.put("gfm", "t1", AT, {})
    table.put("gfm", "t1", AT, {})
    await table.settle()
    assert table.lost == 2
    with pytest.raises(StoreError):
        await table.get("gfm", "t1")
    with pytest.raises(StoreError):
        await table.forget(AT)


async def test_nothing_waits_for_the_disk(table):
    """
    Putting a trace returns before it is written; those that come meanwhile are written too.
    """
    table.put("gfm", "t1", "1", {})
    assert table._rows.read("SELECT count(*) FROM traces") == [(0,)]
    await asyncio.sleep(0)
    table.put("gfm", "t1", "2", {})
    await table.settle()
    assert table._rows.read("SELECT count(*) FROM traces") == [(2,)]
