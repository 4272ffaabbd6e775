"""Erasures under way, and certificates of those that are complete, in tables beside the ledger."""

import asyncio

from typing import Final

from adapters.stores.rows import Rows
from gateway.ports.erasure import PendingErasure

_COLUMNS: Final = "tenant, token, person, key, outside"
_BEGIN: Final = f"INSERT INTO erasing ({_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"  # noqa: S608 - constant
_CERTIFY: Final = "INSERT INTO certificates (tenant, token, at, note) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_DROP: Final = "DELETE FROM erasing WHERE tenant = ? AND token = ?"


class ErasureTable:
    """A `gateway.ports.erasure.Erasures`."""

    def __init__(self, rows: Rows) -> None:
        """
        Args:
            rows: the tables.
        """
        self._rows = rows

    async def begin(self, erasure: PendingErasure) -> None:
        row = (erasure.tenant, erasure.token, erasure.person, erasure.key, erasure.outside)
        await asyncio.to_thread(self._rows.write, _BEGIN, [row])

    async def pending(self, tenant: str | None = None) -> list[PendingErasure]:
        where, values = ("WHERE tenant = ?", [tenant]) if tenant is not None else ("", [])
        select = f"SELECT {_COLUMNS} FROM erasing {where} ORDER BY tenant, token"  # noqa: S608 - constant names
        return [PendingErasure(*row) for row in await asyncio.to_thread(self._rows.read, select, *values)]

    async def complete(self, erasure: PendingErasure, at: str, certificate: str) -> None:
        row = (erasure.tenant, erasure.token, at, certificate)
        await asyncio.to_thread(self._rows.write, _CERTIFY, [row])
        await self.drop(erasure)

    async def drop(self, erasure: PendingErasure) -> None:
        await asyncio.to_thread(self._rows.write, _DROP, [(erasure.tenant, erasure.token)])

    async def certificate(self, tenant: str | None, token: str) -> str | None:
        where, values = ("AND tenant = ?", [token, tenant]) if tenant is not None else ("", [token])
        select = f"SELECT note FROM certificates WHERE token = ? {where}"  # noqa: S608 - constant names
        rows = await asyncio.to_thread(self._rows.read, select, *values)
        return rows[0][0] if rows else None
