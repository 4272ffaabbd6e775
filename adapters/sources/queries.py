"""What the databases have in common: what is bound, what an answer is, and what a query offers."""

import json

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import JsonValue

from gateway.content.parsing import parse_json
from gateway.errors import (
    BodyError,
    RequestTooLargeError,
    SourceChangedError,
    SourceMalformedError,
    SourceTooLargeError,
    ToolNotAskableError,
)
from gateway.model.sources.queries import NamedQuery
from gateway.ports.sources import Call, Offered

DEEPEST: Final = 64
"""Levels of what a column may say in JSON; how many an item may have is checked after this."""

_KINDS: Final[Mapping[str, type]] = {"text": str, "integer": int, "list": list}
_SCHEMAS: Final[Mapping[str, JsonValue]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "list": {"type": "array", "items": {"type": "string"}},
}


def query_of(call: Call, queries: Mapping[str, NamedQuery]) -> NamedQuery:
    """
    The query that a tool stands for.

    Raises:
        SourceChangedError: there is none of that name for this source.
    """
    query = queries.get(call.tool.operation)
    if query is None:
        raise SourceChangedError(f"there is no query for {call.tool.id}")
    return query


def bound(query: NamedQuery, arguments: Mapping[str, JsonValue]) -> dict[str, Any]:
    """
    What is bound, by parameter: lists as one JSON text, and null for what the request does not say.

    Raises:
        ToolNotAskableError: an argument is of another kind than its parameter, or is none.
    """
    wrong = [
        name
        for name, value in arguments.items()
        if name not in query.parameters
        or not isinstance(value, _KINDS[query.parameters[name]])
        or isinstance(value, bool)
        or (isinstance(value, str) and "\x00" in value)
    ]
    if wrong:
        raise ToolNotAskableError(f"the query {query.id} cannot be asked with what the request says")
    found = {name: arguments.get(name) for name in query.parameters}
    return {name: json.dumps(value) if isinstance(value, list) else value for name, value in found.items()}


class AnswerRows:
    """AnswerRows of one answer, counted while they come."""

    def __init__(self, query: NamedQuery, most_bytes: int) -> None:
        """
        Args:
            query: which was asked.
            most_bytes: that they may take.
        """
        self._query = query
        self._most = most_bytes
        self._rows: list[dict[str, JsonValue]] = []
        self.size = 0

    def add(self, row: Iterable[tuple[str, Any]], size: int) -> None:
        """
        One more row, and how many bytes it took.

        Raises:
            SourceTooLargeError: it is more than may be taken.

            SourceMalformedError: a column has no name of its own, or is no JSON value.
        """
        self.size += size
        if self.size > self._most or len(self._rows) >= self._query.most_rows:
            raise SourceTooLargeError(f"the query {self._query.id} gives more than it may")
        named = list(row)
        found = dict(self._read(name, value) for name, value in named)
        if len(found) != len(named):
            raise SourceMalformedError(f"the query {self._query.id} names two columns alike")
        self._rows.append(found)

    def _read(self, name: str, value: Any) -> tuple[str, JsonValue]:  # noqa: ANN401 - a database's
        if name in self._query.json_columns and isinstance(value, str):
            try:
                value = parse_json(value.encode(), depth=DEEPEST)
            except (BodyError, RequestTooLargeError, UnicodeEncodeError) as error:
                raise SourceMalformedError(f"a column of the query {self._query.id} is not JSON") from error
        if not isinstance(value, str | int | float | list | dict | None):
            raise SourceMalformedError(f"a column of the query {self._query.id} has no form in JSON")
        return name, value

    def content(self) -> dict[str, JsonValue]:
        """The result: the row, or all of them; nothing where there is none."""
        if self._query.answers == "rows":
            return {"rows": list(self._rows)}
        return self._rows[0] if self._rows else {}


def offered(queries: Mapping[str, NamedQuery]) -> Sequence[Offered]:
    """The queries of a source as operations."""
    return list(_offered(queries))


def _offered(queries: Mapping[str, NamedQuery]) -> Iterator[Offered]:
    for query in queries.values():
        properties: dict[str, JsonValue] = {name: _SCHEMAS[kind] for name, kind in query.parameters.items()}
        yield Offered(query.id, query.sql, {"type": "object", "properties": properties}, None)
