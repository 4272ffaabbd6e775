"""
What verification has to remember of every record, on disk: so that a ledger of any size verifies in the same memory.

A private temporary database, which goes with the process and which nobody else opens.  Rows are appended as records come; what
is asked of all of them is asked once at the end, by sorting them there.
"""

import sqlite3

from collections.abc import Iterator, Sequence
from typing import Any, Final, Self

from ledger.errors import LedgerUnavailableError

_MEMORY_KIB: Final = 16_384
"""What the database holds in memory before it goes to its file."""

_BATCH: Final = 1000


class Scratch:
    """Appends rows to tables, and answers questions about all of them."""

    def __init__(self) -> None:
        """
        Raises:
            LedgerUnavailableError: there is no place for temporary files.
        """
        self._waiting: dict[str, list[tuple[Any, ...]]] = {}
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for setting in (f"cache_size=-{_MEMORY_KIB}", "journal_mode=OFF", "synchronous=OFF", "temp_store=FILE"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def table(self, name: str, columns: str) -> None:
        """Make a table; its rows keep the order in which they come as `rowid`."""
        self._run(f"CREATE TABLE {name} ({columns})")

    def add(self, table: str, *row: object) -> None:
        """
        One more row.

        Raises:
            LedgerUnavailableError: it cannot be kept.
        """
        rows = self._waiting.setdefault(table, [])
        rows.append(row)
        if len(rows) == _BATCH:
            self._flush(table)

    def index(self, table: str, columns: str) -> None:
        """
        Sort a table, whose rows are all there, by some columns.

        Raises:
            LedgerUnavailableError: there is no room.
        """
        self._flush(table)
        self._run(f"CREATE INDEX {table}_index ON {table} ({columns})")

    def rows(self, select: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """
        What a question gives, row by row.

        Raises:
            LedgerUnavailableError: it cannot be answered.
        """
        return self._answers(self._run(select, *values))

    def first(self, select: str, *values: object) -> tuple[Any, ...] | None:
        """The first row that a question gives; None if there is none."""
        return next(self.rows(select, *values), None)

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def _answers(self, cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        try:
            yield from cursor
        except sqlite3.Error as error:
            raise LedgerUnavailableError("the temporary file of the verification cannot be read") from error

    def _flush(self, table: str) -> None:
        rows = self._waiting.pop(table, [])
        if rows:
            marks = ", ".join("?" for _ in rows[0])
            self._put(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - constant names

    def _put(self, insert: str, rows: Sequence[tuple[Any, ...]]) -> None:
        try:
            self._connection.executemany(insert, rows)
        except sqlite3.Error as error:
            raise LedgerUnavailableError("there is no room for the temporary file of the verification") from error

    def _run(self, statement: str, *values: object) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise LedgerUnavailableError("there is no room for the temporary file of the verification") from error
