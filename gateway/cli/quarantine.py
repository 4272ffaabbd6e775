"""`ctxgate quarantine`: what was set aside, and what two officers say of it."""

import asyncio

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from rich.table import Table

from gateway.bootstrap.gateway import reviewing
from gateway.bootstrap.process import system_clock
from gateway.cli.output import console
from gateway.content.parsing import parse_json, shaped
from gateway.errors import ScopeMissingError
from gateway.model import Subject
from gateway.ports.stores import Held
from gateway.settings import Settings

SCOPE = "quarantine:review"

quarantine = typer.Typer(no_args_is_help=True, help="Items that were set aside as suspected injections.")

Officer = Annotated[
    Path, typer.Option("--as", exists=True, dir_okay=False, help=f"The officer's claims; they must hold {SCOPE}.")
]
Id = Annotated[str, typer.Argument(help="As shown by `ctxgate quarantine list`.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the verdict.")]


@quarantine.command("list")
def list_(officer: Officer) -> None:
    """What was set aside in the officer's tenant, newest first; never its text."""
    table = Table(header_style="bold")
    table.add_column("id", no_wrap=True)
    for name in ("item", "source", "agent", "purpose", "signs", "seen", "at", "state"):
        table.add_column(name, overflow="fold")
    for held in asyncio.run(_held(_officer(officer))):
        scope = held.scope
        row = (held.id, held.item_id, scope.source_id or "—", scope.agent, scope.purpose, " ".join(held.findings))
        table.add_row(*row, str(held.seen), held.at, _state(held))
    console.print(table)


@quarantine.command()
def show(held_id: Id, officer: Officer) -> None:
    """One item with its text, which is recorded: it was set aside because it may instruct whoever reads it."""
    held = asyncio.run(_look(_officer(officer), held_id))
    console.print(f"{held.id} {held.item_id} {_state(held)}", highlight=False)
    console.print(held.content, markup=False, highlight=False)


@quarantine.command()
def release(held_id: Id, officer: Officer, reason: Reason) -> None:
    """Propose that it passes from now on, or confirm what another officer proposed."""
    _act(held_id, "released", _officer(officer), reason)


@quarantine.command()
def deny(held_id: Id, officer: Officer, reason: Reason) -> None:
    """Propose that it is refused from now on, or confirm what another officer proposed."""
    _act(held_id, "denied", _officer(officer), reason)


def _officer(claims: Path) -> Subject:
    subject = shaped(Subject, parse_json(claims.read_bytes(), depth=8))
    if not subject.holds(SCOPE):
        raise ScopeMissingError(f"the claims lack the scope {SCOPE}")
    return subject


async def _held(officer: Subject) -> Sequence[Held]:
    async with reviewing(Settings()) as (reviews, _):
        return await reviews.held(officer.tenant)


async def _look(officer: Subject, held_id: str) -> Held:
    async with reviewing(Settings()) as (_, desk):
        return await desk.look(held_id, officer, system_clock())


def _act(held_id: str, verdict: Literal["released", "denied"], officer: Subject, reason: str) -> None:
    async def act() -> bool:
        async with reviewing(Settings()) as (_, desk):
            return await desk.act(held_id, verdict, officer, reason=reason, now=system_clock())

    final = asyncio.run(act())
    console.print(f"{held_id}: {verdict}" if final else f"{held_id}: proposed; another officer must confirm")


def _state(held: Held) -> str:
    if held.verdict is not None:
        return f"{held.verdict.verdict} until {held.verdict.expires[:10]}"
    return f"{held.proposed.verdict} proposed by {held.proposed.officer}" if held.proposed else "to be reviewed"
