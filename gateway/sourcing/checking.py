"""What servers offer, held against what officers accepted: for engineers and officers, before a request finds out."""

import asyncio

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gateway.errors import SourceError, SourceOffError, SourceUnavailableError
from gateway.model import Registry, SourceEntry
from gateway.model.sources.tools import Tool
from gateway.ports.sources import STARTS_WITHIN, Offered, Toolbox

Comparison = Literal["accepted", "changed", "gone", "new", "unreachable"]
"""As its pin says; otherwise; not offered; in no table; its source gave nothing to compare."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One tool, or one operation that is no tool."""

    source: str
    operation: str
    finding: Comparison
    tool: str = ""
    """Its line in the table; empty for what is in none."""

    pin: str = ""
    """Of what the server offers now; empty where it offers none."""

    offered: Offered | None = field(default=None, compare=False)
    """All of what the server says of it, which its pin stands for: what an officer reads who is to accept it."""

    problem: str = ""
    """Code and sentence of what kept it from being compared."""


async def check_source(entry: SourceEntry, toolbox: Toolbox | None, registry: Registry) -> list[Checked]:
    """Every tool of a source and every operation that it offers, in the order of the table, then by name."""
    tools = [tool for tool in registry.tools.values() if tool.source == entry.id]
    try:
        offered = await _offered(entry, toolbox)
    except SourceError as error:
        said = f"{error.code} {error.detail}"
        return [Checked(entry.id, tool.operation, "unreachable", tool.id, problem=said) for tool in tools] or [
            Checked(entry.id, "", "unreachable", problem=said)
        ]
    return [*_of_table(entry, tools, {one.name: one for one in offered}), *_of_none(entry, tools, offered)]


async def _offered(entry: SourceEntry, toolbox: Toolbox | None) -> Sequence[Offered]:
    if toolbox is None:
        raise SourceOffError(f"source {entry.id} has no connection of its kind")
    try:
        async with asyncio.timeout(STARTS_WITHIN):
            return await toolbox.offered()
    except TimeoutError as error:
        raise SourceUnavailableError(f"source {entry.id} did not answer in {STARTS_WITHIN:g} s") from error


def _of_table(entry: SourceEntry, tools: Sequence[Tool], offered: Mapping[str, Offered]) -> Iterator[Checked]:
    for tool in tools:
        found = offered.get(tool.operation)
        if found is None:
            yield Checked(entry.id, tool.operation, "gone", tool.id)
        else:
            same = tool.pin in ({found.pin, None} if entry.kind == "sql" else {found.pin})
            yield Checked(entry.id, tool.operation, "accepted" if same else "changed", tool.id, found.pin, found)


def _of_none(entry: SourceEntry, tools: Sequence[Tool], offered: Sequence[Offered]) -> Iterator[Checked]:
    listed = {tool.operation for tool in tools}
    for one in sorted(offered, key=lambda one: one.name):
        if one.name not in listed:
            yield Checked(entry.id, one.name, "new", pin=one.pin, offered=one)
