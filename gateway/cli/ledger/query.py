"""`ctxgate ledger`: the auditor's questions.  Each answer is itself recorded as a reading."""

import asyncio
import getpass

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from rich.table import Table

from gateway.audit.acts import Actor, record_reading
from gateway.audit.keeper import LogKeeper
from gateway.audit.open_ledger import OpenLedger
from gateway.audit.queries import LedgerQueries, as_csv
from gateway.audit.recorder import Recorder
from gateway.bootstrap.keys import log_keys, verifiers
from gateway.bootstrap.ledger import open_store, writing
from gateway.bootstrap.process import system_clock
from gateway.cli.output import console, raw, styled
from gateway.content.parsing import parse_json, shaped
from gateway.errors import FieldInvalidError, NotFoundError
from gateway.settings import Settings
from ledger.errors import LedgerCorruptError
from ledger.pin import HeadPin
from ledger.query import COUNTED, PERIODS, Filter, Page, Series
from ledger.receipt import verify_receipt
from ledger.record import Record
from ledger.verify import verify as verify_ledger

ledger = typer.Typer(no_args_is_help=True, help="Query, prove and verify the ledger.")

Tenant = Annotated[str | None, typer.Option(help="Default: all tenants.")]
Since = Annotated[str | None, typer.Option(help="UTC with microseconds, inclusive.")]
Until = Annotated[str | None, typer.Option(help="UTC with microseconds, exclusive.")]


def require_ledger(settings: Settings) -> None:
    """
    Raises:
        NotFoundError: there is no ledger to read.
    """
    if settings.ledger_url is None and not settings.ledger_file.is_file():
        raise NotFoundError(f"there is no ledger at {settings.ledger_file}")


@dataclass(frozen=True, slots=True)
class Audit:
    """The ledger, for whoever sits at this machine."""

    settings: Settings
    parts: OpenLedger
    recorder: Recorder
    keeper: LogKeeper
    queries: LedgerQueries
    actor: Actor

    async def record_reading(self, asked: dict[str, str], code: str | None = None) -> None:
        """Put on record that something is read, before it is."""
        await record_reading(asked, self.actor, system_clock(), ledger=self.recorder, code=code)


@asynccontextmanager
async def auditing(settings: Settings | None = None, *, new: bool = False) -> AsyncIterator[Audit]:
    """
    The ledger opened for one command, with nobody else's log kept up meanwhile.

    Args:
        settings: those of the environment, where there are no others.
        new: whether the ledger may begin with this command.

    Raises:
        NotFoundError: there is no ledger to read.
    """
    chosen = settings or Settings()
    if not new:
        require_ledger(chosen)
    async with writing(chosen, sequencing=False) as opened:
        queries = LedgerQueries(opened.parts.store, opened.recorder, opened.keeper.round)
        yield Audit(chosen, opened.parts, opened.recorder, opened.keeper, queries, local_actor())


def local_actor() -> Actor:
    """Who sits at this machine, as its operating system knows them."""
    return Actor(None, f"local:{getpass.getuser()}")


@ledger.command()
def verify(
    pin: Annotated[Path | None, typer.Option(help="Head pin. Default: the one of the settings.")] = None,
) -> None:
    """Check every record, chain, index column, tile, checkpoint, pack and pinned head, from storage."""
    settings = Settings()
    verify_now(settings if pin is None else settings.model_copy(update={"pin_file": pin}))


def verify_now(settings: Settings) -> None:
    """Verify, and say what was verified."""
    require_ledger(settings)
    # A ledger that is being written to is verified as it stands at one moment.
    store = open_store(settings, frozen=True)
    try:
        pinned = HeadPin(settings.pin).read()
        done = verify_ledger(store, origin=settings.origin, pin=pinned, keys=log_keys(settings))
    finally:
        store.close()
    waiting = f" and {done.waiting} that wait for it" if done.waiting else ""
    console.print(
        styled(
            "[bold green]The ledger verifies:[/] {}",
            f"{done.records} records in the log{waiting}, {done.lanes} lanes,"
            f" {done.packs} packs, {done.checkpoints} checkpoints.",
        ),
        highlight=False,
    )
    if not done.pinned:
        console.print(styled("[yellow]There is no head pin, so a cut tail could not be seen.[/]"))
    if done.skew_seconds:
        skew = f"A clock went back by {done.skew_seconds} s; the order does not depend on it."
        console.print(styled("[yellow]{}[/]", skew))


@ledger.command()
def show(decision_id: Annotated[str, typer.Argument(help="Decision id of a record.")]) -> None:
    """Print one record as it stands in the ledger."""
    found = asyncio.run(_bodies([decision_id]))
    if decision_id not in found:
        raise NotFoundError("there is no record of that decision id")
    console.print_json(found[decision_id].decode())


async def _bodies(decision_ids: list[str]) -> dict[str, bytes]:
    async with auditing() as audit:
        return await audit.queries.bodies(decision_ids, audit.actor, system_clock())


