"""Answers under idempotency keys, in a table beside the ledger; each answer sealed."""

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.ports.stores import KeyedRequest


class AnswerTable:
    """A `gateway.ports.stores.Answers`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def reserve(self, tenant: str, name: str, entry: KeyedRequest, oldest: str) -> KeyedRequest | None:
        return await decrypting(lambda: self._reserve(tenant, name, entry, oldest))

    def _reserve(self, tenant: str, name: str, entry: KeyedRequest, oldest: str) -> KeyedRequest | None:
        self._tables.rows.write("DELETE FROM answers WHERE at < ?", [(oldest,)])
        insert = (
            "INSERT INTO answers (tenant, name, digest, at, trace_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        if self._tables.rows.write(insert, [(tenant, name, entry.digest, entry.at, entry.trace_id)]):
            return None
        select = "SELECT digest, at, trace_id, body FROM answers WHERE tenant = ? AND name = ?"
        for digest, at, trace_id, body in self._tables.rows.read(select, tenant, name):
            return KeyedRequest(
                digest, at, trace_id, None if body is None else self._tables.own.open(body, tenant, name)
            )
        return None

    async def answer(self, tenant: str, name: str, body: str) -> None:
        await decrypting(lambda: self._answer(tenant, name, body))

    def _answer(self, tenant: str, name: str, body: str) -> None:
        row = (self._tables.own.seal(body, tenant, name, name.partition(":")[0]), tenant, name)
        self._tables.rows.write("UPDATE answers SET body = ? WHERE tenant = ? AND name = ?", [row])

    async def forget(self, tenant: str, person: str) -> int:
        delete = "DELETE FROM answers WHERE tenant = ? AND name LIKE ?"
        return await decrypting(lambda: self._tables.rows.write(delete, [(tenant, f"{person}:%")]))

    async def free(self, tenant: str, name: str) -> None:
        delete = "DELETE FROM answers WHERE tenant = ? AND name = ? AND body IS NULL"
        await decrypting(lambda: self._tables.rows.write(delete, [(tenant, name)]))
