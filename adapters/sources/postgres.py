"""
Named queries of a PostgreSQL database, asked in a role that may only read.

Rules held here: every statement runs in a transaction that is read-only and has a time-out of the server's own; a role that
could write is not used; the server itself cuts what a row may take, so that no row is larger here than an answer may be.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import asyncpg

from adapters.sources.queries import AnswerRows, bound, offered, query_of
from gateway.content.parsing import parse_json
from gateway.errors import (
    BodyError,
    SourceError,
    SourceMalformedError,
    SourceOffError,
    SourceTooLargeError,
    SourceUnavailableError,
)
from gateway.model import SourceEntry
from gateway.model.base import Clock
from gateway.model.sources.connections import SqlConnection
from gateway.model.sources.queries import NamedQuery
from gateway.ports.sources import Call, Offered, Result

_CONNECTIONS: Final = 4
_AT_ONCE: Final = 20
"""AnswerRows that are asked for together."""

_MAY_WRITE: Final = """
SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) OR EXISTS (
    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
    AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))
"""

_CASTS: Final[Mapping[str, str]] = {"text": "text", "integer": "bigint", "list": "text"}


class PostgresToolbox:
    """A `gateway.ports.Toolbox` over a server."""

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
            connection: says where the server is, and in which file the password.
            queries: those of the source, by id.
            clock: says when an answer came.
            most_bytes: of an answer.
        """
        self._entry = entry
        self._url = str(connection.postgres)
        self._password_file: Path | None = connection.password_file
        self._queries = queries
        self._clock = clock
        self._most = most_bytes
        self._pool: Any = None
        self._closed = False

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def call(self, call: Call) -> Result:
        query = query_of(call, self._queries)
        values, rows = bound(query, call.arguments), AnswerRows(query, self._most)
        try:
            async with (await self._opened()).acquire() as connection, connection.transaction(readonly=True):
                async for [text] in connection.cursor(self._statement(query), *values.values(), prefetch=_AT_ONCE):
                    rows.add(self._row(text, query), len(text))
        except SourceError:
            raise
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise SourceUnavailableError(f"source {self._entry.id} does not answer the query {query.id}") from error
        return Result(rows.content(), self._clock(), rows.size)

    def _statement(self, query: NamedQuery) -> str:
        """The query as a server is asked it: each row as one JSON text, or nothing of a row that is too large."""
        places = {name: f"${at}::{_CASTS[kind]}" for at, (name, kind) in enumerate(query.parameters.items(), 1)}
        asked = query.with_places(places.__getitem__)
        return (
            f"SELECT CASE WHEN octet_length(said) <= {self._most} THEN said END FROM ("  # noqa: S608 - a query of the bundle
            f"SELECT row_to_json(found)::text AS said FROM (\n{asked}\n) AS found LIMIT {query.most_rows + 1}) AS each"
        )

    def _row(self, text: str | None, query: NamedQuery) -> Sequence[tuple[str, Any]]:
        if text is None:
            raise SourceTooLargeError(f"the query {query.id} gives more than it may")
        try:
            row = parse_json(text.encode(), depth=64)
        except BodyError as error:
            raise SourceMalformedError(f"a row of the query {query.id} has no form in JSON") from error
        return list(row.items()) if isinstance(row, dict) else []

    async def _opened(self) -> Any:  # noqa: ANN401 - a pool of asyncpg, which has no type stubs
        if self._closed:
            raise SourceUnavailableError(f"source {self._entry.id} is closed")
        if self._pool is None:
            seconds = self._entry.timeout_seconds
            limits = {"default_transaction_read_only": "on", "statement_timeout": str(int(seconds * 1000) or 1)}
            password = None if self._password_file is None else self._password_file.read_text().strip()
            self._pool = await asyncpg.create_pool(
                self._url,
                password=password,
                min_size=0,
                max_size=_CONNECTIONS,
                timeout=seconds,
                server_settings=limits,
                init=self._require_reader,
            )
        return self._pool

    async def _require_reader(self, connection: Any) -> None:  # noqa: ANN401 - of asyncpg, which has no type stubs
        if await connection.fetchval(_MAY_WRITE):
            raise SourceOffError(
                f"the role that source {self._entry.id} is asked in may write; use one that may only read"
            )

    async def offered(self) -> Sequence[Offered]:
        try:
            async with (await self._opened()).acquire() as connection:
                for query in self._queries.values():
                    await connection.prepare(self._statement(query))
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise SourceMalformedError(f"source {self._entry.id} cannot answer its queries: {error}") from error
        return offered(self._queries)

    async def aclose(self) -> None:
        self._closed = True
        if self._pool is not None:
            self._pool.terminate()
