"""Named queries: SQL that an officer can read, with parameters that are bound and never written into it."""

import re

from collections.abc import Callable
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from gateway.model.base import Model, Name

_PART: Final = re.compile(
    r"""(?P<text>'[^']*+'?|"[^"]*+"?|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?)|(?P<cast>::)|:(?P<name>[a-z][a-z0-9_]*+)|(?P<wrong>[;$?:\x00])"""
)
"""What is no plain SQL: texts, quoted names and comments, to the end where nothing closes them; casts; parameters; what may not stand
there."""

_CLOSED: Final = {"'": "'", '"': '"', "/": "*/"}
"""By the first character of what must be closed, with what."""


class NamedQuery(Model):
    """One question that a database may be asked."""

    id: Name
    source: Name
    """Id of the source whose database it is for."""

    sql: Annotated[str, Field(min_length=1, max_length=8000)]
    """One statement that reads, without a semicolon; `:name` stands where a parameter is bound."""

    parameters: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")], Literal["text", "integer", "list"]] = (
        Field(default_factory=dict)
    )
    """By name, what is bound: a text, a whole number, or a list of texts as one JSON text."""

    json_columns: tuple[Name, ...] = ()
    """Columns whose text is JSON, such as a list of jurisdictions, and becomes what it says."""

    answers: Literal["row", "rows"] = "row"
    """Whether the result is the one row, or an object whose member `rows` lists them."""

    most_rows: Annotated[int, Field(strict=True, ge=1, le=10_000)] = 1
    """More rows than these are no answer, so that nobody takes a part for the whole."""

    owner: Name

    @model_validator(mode="after")
    def _reads_with_what_it_binds(self) -> "NamedQuery":
        parts = list(_PART.finditer(self.sql))
        if self.sql.lower().split(maxsplit=1)[:1] not in (["select"], ["with"]):
            msg = "a query begins with SELECT or WITH"
            raise ValueError(msg)
        if any(part["wrong"] or not _is_closed(part["text"] or "") for part in parts):
            msg = "a query is one statement, without a semicolon, a dollar, a question mark or a text that does not end"
            raise ValueError(msg)
        if {part["name"] for part in parts if part["name"]} != self.parameters.keys():
            msg = "the parameters are not those that the query binds"
            raise ValueError(msg)
        if self.answers == "row" and self.most_rows != 1:
            msg = "a query that answers with a row has one at most"
            raise ValueError(msg)
        return self

    def with_places(self, place: Callable[[str], str]) -> str:
        """The statement with what *place* says in the place of each parameter, by its name."""
        return _PART.sub(lambda part: place(part["name"]) if part["name"] else part[0], self.sql)


def _is_closed(text: str) -> bool:
    end = _CLOSED.get(text[:1], "")
    # What opens it is as long as what closes it: `/*/` is open still.
    return text.endswith(end) and len(text) >= 2 * len(end)
