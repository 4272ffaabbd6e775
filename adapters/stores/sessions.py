"""Sessions, turn by turn, in a table beside the ledger; each state sealed."""

from datetime import datetime, timedelta
from typing import Final

from cryptography.exceptions import InvalidTag

from adapters.stores.tables import Tables
from adapters.stores.value_cipher import decrypting
from gateway.model import utc_text
from gateway.model.session import SessionState

_BEFORE: Final = "SELECT turn, state FROM turns WHERE tenant = ? AND name = ? AND turn < ? ORDER BY turn DESC LIMIT 1"
_KEEP: Final = (
    "INSERT INTO turns (tenant, name, turn, at, state) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (tenant, name, turn) DO UPDATE SET at = excluded.at, state = excluded.state"
)


class SessionTable:
    """A `gateway.ports.stores.Sessions`."""

    def __init__(self, tables: Tables, *, hours: float) -> None:
        """
        Args:
            tables: where turns are kept.
            hours: how long a turn is kept.
        """
        self._tables = tables
        self._kept = timedelta(hours=hours)

    async def before(self, tenant: str, name: str, turn: int) -> SessionState | None:
        return await decrypting(lambda: self._before(tenant, name, turn))

    async def keep(self, tenant: str, name: str, state: SessionState, at: str) -> None:
        await decrypting(lambda: self._keep(tenant, name, state, at))

    async def forget(self, tenant: str, person: str) -> int:
        return await decrypting(lambda: self._forget(tenant, person))

    def _before(self, tenant: str, name: str, turn: int) -> SessionState | None:
        for found, state in self._tables.rows.read(_BEFORE, tenant, name, turn):
            return self._state(state, tenant, name, found)
        return None

    def _state(self, sealed: bytes, tenant: str, name: str, turn: int) -> SessionState:
        return SessionState.model_validate_json(self._tables.own.open(sealed, tenant, _location(name, turn)))

    def _keep(self, tenant: str, name: str, state: SessionState, at: str) -> None:
        oldest = utc_text(datetime.fromisoformat(at) - self._kept)
        self._tables.rows.write("DELETE FROM turns WHERE at < ?", [(oldest,)])
        self._tables.rows.write(_KEEP, [self._row(tenant, name, state, at)])

    def _row(self, tenant: str, name: str, state: SessionState, at: str) -> tuple[object, ...]:
        value, location = state.model_dump_json(), _location(name, state.turn)
        if state.erased:
            return tenant, name, state.turn, at, self._tables.own.seal_nobodys(value, tenant, location)
        return tenant, name, state.turn, at, self._tables.own.seal(value, tenant, location, name.partition(":")[0])

    def _forget(self, tenant: str, person: str) -> int:
        """Every turn of a person becomes an empty one that says that something was erased; how many were not yet."""
        select = "SELECT name, turn, at, state FROM turns WHERE tenant = ? AND name LIKE ?"
        empty = [
            (name, SessionState(turn=turn, erased=True), at)
            for name, turn, at, state in self._tables.rows.read(select, tenant, f"{person}:%")
            if not self._is_empty(state, tenant, name, turn)
        ]
        return self._tables.rows.write(_KEEP, [self._row(tenant, name, state, at) for name, state, at in empty])

    def _is_empty(self, sealed: bytes, tenant: str, name: str, turn: int) -> bool:
        try:
            return self._state(sealed, tenant, name, turn) == SessionState(turn=turn, erased=True)
        except (InvalidTag, ValueError):
            # What does not open any more was of the person too.
            return False


def _location(name: str, turn: int) -> str:
    return f"{name}:{turn}"
