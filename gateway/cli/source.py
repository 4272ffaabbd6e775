"""`ctxgate source`: the sources that tools are called of, as they are and as they answer."""

import asyncio
import time

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Final

import typer

from rich.table import Table

from gateway.bootstrap.policies import configured_bundle
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.sources import Toolboxes, connections_of
from gateway.cli.output import console, errors, show_json, styled
from gateway.errors import ConfigurationError, FieldInvalidError, NotFoundError, SourceOffError, SourceUnavailableError
from gateway.model import Registry
from gateway.policy.registry import registry_of
from gateway.policy.vetting.hints import hint
from gateway.ports.sources import Call, Result, Toolbox
from gateway.settings import Settings
from gateway.sourcing.checking import Checked, check_source

source = typer.Typer(no_args_is_help=True, help="Sources that tools are called of: what there is, what they offer.")

_COLOURS: Final = {"accepted": "green", "new": "blue", "changed": "red", "gone": "red", "unreachable": "red"}

Json = Annotated[bool, typer.Option("--json", help="For another program.")]


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[tuple[Registry, dict[str, Toolbox]]]:
    registry = registry_of(configured_bundle(settings))
    toolboxes = Toolboxes(settings, connections_of(settings), system_clock)
    try:
        yield registry, toolboxes.of(registry) or {}
    finally:
        await toolboxes.aclose()


@source.command("list")
def list_() -> None:
    """Every source of the registry, whether it has a connection, and its tools."""
    asyncio.run(_list(Settings()))


async def _list(settings: Settings) -> None:
    async with _opened(settings) as (registry, toolboxes):
        table = Table("source", "kind", "connection", "seconds", "tools", header_style="bold")
        for entry in registry.sources.values():
            tools = [tool.id for tool in registry.tools.values() if tool.source == entry.id]
            state = "—" if not entry.calls_tools else "yes" if entry.id in toolboxes else "none: off"
            table.add_row(entry.id, entry.kind, state, f"{entry.timeout_seconds:g}", ", ".join(tools))
        console.print(table)


@source.command()
def check(
    name: Annotated[
        str | None, typer.Argument(help="A source; all that tools are called of where none is named.")
    ] = None,
    json: Json = False,
) -> None:
    """Hold what servers offer against the pins that officers accepted; status 1 where something is not as accepted."""
    found = asyncio.run(_checked(Settings(), name))
    if json:
        show_json([asdict(one) for one in found])
    else:
        _show(found)
    if any(one.finding not in {"accepted", "new"} for one in found):
        raise typer.Exit(1)


async def _checked(settings: Settings, name: str | None) -> list[Checked]:
    async with _opened(settings) as (registry, toolboxes):
        # Sources that tools are not called of offer nothing that could be held against anything.
        entries = [entry for entry in registry.sources.values() if entry.calls_tools and name in {None, entry.id}]
        if name is not None and not entries:
            known = [entry.id for entry in registry.sources.values() if entry.calls_tools]
            raise NotFoundError(f"there is no source of that name that tools are called of. {hint(name, known)}")
        made = (check_source(entry, toolboxes.get(entry.id), registry) for entry in entries)
        return [one for listed in await asyncio.gather(*made) for one in listed]


def _show(found: list[Checked]) -> None:
    table = Table("source", "operation", "tool", "finding", header_style="bold")
    # A pin is there to be copied, and why there is none to be read, however narrow the screen is.
    table.add_column("pin of what is offered", overflow="fold")
    for one in found:
        shown = styled(f"[{_COLOURS[one.finding]}]{{}}[/]", one.finding)
        table.add_row(one.source, one.operation, one.tool or "—", shown, one.pin or one.problem)
    console.print(table if found else "No source of the registry is one that tools are called of.")


@source.command()
def call(
    tool: Annotated[str, typer.Argument(help="A line of the table `tools`.")],
    argument: Annotated[
        list[str] | None,
        typer.Option(help='name=value, as often as needed; of digits alone a number, unless "quoted".'),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print what the tool answered. Never by itself.")] = False,
) -> None:
    """Call one tool once, past policy: how long it took, how much came, and which members it has."""
    given = dict(_argument(one) for one in argument or ())
    took, result = asyncio.run(_called(Settings(), tool, given))
    errors.print(f"{took * 1000:.0f} ms, {result.size} bytes, members: {', '.join(result.content) or 'none'}")
    if show:
        show_json(dict(result.content))


def _argument(text: str) -> tuple[str, str | int | list[str]]:
    name, equals, value = text.partition("=")
    if not equals:
        raise FieldInvalidError("--argument is name=value", fields=[("--argument", "has no `=`")])
    if len(value) > 1 and value[0] == value[-1] == '"':
        return name, value[1:-1]
    if value.startswith("["):
        return name, [one.strip() for one in value.strip("[]").split(",") if one.strip()]
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 16 else value


async def _called(settings: Settings, name: str, given: dict[str, str | int | list[str]]) -> tuple[float, Result]:
    if settings.connections is None:
        raise ConfigurationError("CTXGATE_CONNECTIONS is not set, so that tools are off")
    async with _opened(settings) as (registry, toolboxes):
        tool = registry.tools.get(name)
        if tool is None:
            raise NotFoundError(f"there is no tool of that name. {hint(name, registry.tools)}")
        toolbox = toolboxes.get(tool.source)
        if toolbox is None:
            raise SourceOffError(f"source {tool.source} has no connection of its kind")
        seconds = toolbox.entry.timeout_seconds
        # What only starts now is not slow.
        await check_source(toolbox.entry, toolbox, registry)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(seconds):
                result = await toolbox.call(Call(tool, given))  # type: ignore[arg-type] # lists of texts are JSON values
        except TimeoutError as error:
            raise SourceUnavailableError(f"source {tool.source} did not answer in {seconds:g} s") from error
        return time.perf_counter() - began, result