@ledger.command()
def query(
    kind: Annotated[str | None, typer.Option(help="Such as item.ruled.")] = None,
    tenant: Tenant = None,
    trace_id: Annotated[str | None, typer.Option()] = None,
    request_id: Annotated[str | None, typer.Option()] = None,
    pack_id: Annotated[str | None, typer.Option()] = None,
    item_id: Annotated[str | None, typer.Option()] = None,
    source_id: Annotated[str | None, typer.Option()] = None,
    subject: Annotated[str | None, typer.Option(help="Token of a person.")] = None,
    user: Annotated[str | None, typer.Option(help="Name of a person, with --tenant, until erased.")] = None,
    agent: Annotated[str | None, typer.Option()] = None,
    purpose: Annotated[str | None, typer.Option()] = None,
    outcome: Annotated[str | None, typer.Option()] = None,
    policy_revision: Annotated[str | None, typer.Option()] = None,
    code: Annotated[str | None, typer.Option(help="Code of a rule, such as JUR-001.")] = None,
    since: Since = None,
    until: Until = None,
    after: Annotated[int, typer.Option(help="Cursor from the page before.")] = 0,
    limit: Annotated[int, typer.Option(help="Records per page, at most 1000.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One record per line, as stored.")] = False,
    as_table: Annotated[bool, typer.Option("--csv", help="As CSV.")] = False,
) -> None:
    """Find records, in the order of the log."""
    given = _given(
        kind=kind,
        tenant=tenant,
        trace_id=trace_id,
        request_id=request_id,
        pack_id=pack_id,
        item_id=item_id,
        source_id=source_id,
        subject=subject,
        agent=agent,
        purpose=purpose,
        outcome=outcome,
        policy_revision=policy_revision,
        code=code,
        since=since,
        until=until,
        after=after,
        limit=limit,
    )
    page = asyncio.run(_page(given, user))
    if as_table:
        raw(as_csv(page), nl=False)
    elif as_json:
        for body in page.records:
            raw(body.decode())
    else:
        _show([Record.decode(body) for body in page.records])
        if page.next is not None:
            console.print(f"More: --after {page.next}")


def _given(**conditions: str | int | None) -> dict[str, Any]:
    """The conditions of a filter that the command line has."""
    return {name: value for name, value in conditions.items() if value is not None}


async def _page(given: dict[str, Any], user: str | None) -> Page:
    async with auditing() as audit:
        wanted = await _filter(audit.queries, given, user)
        return await audit.queries.page(wanted, audit.actor, system_clock())


async def _filter(queries: LedgerQueries, given: dict[str, Any], user: str | None) -> Filter:
    if user is not None:
        if "tenant" not in given:
            raise FieldInvalidError("a person has a name within a tenant", fields=[("--tenant", "is missing")])
        given = {**given, "subject": await queries.token(given["tenant"], user)}
    return shaped(Filter, given)


def _show(records: list[Record]) -> None:
    table = Table("at", "kind", "item", "outcome", "codes", "decision id", header_style="bold")
    for record in records:
        item = record.item.id if record.item else ""
        table.add_row(record.at, record.kind, item, record.outcome or "", " ".join(record.codes), record.decision_id)
    console.print(table)


@ledger.command()
def stats(
    by: Annotated[str, typer.Option(help=f"One of {', '.join(COUNTED)}.")] = "outcome",
    period: Annotated[Literal["minute", "hour", "day", "month"] | None, typer.Option(help="Also by time.")] = None,
    kind: Annotated[str | None, typer.Option(help="Such as item.ruled.")] = None,
    tenant: Tenant = None,
    agent: Annotated[str | None, typer.Option()] = None,
    since: Since = None,
    until: Until = None,
) -> None:
    """Count records by a column, and by time if asked."""
    if by not in COUNTED or (period is not None and period not in PERIODS):
        raise FieldInvalidError(
            "records are counted by a column of the list", fields=[("--by", f"one of {', '.join(COUNTED)}")]
        )
    wanted = shaped(Filter, _given(kind=kind, tenant=tenant, agent=agent, since=since, until=until))
    table = Table(by, "period", "records", header_style="bold")
    for one in asyncio.run(_series(wanted, by, period)):
        table.add_row(one.value or "—", one.period or "", str(one.count))
    console.print(table)


async def _series(wanted: Filter, by: str, period: str | None) -> list[Series]:
    async with auditing() as audit:
        return await audit.queries.series(wanted, by, period, audit.actor, system_clock())


@ledger.command("verify-receipt")
def verify_receipt_file(
    pack: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A pack as it was received.")],
    keys: Annotated[list[str] | None, typer.Option("--vkey", help="Verifier key. Default: this gateway's.")] = None,
) -> None:
    """Check a pack against its receipt, without the ledger."""
    document = parse_json(pack.read_bytes(), depth=200)
    if not isinstance(document, dict):
        raise LedgerCorruptError("receipt", "the file is not a pack")
    sealed = verify_receipt(document, verifiers(keys) if keys else log_keys(Settings()))
    console.print(
        styled(
            "[bold green]The receipt holds:[/] {}",
            f"{sealed.pack.id if sealed.pack else ''} is record {sealed.lane.seq}"
            f" of lane {sealed.lane.id}/{sealed.lane.epoch}.",
        ),
        highlight=False,
    )
