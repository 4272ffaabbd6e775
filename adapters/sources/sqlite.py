"""
Named queries of a SQLite file, opened to be read alone.

Rules held here: a statement may read tables and nothing else, whatever it says; it ends when its time is over; what a
query takes of memory is bounded before it is made.
"""

import asyncio
import sqlite3
import threading
import time

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Final
from urllib.parse import quote

from adapters.sources.queries import AnswerRows, bound, offered, query_of
from gateway.errors import SourceMalformedError, SourceTooLargeError, SourceUnavailableError
from gateway.model import SourceEntry
from gateway.model.base import Clock
from gateway.model.sources.connections import SqlConnection
from gateway.model.sources.queries import NamedQuery
from gateway.ports.sources import Call, Offered, Result

_THREADS: Final = 4
"""Queries of one source at once; a disk that hangs holds these threads and no others."""

_STEPS: Final = 1000
"""Instructions of SQLite between two looks at the time."""

_SILENT: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
}
"""Errors of a file that may answer later; all others come again."""

_ALLOWED: Final = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_FORBIDDEN_FUNCTIONS: Final = {
    "load_extension",
    "readfile",
    "writefile",
    "edit",
    "fts3_tokenizer",
    "randomblob",
    "zeroblob",
}


class SqliteToolbox:
    """A `gateway.ports.Toolbox` over a file."""

    def __init__(
        self,
        entry: SourceEntry,
        connection: SqlConnection,
        queries: Mapping[str, NamedQuery],
        *,
        clock: Clock,
        most_bytes: int,
    ) -> None:
        """
        Args:
            entry: the source, as it is registered.
            connection: names the file.
            queries: those of the source, by id.
            clock: says when an answer came.
            most_bytes: of an answer.
        """
        self._entry = entry
        self._location = f"file:{quote(str(connection.sqlite))}?mode=ro"
        self._queries = queries
        self._clock = clock
        self._most = most_bytes
        self._closed = False
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix=f"sqlite-{entry.id[:20]}")

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def call(self, call: Call) -> Result:
        if self._closed:
            raise SourceUnavailableError(f"source {self._entry.id} is closed")
        query = query_of(call, self._queries)
        values, stop = bound(query, call.arguments), threading.Event()
        loop = asyncio.get_running_loop()
        try:
            rows = await loop.run_in_executor(self._threads, self._asked, query, values, stop)
        finally:
            # Whoever waits no longer must not leave a statement that works on.
            stop.set()
        return Result(rows.content(), self._clock(), rows.size)

    def _asked(self, query: NamedQuery, values: Mapping[str, object], stop: threading.Event) -> AnswerRows:
        rows, until = AnswerRows(query, self._most), time.monotonic() + self._entry.timeout_seconds
        try:
            with closing(self._opened()) as database:
                database.set_progress_handler(lambda: stop.is_set() or time.monotonic() > until, _STEPS)
                cursor = database.execute(query.sql, values)
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    rows.add(zip(names, row, strict=True), sum(map(_size, row)))
        except sqlite3.DataError as error:
            raise SourceTooLargeError(f"the query {query.id} gives more than it may") from error
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _SILENT:
                raise SourceUnavailableError(f"source {self._entry.id} does not answer the query {query.id}") from error
            raise SourceMalformedError(f"source {self._entry.id} cannot answer the query {query.id}") from error
        return rows

    def _opened(self) -> sqlite3.Connection:
        database = sqlite3.connect(
            self._location, uri=True, timeout=self._entry.timeout_seconds, check_same_thread=False
        )
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self._most)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        database.execute("PRAGMA query_only = ON")
        database.execute("PRAGMA trusted_schema = OFF")
        database.set_authorizer(_authorized)
        return database

    async def offered(self) -> Sequence[Offered]:
        for query in self._queries.values():
            await asyncio.get_running_loop().run_in_executor(self._threads, self._prepared, query)
        return offered(self._queries)

    def _prepared(self, query: NamedQuery) -> None:
        """See that a query can be asked: that its tables and columns are there."""
        try:
            with closing(self._opened()) as database:
                database.execute(f"EXPLAIN {query.sql}", dict.fromkeys(query.parameters))
        except sqlite3.Error as error:
            raise SourceMalformedError(
                f"source {self._entry.id} cannot answer the query {query.id}: {error}"
            ) from error

    async def aclose(self) -> None:
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)


def _authorized(
    action: int, _first: str | None, second: str | None, _database: str | None, _trigger: str | None
) -> int:
    """Reading alone, and no function that reaches files, loads code or makes much out of nothing."""
    named = (second or "").lower() if action == sqlite3.SQLITE_FUNCTION else ""
    return sqlite3.SQLITE_OK if action in _ALLOWED and named not in _FORBIDDEN_FUNCTIONS else sqlite3.SQLITE_DENY


def _size(value: object) -> int:
    return (
        len(value.encode("utf-8", "surrogatepass"))
        if isinstance(value, str)
        else len(value)
        if isinstance(value, bytes)
        else 8
    )
