"""Traces of requests in a small table, written in the background: they are for operations, so a full queue loses some."""

import asyncio
import json

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from adapters.stores.rows import Rows
from gateway.errors import StoreError
from ledger.store import Remnant

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS traces (
  tenant TEXT NOT NULL, trace_id TEXT NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, trace_id, at)
) STRICT;
CREATE INDEX IF NOT EXISTS traces_at ON traces (at);
"""
_MOST: Final = 2000
_INSERT: Final = "INSERT INTO traces VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"


class TraceTable:
    """A `gateway.ports.tracing.Traces` and `gateway.ports.erasure.KeptTraces` that can be asked for a trace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._waiting: deque[tuple[object, ...]] = deque()
        self._task: asyncio.Task[None] | None = None
        self.lost = 0

    def put(self, tenant: str, trace_id: str, at: str, document: dict[str, Any]) -> None:
        if len(self._waiting) >= _MOST:
            self.lost += 1
            return
        self._waiting.append((tenant, trace_id, at, json.dumps(document)))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._waiting:
            rows = list(self._waiting)
            self._waiting.clear()
            try:
                await asyncio.to_thread(self._rows.write, _INSERT, rows)
            except StoreError:
                self.lost += len(rows)

    async def get(self, tenant: str, trace_id: str) -> list[dict[str, Any]]:
        """
        The traces of a trace id, oldest first: one for each request under it.

        Raises:
            StoreError: the table did not answer.
        """
        await self.settle()
        select = "SELECT body FROM traces WHERE tenant = ? AND trace_id = ? ORDER BY at"
        rows = await asyncio.to_thread(self._rows.read, select, tenant, trace_id)
        return [json.loads(body) for (body,) in rows]

    async def forget(self, oldest: str) -> None:
        """
        Delete traces from before a time.

        Raises:
            StoreError: the table did not answer.
        """
        await asyncio.to_thread(self._rows.write, "DELETE FROM traces WHERE at < ?", [(oldest,)])

    async def erase(self, tenant: str, token: str) -> int:
        """
        Delete the traces of a person's requests, those that still wait included; how many that were.

        Raises:
            StoreError: it is not known to be gone.
        """
        await self.settle()
        # As `json.dumps` writes it; a token is a UUID, in which no character stands for others.
        row = (tenant, f'%"user_id": "{token}"%')
        return await asyncio.to_thread(self._rows.write, "DELETE FROM traces WHERE tenant = ? AND body LIKE ?", [row])

    def purge(self, *, rewrite: bool) -> Sequence[Remnant]:
        """Drive what was deleted out of the files; see `adapters.stores.rows.Rows.purge`."""
        return self._rows.purge(rewrite=rewrite)

    async def settle(self) -> None:
        """Write what waits."""
        if self._task is not None:
            await self._task

    def close(self) -> None:
        """Release the table."""
        self._rows.close()
