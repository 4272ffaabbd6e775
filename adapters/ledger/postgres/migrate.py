"""
The schema, by plain SQL files with a version table.

Rules held here: each file is applied once, in order, in a transaction of its own; a file that was applied and has
changed since stops everything; partitions are made ahead of time, by the owner.
"""

import hashlib

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from adapters.shared.postgres import Connection, Pool
from ledger.errors import LedgerUnavailableError

_FOLDER: Final = Path(__file__).parent / "migrations"
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS ctxgate_migrations (
    version integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied timestamptz NOT NULL DEFAULT now()
)
"""
ENTRIES_EACH: Final = 1 << 26
"""Entries in one partition of the log."""

_LOCK: Final = 0x6374_7867
"""Advisory lock, so that two migrations wait for each other."""


def migrations() -> list[tuple[int, str, str]]:
    """Version, name and text of every migration, in order."""
    return [(int(path.name[:4]), path.stem, path.read_text()) for path in sorted(_FOLDER.glob("*.sql"))]


def migrate(pool: Pool, *, months: int, now: datetime) -> list[str]:
    """
    Bring the schema up to date, and make partitions for the months ahead.

    Returns:
        Names of the migrations and partitions that were made.

    Raises:
        LedgerUnavailableError: the database refused, or was migrated by other files.
    """

    async def act(connection: Connection) -> list[str]:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        await connection.execute(_TABLE)
        applied = {row["version"]: row["sha256"] for row in await connection.fetch("SELECT * FROM ctxgate_migrations")}
        done = []
        for version, name, text in migrations():
            digest = hashlib.sha256(text.encode()).hexdigest()
            if applied.get(version, digest) != digest:
                raise LedgerUnavailableError(f"migration {name} was applied with another text")
            if version not in applied:
                await connection.execute(text)
                insert = "INSERT INTO ctxgate_migrations (version, name, sha256) VALUES ($1, $2, $3)"
                await connection.execute(insert, version, name, digest)
                done.append(name)
        return done + await _partitions(connection, months, now)

    return pool.transaction(act)


async def require_current(connection: Connection) -> None:
    """
    Refuse a database of another schema.

    Raises:
        LedgerUnavailableError: it was not migrated, or by another version of this program.
    """
    newest = migrations()[-1][0]
    known = await connection.fetchval("SELECT to_regclass('ctxgate_migrations')")
    found = known and await connection.fetchval("SELECT max(version) FROM ctxgate_migrations")
    if found != newest:
        raise LedgerUnavailableError(
            f"the ledger's schema is version {found}, not {newest}: run `ctxgate ledger migrate`"
        )


async def _partitions(connection: Connection, months: int, now: datetime) -> list[str]:
    there = {row[0] for row in await connection.fetch("SELECT relname::text FROM pg_class WHERE relkind = 'r'")}
    size = await connection.fetchval("SELECT size FROM head")
    wanted = [
        (f"records_{month:%Y%m}", "records", f"'{_uuid(month)}'", f"'{_uuid(_next(month))}'")
        for month in _months(now, months)
    ]
    # One ahead of the log: what no partition takes goes to the default one, and for what is there none can be made any more.
    wanted += [
        (f"entries_{n}", "entries", str(n * ENTRIES_EACH), str((n + 1) * ENTRIES_EACH))
        for n in range(size // ENTRIES_EACH, size // ENTRIES_EACH + 2)
    ]
    made = [one for one in wanted if one[0] not in there]
    for name, table, start, end in made:
        await connection.execute(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES FROM ({start}) TO ({end})")
    return [name for name, *_ in made]


def _months(now: datetime, count: int) -> list[datetime]:
    month, found = datetime(now.year, now.month, 1, tzinfo=UTC), []
    for _ in range(count + 1):
        found.append(month)
        month = _next(month)
    return found


def _next(month: datetime) -> datetime:
    return month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)


def _uuid(moment: datetime) -> str:
    """The least UUIDv7 of a moment (RFC 9562 section 5.7: 48 bits of milliseconds first)."""
    digits = f"{int(moment.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}-0000-0000-000000000000"
