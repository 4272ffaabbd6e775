"""
What a report says, before it has a form: facts, tables, sentences and lines, in sections.

Rules held here: what is listed is bounded, and a table that is cut says how many rows there are; what others wrote reaches people
with unseen characters by their names, so that no name can hide or reorder what stands beside it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gateway.model.base import seen

FORMAT: Final = "ctxgate.report/1"
"""Of the JSON form."""

LISTED: Final = 500
"""Rows of a table, at most, where nothing else is said."""

TableCell = str | int | bool | tuple[str, ...] | None
"""What stands in a cell."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is said."""

    name: str
    """For machines."""

    label: str
    value: TableCell


@dataclass(frozen=True, slots=True)
class FactList:
    """Things that are said of one subject."""

    name: str
    rows: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds."""

    name: str
    """For machines."""

    title: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of the same things."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    total: int
    """Rows that there are, listed or not."""

    none: str = "There is none."
    """What is said in the place of a table without rows."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines to be copied as they stand, such as commands or a signed note."""

    name: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence or more."""

    text: str


Block = FactList | Table | Lines | Prose


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a report."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says."""

    kind: str
    """What it is about, in one word."""

    title: str
    at: str
    """The time that it speaks of, as records have times; never the time at which it was made, so that it can be made again."""

    summary: tuple[str, ...]
    """What somebody who reads nothing else should know."""

    sections: tuple[Chapter, ...] = field(default=())

    def blocks(self) -> Iterator[Block]:
        """Every part, in order."""
        for section in self.sections:
            yield from section.blocks


def facts(name: str, *rows: tuple[str, str, TableCell]) -> FactList:
    """Facts from name, label and value of each."""
    return FactList(name, tuple(Fact(*row) for row in rows))


def table(
    name: str,
    title: str,
    columns: Mapping[str, str],
    rows: Iterable[tuple[TableCell, ...]],
    *,
    none: str = "There is none.",
    listed: int = LISTED,
    total: int | None = None,
) -> Table:
    """
    A table that is cut where it is longer than people read.

    Args:
        name: for machines.
        title: for people.
        columns: their titles by their names.
        rows: as many cells each as there are columns.
        none: what is said where there are no rows.
        listed: rows at most.
        total: rows that there are, where *rows* has fewer of them.
    """
    shown, count = [], 0
    for row in rows:
        count += 1
        if count <= listed:
            shown.append(row)
    heads = tuple(Column(*one) for one in columns.items())
    return Table(name, title, heads, tuple(shown), max(count, total or 0), none)


def visible(text: str) -> str:
    r"""The text in one line, with unseen characters by their names, such as ``\n`` or ``\u202e``."""
    return "".join(one if seen(one) else one.encode("unicode_escape", "surrogatepass").decode() for one in text)


def shown(value: TableCell) -> str:
    """A value as people read it."""
    match value:
        case None | "" | ():
            return "—"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case tuple():
            return ", ".join(map(visible, value))
        case _:
            return visible(value)


def as_document(report: Report) -> dict[str, Any]:
    """The report as JSON: facts by their names, tables as lists of rows by the names of their columns."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "report": report.kind,
        "title": report.title,
        "at": report.at,
        "summary": list(report.summary),
    }
    return document | {block.name: _as_json(block) for block in report.blocks() if not isinstance(block, Prose)}


def _as_json(block: FactList | Table | Lines) -> object:
    match block:
        case FactList():
            return {fact.name: fact.value for fact in block.rows}
        case Lines():
            return list(block.lines)
        case Table():
            # By their names, so that a column that is added later moves nothing.
            names = [column.name for column in block.columns]
            return {"total": block.total, "rows": [dict(zip(names, row, strict=True)) for row in block.rows]}
