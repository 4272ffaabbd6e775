"""
Small tables beside the ledger, in SQLite or PostgreSQL, by the same statements.

Statements mark values with `?`; what is written has reached the disk when the call returns.
"""

import itertools
import re
import sqlite3

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from adapters.shared.postgres import Connection, Pool
from gateway.errors import StoreError
from ledger.errors import LedgerError
from ledger.sqlite.connection import lay_out
from ledger.sqlite.purge import purge, rewrite_all
from ledger.store import Remnant


class Rows(Protocol):
    """Some tables.  Safe to share between threads."""

    def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """
        Rows that a statement finds.

        Raises:
            StoreError: the database did not answer.
        """

    def write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> int:
        """
        Carry out a statement for every row, in one durable transaction; how many rows of the table changed.

        Raises:
            StoreError: it is not known to be durable.
        """

    def purge(self, *, rewrite: bool) -> Sequence[Remnant]:
        """
        Drive what was deleted out of the files, as far as this role can; what may still hold it.

        Args:
            rewrite: whether to write what is left anew; else only what stood in the way of that is looked at again.

        Raises:
            StoreError: the database did not answer.
        """

    def close(self) -> None:
        """Release the database."""


class SqliteRows:
    """`Rows` in one file."""

    def __init__(self, path: Path, schema: str) -> None:
        """
        Open or create the file.

        Raises:
            StoreError: it cannot be opened.
        """
        self._lock = Lock()
        self._name = path.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            for setting in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                self._connection.execute(f"PRAGMA {setting}")
            lay_out(self._connection, schema)
        except (sqlite3.Error, OSError) as error:
            raise StoreError("the store beside the ledger cannot be opened") from error

    def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError("the store beside the ledger did not answer") from error

    def write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> int:
        try:
            with self._lock:
                return self._written(statement, rows)
        except sqlite3.Error as error:
            raise StoreError("the store beside the ledger did not answer") from error

    def _written(self, statement: str, rows: Sequence[tuple[object, ...]]) -> int:
        before = self._connection.total_changes
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        changed = self._connection.total_changes - before
        if statement.startswith("DELETE") and changed:
            # As soon as may be; whoever must know that it is gone asks `purge`.
            purge(self._connection, self._name, None)
        return changed

    def purge(self, *, rewrite: bool) -> list[Remnant]:
        try:
            with self._lock:
                return purge(self._connection, self._name, rewrite_all if rewrite else None)
        except sqlite3.Error as error:
            raise StoreError("the store beside the ledger did not answer") from error

    def close(self) -> None:
        with self._lock:
            self._connection.close()


class PostgresRows:
    """`Rows` in the database of the ledger."""

    def __init__(self, url: str) -> None:
        """
        Connect.

        Raises:
            LedgerError: the server does not answer, or would lose what it acknowledges.
        """
        self._pool = Pool(url)

    def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            found = self._pool.run(lambda connection: connection.fetch(_numbered(statement), *values))
        except LedgerError as error:
            raise StoreError("the store beside the ledger did not answer") from error
        return [tuple(row) for row in found]

    def write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> int:
        numbered = _numbered(statement)

        async def act(connection: Connection) -> int:
            prepared = await connection.prepare(numbered)
            count = 0
            for row in rows:
                await prepared.fetch(*row)
                count += int(prepared.get_statusmsg().rsplit(" ", 1)[-1])
            return count

        try:
            return self._pool.transaction(act)
        except LedgerError as error:
            raise StoreError("the store beside the ledger did not answer") from error

    def purge(self, *, rewrite: bool) -> list[Remnant]:
        """Nothing: the owner of the database drives out what is in it (`adapters.ledger.postgres.purge`)."""
        return []

    def close(self) -> None:
        self._pool.close()


def _numbered(statement: str) -> str:
    numbers = itertools.count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", statement)
