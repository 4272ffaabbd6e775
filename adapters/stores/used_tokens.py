"""Bearer tokens that were used, in a table beside the ledger, so that replicas on one database believe each once."""

import asyncio
import hashlib
import json

from datetime import datetime
from typing import Final

from adapters.stores.rows import Rows
from gateway.model import utc_text

_USE: Final = "INSERT INTO used_tokens (name, until) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
_FORGET: Final = "DELETE FROM used_tokens WHERE until < ?"


class UsedTokenTable:
    """A `gateway.ports.identity.UsedTokens`."""

    def __init__(self, rows: Rows) -> None:
        """
        Args:
            rows: the tables.
        """
        self._rows = rows

    async def first_use(self, issuer: str, jti: str, until: datetime, now: datetime) -> bool:
        name = hashlib.sha256(json.dumps([issuer, jti]).encode()).hexdigest()
        return await asyncio.to_thread(self._first_use, name, utc_text(until), utc_text(now))

    def _first_use(self, name: str, until: str, now: str) -> bool:
        self._rows.write(_FORGET, [(now,)])
        return self._rows.write(_USE, [(name, until)]) == 1
