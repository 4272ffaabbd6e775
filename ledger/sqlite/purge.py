"""
What was deleted, driven out of the files of SQLite.

Rules held here: `secure_delete` overwrites a row where it stands, but a page that was split keeps copies of rows that moved away
from it, so what must be gone is written anew, page by page; the row that `wal_checkpoint(TRUNCATE)` answers is read, since it
says "busy" there and raises nothing; nobody else's transaction is waited for here, since writers would wait with it.
"""

import sqlite3

from collections.abc import Callable
from contextlib import closing
from typing import Final

from ledger.store import Remnant

_SHORT: Final = 50
"""Milliseconds that a step waits for others, while every writer waits for it."""

_USUAL: Final = 10_000
"""Milliseconds that any other statement waits (`ledger.sqlite.connection.connect`)."""

LOG: Final = "write-ahead log"
PAGES: Final = "free pages"

Rewrite = Callable[[sqlite3.Connection], None]


def purge(connection: sqlite3.Connection, name: str, rewrite: Rewrite | None) -> list[Remnant]:
    """
    Write anew what holds rows of persons, and empty the write-ahead log.

    Args:
        connection: in no transaction; no other thread may use it meanwhile.
        name: of the file, for what is reported.
        rewrite: does the former; None where it is done already, and the log alone is left.

    Returns:
        What may still hold what was deleted; nothing, where it is gone from the file and from its log.

    Raises:
        sqlite3.Error: the database does not answer.
    """
    connection.execute(f"PRAGMA busy_timeout={_SHORT}")
    try:
        if rewrite is not None:
            rewrite(connection)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise
        return [Remnant(name, PAGES, "somebody writes to the database", rewrite=True), *_log_of(connection, name)]
    else:
        return _log_of(connection, name)
    finally:
        connection.execute(f"PRAGMA busy_timeout={_USUAL}")


def _log_of(connection: sqlite3.Connection, name: str) -> list[Remnant]:
    with closing(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")) as answered:
        busy, _, _ = answered.fetchone()
    return [Remnant(name, LOG, "somebody reads the database in a transaction that is still open")] if busy else []


def rewrite_persons(connection: sqlite3.Connection) -> None:
    """
    Write the table of persons anew, with its index, in one transaction: as long as there are persons, not records.

    What is sealed need not be: without its key it is noise.
    """
    # Without foreign keys the table is emptied as a whole, and every page of it overwritten, instead of row by row.
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.execute("PRAGMA temp_store=MEMORY")
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TEMP TABLE kept AS SELECT * FROM subjects")
        connection.execute("DELETE FROM subjects")
        connection.execute("INSERT INTO subjects SELECT * FROM kept")
        connection.execute("DROP TABLE kept")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("PRAGMA foreign_keys=ON")


def rewrite_all(connection: sqlite3.Connection) -> None:
    """Write the whole file anew: for what is small, and kept for hours or days alone."""
    connection.execute("VACUUM")
