"""
What was deleted, driven out of the files of PostgreSQL, as its owner.

Rules held here: `VACUUM` gives the place of a dead row free and leaves its bytes, so tables of persons are written anew
(`VACUUM FULL`), whose old files the server deletes; that keeps rows which an older snapshot may still see, so there must be none,
on the server or on a replica that reports its own; nobody is waited for with a table locked; a replica is asked how far it
has replayed.  What the server writes ahead of itself, and archives of it, cannot be reached from here: `stays` names them.
"""

from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from adapters.shared.postgres import Connection, Pool
from ledger.store import Remnant

_TABLES: Final = ("subjects", "held", "turns", "answers", "traces", "erasing", "waivers", "erasure_requests")
"""Rows with names, keys, or values that a key of the gateway opens; what is sealed under a person's key is noise without it."""

_NAME: Final = "postgresql"
_SEES: Final = "SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')"
_OLDER: Final = """
SELECT
    (SELECT count(*) FROM pg_stat_activity
        WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid() AND age(backend_xmin) > age($1::text::xid)) AS sessions,
    (SELECT count(*) FROM pg_prepared_xacts WHERE age(transaction) > age($1::text::xid)) AS prepared,
    (SELECT count(*) FROM pg_replication_slots
        WHERE greatest(coalesce(age(xmin), 0), coalesce(age(catalog_xmin), 0)) > age($1::text::xid)) AS slots
"""
_BEHIND: Final = """
SELECT coalesce(application_name, '') AS name FROM pg_stat_replication
    WHERE replay_lsn IS NULL OR replay_lsn < $1::text::pg_lsn
UNION SELECT slot_name FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT active ORDER BY 1
"""


class PostgresPurge:
    """A `gateway.ports.erasure.Purge` of one database."""

    def __init__(self, url: str | None) -> None:
        """
        Args:
            url: of the database, for its owner; None where nobody said who that is, so that nothing can be driven out.
        """
        self._url = url
        self._since = ""
        """A transaction after the erasure: whoever sees less of the database than it is waited for."""

        self._written = ""
        """Where the server's log stood when the tables had been written anew."""

    def __call__(self, *, rewrite: bool) -> Sequence[Remnant]:
        """
        What may still hold something that was deleted.

        Raises:
            LedgerUnavailableError: the server does not answer.
        """
        if self._url is None:
            why = "only the owner of the database can write its tables anew: set CTXGATE_LEDGER_OWNER_URL"
            return [Remnant(_NAME, "dead rows", why, rewrite=True)]
        pool = Pool(self._url)
        try:
            return pool.run(lambda connection: self._purged(connection, rewrite=rewrite))
        finally:
            pool.close()

    async def _purged(self, connection: Connection, *, rewrite: bool) -> list[Remnant]:
        self._since = self._since or str(await connection.fetchval("SELECT pg_current_xact_id()::xid::text"))
        if rewrite:
            if blocked := await self._blocked(connection) or await _rewritten(connection):
                return blocked
            self._written = str(await connection.fetchval("SELECT pg_current_wal_lsn()::text"))
        why = "it has not replayed the erasure"
        return [
            Remnant(f"replica {row['name']}", "tables", why) for row in await connection.fetch(_BEHIND, self._written)
        ]

    async def _blocked(self, connection: Connection) -> list[Remnant]:
        """Who sees the database as it was before the erasure."""
        if not await connection.fetchval(_SEES):
            why = "the owner may not see other sessions, so nobody knows who reads: grant it pg_monitor"
            return [Remnant(_NAME, "snapshots", why, rewrite=True)]
        counts = await connection.fetchrow(_OLDER, self._since)
        words = {
            "sessions": "a transaction from before the erasure is still open",
            "prepared": "a prepared transaction from before the erasure waits",
            "slots": "a replica, or a slot, keeps rows from before the erasure",
        }
        return [Remnant(_NAME, name, words[name], rewrite=True) for name in words if counts[name]]


async def _rewritten(connection: Connection) -> list[Remnant]:
    """Tables that could not be written anew."""
    left: list[Remnant] = []
    await connection.execute("SET lock_timeout = '2s'")
    told: list[str] = []
    listener = _listener(told)
    connection.add_log_listener(listener)
    try:
        for table in _TABLES:
            left += await _rewritten_one(connection, table, told)
    finally:
        connection.remove_log_listener(listener)
    return left


async def _rewritten_one(connection: Connection, table: str, told: list[str]) -> list[Remnant]:
    told.clear()
    try:
        await connection.execute(f"VACUUM (FULL) {table}")
    except asyncpg.LockNotAvailableError:
        return [Remnant(_NAME, f"table {table}", "somebody holds it in a transaction", rewrite=True)]
    # Whoever may not is told so by a warning alone, and the table is skipped.
    return [Remnant(_NAME, f"table {table}", "this role is not its owner", rewrite=True)] if told else []


def _listener(told: list[str]) -> Any:  # noqa: ANN401 - asyncpg has no types
    def hear(_: object, message: Any) -> None:  # noqa: ANN401 - asyncpg has no types
        if (message.severity_en or message.severity) in {"WARNING", "ERROR"}:
            told.append(message.severity)

    return hear


async def _archiving(connection: Connection) -> bool:
    return bool(await connection.fetchval("SELECT current_setting('archive_mode') <> 'off'"))


def archives(url: str) -> bool:
    """
    Whether the server archives what it writes ahead.

    Raises:
        LedgerUnavailableError: it does not answer.
    """
    pool = Pool(url)
    try:
        return pool.run(_archiving)
    finally:
        pool.close()
