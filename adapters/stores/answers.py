"""Answers under idempotency keys, in a table beside the ledger; each answer sealed."""

from adapters.stores.sealing import unsealing
from adapters.stores.tables import Tables
from gateway.ports.stores import Claim


class AnswerTable:
    """A `gateway.ports.stores.Answers`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def claim(self, tenant: str, name: str, claim: Claim, oldest: str) -> Claim | None:
        return await unsealing(lambda: self._claim(tenant, name, claim, oldest))

    def _claim(self, tenant: str, name: str, claim: Claim, oldest: str) -> Claim | None:
        self._tables.rows.write("DELETE FROM answers WHERE at < ?", [(oldest,)])
        insert = (
            "INSERT INTO answers (tenant, name, digest, at, trace_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        if self._tables.rows.write(insert, [(tenant, name, claim.digest, claim.at, claim.trace_id)]):
            return None
        select = "SELECT digest, at, trace_id, body FROM answers WHERE tenant = ? AND name = ?"
        for digest, at, trace_id, body in self._tables.rows.read(select, tenant, name):
            return Claim(digest, at, trace_id, None if body is None else self._tables.sealing.open(body, tenant, name))
        return None

    async def answer(self, tenant: str, name: str, body: str) -> None:
        row = (self._tables.sealing.seal(body, tenant, name), tenant, name)
        await unsealing(
            lambda: self._tables.rows.write("UPDATE answers SET body = ? WHERE tenant = ? AND name = ?", [row])
        )

    async def forget(self, tenant: str, person: str) -> int:
        delete = "DELETE FROM answers WHERE tenant = ? AND name LIKE ?"
        return await unsealing(lambda: self._tables.rows.write(delete, [(tenant, f"{person}:%")]))

    async def let_go(self, tenant: str, name: str) -> None:
        delete = "DELETE FROM answers WHERE tenant = ? AND name = ? AND body IS NULL"
        await unsealing(lambda: self._tables.rows.write(delete, [(tenant, name)]))
