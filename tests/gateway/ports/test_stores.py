"""What every store beside the ledger owes, on each database."""

import os

import pytest

from adapters.stores.artifacts import DirectoryArtifacts
from adapters.stores.rows import PostgresRows, SqliteRows
from adapters.stores.sessions import SessionTable
from adapters.stores.tables import SCHEMA
from gateway.errors import StoreError
from gateway.model.session import SessionState
from tests.support.aside import tables_on


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_sessions_on_both_stores(kind, tmp_path, request):
    """
    On either database a session is found as it was before a turn, kept again in place, sealed, forgotten with its person alone,
    and gone when its time is over.
    """
    if kind == "sqlite":
        rows = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    else:
        server = request.getfixturevalue("postgres")
        rows = PostgresRows(server.url(server.new_ledger(), "gateway"))
    table = SessionTable(tables_on(rows), hours=1)
    at = "2026-03-01T09:15:00.000000Z"
    for turn in (1, 2, 2, 5):
        await table.keep("t", "p:s", SessionState(turn=turn), at)
    await table.keep("t", "q:s", SessionState(turn=1), at)
    assert [(await table.before("t", "p:s", turn) or SessionState(turn=0)).turn for turn in (1, 2, 3, 9)] == [
        0,
        1,
        2,
        5,
    ]
    assert await table.before("u", "p:s", 9) is None
    assert await table.forget("t", "p") == 3
    assert (await table.before("t", "p:s", 9)).erased
    assert not (await table.before("t", "q:s", 9)).erased
    with pytest.raises(StoreError):
        await SessionTable(tables_on(rows, b"x" * 32), hours=1).before("t", "q:s", 9)
    await table.keep("t", "r:s", SessionState(turn=1), "2026-03-01T10:15:00.000001Z")
    assert await table.before("t", "q:s", 9) is None
    rows.close()


async def test_artifacts_are_not_kept_longer_than_their_handles(tmp_path):
    """
    Each new artifact deletes those that are too old to be fetched, whoever's they are, and no others.
    """
    rows = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    store = DirectoryArtifacts(tmp_path / "artifacts", tables_on(rows).own, seconds=60)
    await store.put("t", "p", "old", "x")
    await store.put("t", "q", "young", "y")
    os.utime(tmp_path / "artifacts/t/p/old", (0, 0))
    await store.put("t", "q", "new", "z")
    assert await store.get("t", "p", "old") is None
    assert (await store.get("t", "q", "young"), await store.get("t", "q", "new")) == ("y", "z")
    rows.close()
