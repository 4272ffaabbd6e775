"""Connections to SQLite that keep what they acknowledge, and what is written on them with a rule of its own."""

import itertools
import sqlite3

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from ledger.checkpoints.kept import cosigned_at, is_kept
from ledger.errors import DecisionTakenError, LedgerUnavailableError, SubjectErasedError, UnsafeDurabilityError
from ledger.sql import KEPT_LAST, keep, renew
from ledger.sqlite.schema import SCHEMA
from ledger.store import Entry, Erasure, Head, Published, named_origin

_AT_ONCE: Final = 128
"""Rows in one statement; SQLite takes 32,766 values."""

_T = TypeVar("_T")


def connect(path: Path) -> sqlite3.Connection:
    """A connection that threads may share, one at a time."""
    return sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, for questions that read much."""
    connection = connect(path)
    for setting in ("query_only=ON", "mmap_size=1073741824", "cache_size=-65536"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def require_durability(connection: sqlite3.Connection) -> None:
    """
    Have every commit reach the disk.

    Raises:
        UnsafeDurabilityError: SQLite does not take the settings for that.
    """
    journal = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    connection.execute("PRAGMA synchronous=FULL")
    synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
    connection.execute("PRAGMA secure_delete=ON")
    if journal != "wal" or synchronous < 2:
        msg = f"SQLite gave journal_mode={journal}, synchronous={synchronous}; WAL and FULL are required"
        raise UnsafeDurabilityError(msg)


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Give a file from before what it lacks: a salt for each person, and room for the signature of each run."""
    if _lacks(connection, "subjects", "salt"):
        connection.execute("ALTER TABLE subjects ADD COLUMN salt BLOB")
        connection.execute("UPDATE subjects SET salt = randomblob(32)")
    if _lacks(connection, "runs", "signature"):
        connection.execute("DROP TRIGGER IF EXISTS runs_no_UPDATE")
        connection.execute("ALTER TABLE runs ADD COLUMN signature BLOB")


def _lacks(connection: sqlite3.Connection, table: str, column: str) -> bool:
    columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    return bool(columns) and column not in columns


def lay_out(connection: sqlite3.Connection, schema: str) -> None:
    """Make the tables of a script; of a new file all at once, since each on its own would wait for the disk."""
    new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.executescript(f"BEGIN IMMEDIATE;\n{schema}\n;\nCOMMIT;" if new else schema)


def prepare(connection: sqlite3.Connection) -> None:
    """
    Make the tables, or bring those of an older file up to date.

    Raises:
        UnsafeDurabilityError: the file system does not give the durability that is promised.
    """
    require_durability(connection)
    connection.execute("PRAGMA foreign_keys=ON")
    bring_up_to_date(connection)
    lay_out(connection, SCHEMA)
    first = "INSERT INTO head VALUES (1, ?, ?, ?) ON CONFLICT DO NOTHING"
    connection.execute(first, (0, Head().root, b""))


def claim_log(connection: sqlite3.Connection, origin: str) -> str:
    """The name of the log of a file: *origin* where there is no record yet and nobody said another."""
    first = connection.execute("SELECT body FROM records LIMIT 1").fetchone()
    known = named_origin(first[0]) if first else origin
    connection.execute("INSERT INTO log VALUES (1, ?) ON CONFLICT DO NOTHING", (known,))
    return str(connection.execute("SELECT origin FROM log").fetchone()[0])


class translated:  # noqa: N801 - reads as a word in `with`
    """Turn what SQLite raises into what the port promises."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            msg = "the ledger's store did not answer"
            raise LedgerUnavailableError(msg) from error


def put_rows(connection: sqlite3.Connection, into: str, rows: Sequence[Sequence[object]], then: str = "") -> None:
    """
    Insert rows, many with one statement.

    A statement for each would give up the interpreter for each, and others write only once all are in: with a thread at work
    that wants it too, 500 rows held the file for a quarter of a second.

    Args:
        connection: in a transaction.
        into: the statement up to its values.
        rows: all of one length.
        then: what follows the values.
    """
    for some in batches(rows, _AT_ONCE):
        values = ", ".join([f"({placeholders(len(some[0]))})"] * len(some))
        connection.execute(f"{into} VALUES {values} {then}", list(itertools.chain.from_iterable(some)))


def put_records(connection: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """
    Insert records.

    Raises:
        DecisionTakenError: one of the decision ids is there already.
    """
    try:
        put_rows(connection, "INSERT INTO records (lane, epoch, seq, decision_id, body)", rows)
    except sqlite3.IntegrityError as error:
        if "decision_id" in str(error):
            raise DecisionTakenError("a decision is in the ledger already") from error
        raise


def put_checkpoint(connection: sqlite3.Connection, published: Published) -> bool:
    """Keep a checkpoint for good if the rule says so, and as the newest unless there is one of a larger tree; whether it is kept."""
    before = [Published(*row) for row in connection.execute(KEPT_LAST)]
    row = (published.size, published.at, published.note)
    for_good = is_kept(published.size, published.note, before)
    if for_good:
        connection.execute(keep(placeholder), row)
    renewed = connection.execute(renew(placeholder), (len(cosigned_at(published.note)), *row))
    return for_good or renewed.rowcount > 0


def put_erasables(connection: sqlite3.Connection, erasables: Sequence[tuple[object, ...]]) -> None:
    """
    Insert sealed sides.

    Raises:
        SubjectErasedError: one is for a token that is no more.
    """
    try:
        put_rows(connection, "INSERT INTO asides", erasables)
    except sqlite3.IntegrityError as error:
        raise SubjectErasedError("a person was erased meanwhile") from error


def forget(connection: sqlite3.Connection, erasure: Erasure) -> None:
    """Delete a person, and all that is sealed under their key."""
    who = (erasure.tenant, erasure.subject)
    theirs = "token = (SELECT token FROM subjects WHERE tenant = ? AND subject = ?)"
    connection.execute(f"DELETE FROM asides WHERE {theirs}", who)  # noqa: S608 - constant names
    connection.execute("DELETE FROM subjects WHERE tenant = ? AND subject = ?", who)


def placeholder(_: int) -> str:
    """The placeholder of a value, which here does not say the how-manieth it is."""
    return "?"


def placeholders(count: int) -> str:
    """So many of them, for a list in parentheses."""
    return ", ".join("?" * count)


def batches(values: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """The values, no more at once than one statement takes."""
    return (values[start : start + size] for start in range(0, len(values), size))


def position_of(entry: Entry) -> tuple[str, int, int]:
    """Lane, epoch and seq of an entry."""
    return entry.record.lane.id, entry.record.lane.epoch, entry.record.lane.seq


def lane_of(fields: dict[str, Any]) -> tuple[str, int, int]:
    """The same of the members of a record."""
    lane = fields["lane"]
    return lane["id"], lane["epoch"], lane["seq"]
