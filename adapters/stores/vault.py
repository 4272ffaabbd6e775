"""What tokens stand for, in a table beside the ledger; each value sealed."""

from collections.abc import Mapping, Sequence

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.ports.stores import Secret


class VaultTable:
    """A `gateway.ports.stores.Vault`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def keep(self, tenant: str, purpose: str, values: Mapping[str, tuple[str, str]]) -> None:
        rows = [
            (tenant, token, entity, purpose, self._tables.cipher.seal(value, tenant, token))
            for token, (entity, value) in values.items()
        ]
        insert = "INSERT INTO tokens VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        await decrypting(lambda: self._tables.rows.write(insert, rows))

    async def look_up(self, tenant: str, tokens: Sequence[str]) -> dict[str, Secret]:
        return await decrypting(lambda: self._look_up(tenant, tokens))

    def _look_up(self, tenant: str, tokens: Sequence[str]) -> dict[str, Secret]:
        found = {}
        for token in tokens:
            select = "SELECT entity, purpose, value FROM tokens WHERE tenant = ? AND token = ?"
            for entity, purpose, value in self._tables.rows.read(select, tenant, token):
                found[token] = Secret(entity, purpose, self._tables.cipher.open(value, tenant, token))
        return found
