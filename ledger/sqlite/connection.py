"""Connections to SQLite that keep what they acknowledge, and what is written on them with a rule of its own."""

import sqlite3

from collections.abc import Iterator, Sequence
from pathlib import Path

from ledger.errors import DecisionTakenError, LedgerUnavailableError, SubjectErasedError, UnsafeDurabilityError
from ledger.store import Erasure


def connect(path: Path) -> sqlite3.Connection:
    """A connection that threads may share, one at a time."""
    return sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)


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
    """Give a file from before what it lacks: a salt for each person."""
    columns = {row[1] for row in connection.execute("PRAGMA table_info(subjects)")}
    if "salt" not in columns:
        connection.execute("ALTER TABLE subjects ADD COLUMN salt BLOB")
        connection.execute("UPDATE subjects SET salt = randomblob(32)")


class translated:  # noqa: N801 - reads as a word in `with`
    """Turn what SQLite raises into what the port promises."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            msg = "the ledger's store did not answer"
            raise LedgerUnavailableError(msg) from error


def put_records(connection: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """
    Insert records.

    Raises:
        DecisionTakenError: one of the decision ids is there already.
    """
    try:
        connection.executemany("INSERT INTO records (lane, epoch, seq, decision_id, body) VALUES (?, ?, ?, ?, ?)", rows)
    except sqlite3.IntegrityError as error:
        if "decision_id" in str(error):
            raise DecisionTakenError("a decision is in the ledger already") from error
        raise


def put_erasables(connection: sqlite3.Connection, erasables: Sequence[tuple[object, ...]]) -> None:
    """
    Insert sealed sides.

    Raises:
        SubjectErasedError: one is for a token that is no more.
    """
    try:
        connection.executemany("INSERT INTO asides VALUES (?, ?, ?)", erasables)
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


def batches(values: Sequence[object], size: int) -> Iterator[Sequence[object]]:
    """The values, no more at once than one statement takes."""
    return (values[start : start + size] for start in range(0, len(values), size))
