"""Erasures under way and certificates, on each database."""

import pytest

from adapters.stores.erasures import ErasureTable
from adapters.stores.rows import PostgresRows, SqliteRows
from adapters.stores.tables import SCHEMA
from gateway.ports.erasure import PendingErasure

ONE = PendingErasure("gfm", "token-1", "mark", "0" * 64, "ctxgate-1")
OTHER = PendingErasure("rbc", "token-2", "mark", "1" * 64)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_what_is_under_way_and_what_is_certified(kind, tmp_path, request):
    """
    On either database an erasure is under way until it is complete or dropped, within its tenant, and its certificate is found.
    """
    if kind == "sqlite":
        rows = SqliteRows(tmp_path / "aside.sqlite", SCHEMA)
    else:
        server = request.getfixturevalue("postgres")
        rows = PostgresRows(server.url(server.new_ledger(), "eraser"))
    table = ErasureTable(rows)
    for _ in range(2):
        await table.begin(ONE)
    await table.begin(OTHER)
    assert (await table.pending(), await table.pending("rbc")) == ([ONE, OTHER], [OTHER])
    await table.complete(ONE, "2026-03-01T09:15:00.000000Z", "note")
    await table.drop(OTHER)
    assert await table.pending() == []
    assert [await table.certificate(tenant, "token-1") for tenant in ("gfm", None, "rbc")] == ["note", "note", None]
    assert await table.certificate(None, "token-2") is None
    rows.close()
