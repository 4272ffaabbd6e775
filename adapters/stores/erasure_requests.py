"""Erasures that wait for a second officer, in a table beside the ledger: who is to be forgotten, and why, sealed."""

from collections.abc import Sequence
from typing import Final

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.ports.erasure import ErasureRequest

_MOST: Final = 1000
_INSERT: Final = "INSERT INTO erasure_requests (tenant, id, person, at, expires, body) VALUES (?, ?, ?, ?, ?, ?)"


class ErasureRequestTable:
    """A `gateway.ports.erasure.ErasureRequests`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def keep(self, request: ErasureRequest) -> None:
        await decrypting(lambda: self._keep(request))

    async def all_of(self, tenant: str) -> list[ErasureRequest]:
        return await decrypting(lambda: self._found("tenant = ?", tenant))

    async def about(self, tenant: str, mark: str) -> list[ErasureRequest]:
        return await decrypting(lambda: self._found("tenant = ? AND person = ?", tenant, mark))

    async def drop(self, requests: Sequence[ErasureRequest]) -> int:
        rows = [(one.tenant, one.id) for one in requests]
        return await decrypting(lambda: self._drop("tenant = ? AND id = ?", rows)) if rows else 0

    async def drop_over(self, now: str) -> int:
        return await decrypting(lambda: self._drop("expires <= ?", [(now,)]))

    def _keep(self, request: ErasureRequest) -> None:
        # Not under the person's own key, which is gone before the erasure is on record: until then this must open.
        body = self._tables.cipher.seal(request.model_dump_json(), request.tenant, request.id)
        row = (request.tenant, request.id, request.mark, request.asked.at, request.expires, body)
        self._tables.rows.write(_INSERT, [row])

    def _found(self, where: str, *values: object) -> list[ErasureRequest]:
        select = f"SELECT id, body FROM erasure_requests WHERE {where} ORDER BY at, id LIMIT {_MOST}"  # noqa: S608 - constant names
        tenant = str(values[0])
        rows = self._tables.rows.read(select, *values)
        return [ErasureRequest.model_validate_json(self._tables.cipher.open(body, tenant, name)) for name, body in rows]

    def _drop(self, where: str, rows: Sequence[tuple[object, ...]]) -> int:
        return self._tables.rows.write(f"DELETE FROM erasure_requests WHERE {where}", rows)  # noqa: S608 - constant names
