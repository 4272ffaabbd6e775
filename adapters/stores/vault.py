"""
What tokens stand for, in a table beside the ledger; each value sealed, together with the request that it was made for.

Rules held here: what is sealed says by what it is bound to whether it holds a value alone, as earlier versions kept it, or a
document; nothing in the value is believed about that.
"""

import json

from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidTag

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.model.policy_input import OriginFacts
from gateway.ports.stores import Secret


class VaultTable:
    """A `gateway.ports.stores.Vault`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def keep(self, tenant: str, purpose: str, values: Mapping[str, tuple[str, str]], origin: OriginFacts) -> None:
        rows = [
            (tenant, token, entity, purpose, self._sealed(value, origin, tenant, token))
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
                found[token] = Secret(entity, purpose, *self._opened(value, tenant, token))
        return found

    def _sealed(self, value: str, origin: OriginFacts, tenant: str, token: str) -> bytes:
        return self._tables.cipher.seal(json.dumps({"value": value, "origin": origin}), tenant, f"document:{token}")

    def _opened(self, sealed: bytes, tenant: str, token: str) -> tuple[str, OriginFacts | None]:
        try:
            document = json.loads(self._tables.cipher.open(sealed, tenant, f"document:{token}"))
        except InvalidTag:
            return self._tables.cipher.open(sealed, tenant, token), None
        return document["value"], document["origin"]
