"""`ctxgate quarantine`: what was set aside, and what two officers say of it."""

import asyncio

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from rich.table import Table

from gateway.bootstrap.gateway import reviewing
from gateway.bootstrap.process import system_clock
from gateway.cli.officer import OfficerToken, officer_of
from gateway.cli.output import console
from gateway.content.parsing import parse_request
from gateway.errors import NotFoundError
from gateway.model import Candidate, PackRequest, Subject
from gateway.model.review import Verdict
from gateway.ports.stores import QuarantinedItem
from gateway.settings import Settings

SCOPE = "quarantine:review"

quarantine = typer.Typer(
    no_args_is_help=True, help=f"Items that were quarantined as suspected injections; tokens need {SCOPE}."
)

QuarantineId = Annotated[str, typer.Argument(help="As shown by `ctxgate quarantine list`.")]
ReasonText = Annotated[str, typer.Option(help="Why; kept with the verdict.")]


@quarantine.command("list")
def list_(officer: OfficerToken) -> None:
    """What is in quarantine in the officer's tenant, newest first; never its text."""
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
def show(quarantine_id: QuarantineId, officer: OfficerToken) -> None:
    """One item with its text, which is recorded: it was quarantined because it may instruct whoever reads it."""
    held = asyncio.run(_look(_officer(officer), quarantine_id))
    console.print(f"{held.id} {held.item_id} {_state(held)}", highlight=False)
    console.print(held.content, markup=False, highlight=False)


@quarantine.command()
def release(quarantine_id: QuarantineId, officer: OfficerToken, reason: ReasonText) -> None:
    """Propose that it passes from now on, or confirm what another officer proposed."""
    _act(quarantine_id, "released", _officer(officer), reason)


@quarantine.command()
def deny(quarantine_id: QuarantineId, officer: OfficerToken, reason: ReasonText) -> None:
    """Propose that it is refused from now on, or confirm what another officer proposed."""
    _act(quarantine_id, "denied", _officer(officer), reason)


@quarantine.command()
def submit(
    request: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The request that is to use the item.")],
    item_id: Annotated[str, typer.Argument(help="Id of the item in the request.")],
    officer: OfficerToken,
) -> None:
    """Put an upload before the officers, so that two of them may validate it for the request's agent and purpose."""
    person, settings = _officer(officer), Settings()
    asked = parse_request(request.read_bytes(), settings.limits)
    item = next((one for one in asked.items if one.id == item_id), None)
    if item is None:
        raise NotFoundError(f"the request has no item {item_id}")
    console.print(f"{asyncio.run(_submit(settings, item, asked, person))}: submitted", highlight=False)


@quarantine.command()
def validate(quarantine_id: QuarantineId, officer: OfficerToken, reason: ReasonText) -> None:
    """Propose that policy may trust it from now on, or confirm what another officer proposed."""
    _act(quarantine_id, "validated", _officer(officer), reason)


def _officer(token: Path) -> Subject:
    return officer_of(token, SCOPE)


async def _held(officer: Subject) -> Sequence[QuarantinedItem]:
    async with reviewing(Settings()) as (reviews, _):
        return await reviews.quarantined(officer.tenant)


async def _look(officer: Subject, quarantine_id: str) -> QuarantinedItem:
    async with reviewing(Settings()) as (_, lifecycle):
        return await lifecycle.look(quarantine_id, officer, system_clock())


async def _submit(settings: Settings, item: Candidate, request: PackRequest, person: Subject) -> str:
    async with reviewing(settings) as (_, lifecycle):
        return await lifecycle.submit(item, request, person, now=system_clock())


def _act(quarantine_id: str, verdict: Verdict, officer: Subject, reason: str) -> None:
    async def act() -> bool:
        async with reviewing(Settings()) as (_, lifecycle):
            return await lifecycle.act(quarantine_id, verdict, officer, reason=reason, now=system_clock())

    final = asyncio.run(act())
    console.print(
        f"{quarantine_id}: {verdict}" if final else f"{quarantine_id}: proposed; another officer must confirm"
    )


def _state(held: QuarantinedItem) -> str:
    if held.verdict is not None:
        return f"{held.verdict.verdict} until {held.verdict.expires[:10]}"
    return f"{held.proposed.verdict} proposed by {held.proposed.officer}" if held.proposed else "to be reviewed"
