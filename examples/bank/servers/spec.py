"""What a tool of the bank is: its words, what it answers, and the queries that it answers from."""

import sqlite3

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from bank.words import JURISDICTIONS
from ctxgate_source import ScopedQueries, scoped

Json = dict[str, Any]
TEXT: Final[Json] = {"type": "string"}
NUMBER: Final[Json] = {"type": "integer"}
FLAG: Final[Json] = {"type": "boolean"}
TEXTS: Final[Json] = {"type": "array", "items": TEXT}
DAY: Final[Json] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
NO_DAY: Final[Json] = {"anyOf": [DAY, {"type": "null"}]}

KNOWN: Final = (*JURISDICTIONS, "GLOBAL")
"""What may stand in a call's jurisdictions."""


def exactly(**members: Json) -> Json:
    """The schema of an object with these members and no other."""
    return {"type": "object", "properties": members, "required": sorted(members), "additionalProperties": False}


def listed(**members: Json) -> Json:
    """The schema of a list of such objects."""
    return {"type": "array", "items": exactly(**members)}


def answer(**members: Json) -> Json:
    """The schema of a tool's answer: such an object, or an empty one where there is nothing about what was asked."""
    whole = exactly(**members)
    required = whole.pop("required")
    return {**whole, "anyOf": [{"required": required}, {"maxProperties": 0}]}


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool of a server."""

    name: str
    description: str
    domain: str
    parameter: str
    """That says which entity is asked about."""

    type: Literal["integer", "string"]
    source_id: str
    section: Literal["entity", "tool_result"]
    output: Json
    answers: Callable[[ScopedQueries], Json]
    """Runs within the scope of a call; an empty object where there is nothing in it."""

    @property
    def input(self) -> Json:
        """The schema of its arguments: the entity, and the jurisdictions that the asker may see."""
        places = {"type": "array", "items": {"enum": list(KNOWN)}, "minItems": 1}
        asked: Json = {self.parameter: {"type": self.type}, "jurisdictions": places}
        return exactly(**asked)

    def call(self, database: Path, arguments: Mapping[str, Any]) -> Json:
        """
        What the database says.

        Raises:
            ScopeError: the arguments do not say about which entity and for which jurisdictions.
        """

        @scoped(entity="entity", known=KNOWN)
        def within(entity: object, jurisdictions: object) -> Json:  # noqa: ARG001 - the scope of the queries
            with closing(reading(database)) as connection:
                return self.answers(ScopedQueries(lambda sql, bound: rows_of(connection, sql, bound)))

        entity = arguments.get(self.parameter)
        return within(
            entity if isinstance(entity, int if self.type == "integer" else str) else None,
            arguments.get("jurisdictions"),
        )


def reading(database: Path) -> sqlite3.Connection:
    """A connection that can only read."""
    connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def rows_of(connection: sqlite3.Connection, sql: str, bound: Mapping[str, Any]) -> list[Json]:
    """The rows of a statement by the names of their columns."""
    return [dict(row) for row in connection.execute(sql, dict(bound))]


def flagged(rows: list[Json], *names: str) -> list[Json]:
    """The rows with 0 and 1 as false and true in these columns."""
    return [{**row, **{name: bool(row[name]) for name in names}} for row in rows]
