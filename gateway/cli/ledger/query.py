"""`ctxgate ledger`: the auditor's questions.  Each answer is itself recorded as a reading."""

import asyncio
import getpass

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from rich.table import Table

from gateway.audit.acts import Actor, record_reading
from gateway.audit.keeper import LogKeeper
from gateway.audit.open_ledger import OpenLedger
from gateway.audit.queries import LedgerQueries, as_csv
from gateway.bootstrap.auditor import Station, UntouchedLog, station
from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.keys import verifiers
from gateway.bootstrap.ledger import open_store, writing
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.stores import names_of
from gateway.cli.ledger.times import Since, Until
from gateway.cli.output import console, raw, show_json, styled
from gateway.content.parsing import parse_json, shaped
from gateway.errors import FieldInvalidError, NotFoundError
from gateway.ports.ledger import Ledger
from gateway.settings import Settings
from ledger.errors import LedgerCorruptError
from ledger.query import COUNTED, PERIODS, Filter, Page, Series
from ledger.receipt import place_in, verify_receipt
from ledger.record import Record

ledger = typer.Typer(no_args_is_help=True, help="Query, prove and verify the ledger.")

Tenant = Annotated[str | None, typer.Option(help="Default: all tenants.")]
AsDocument = Annotated[bool, typer.Option("--json", help="As JSON.")]


def require_ledger(settings: Settings) -> None:
    """
    Raises:
        NotFoundError: there is no ledger to read.
    """
    if not _has_ledger(settings):
        raise NotFoundError(f"there is no ledger at {settings.ledger_file}")


def _has_ledger(settings: Settings) -> bool:
    return settings.ledger_url is not None or settings.ledger_file.is_file()


@dataclass(frozen=True, slots=True)
class Audit:
    """The ledger, for whoever sits at this machine."""

    settings: Settings
    parts: OpenLedger
    recorder: Ledger
    keeper: LogKeeper | UntouchedLog
    queries: LedgerQueries
    actor: Actor
    station: Station | None = None
    """An auditor's, who has no keys and writes nothing."""

    async def record_reading(self, asked: dict[str, str], code: str | None = None) -> None:
        """Put on record that something is read, before it is."""
        await record_reading(asked, self.actor, system_clock(), ledger=self.recorder, code=code)


@asynccontextmanager
async def auditing(settings: Settings | None = None, *, new: bool = False) -> AsyncIterator[Audit]:
    """
    The ledger opened for one command, with nobody else's log kept up meanwhile; at an auditor's station it is only read.

    Args:
        settings: those of the environment, where there are no others.
        new: whether the ledger may begin with this command.

    Raises:
        NotFoundError: there is no ledger to read.
    """
    chosen = settings or Settings()
    if chosen.auditor_gateway is not None:
        async with station(chosen) as one:
            queries = LedgerQueries(one.parts.store, one.gateway, one.log.sequenced)
            yield Audit(chosen, one.parts, one.gateway, one.log, queries, local_actor(), one)
        return
    if not new:
        require_ledger(chosen)
    async with writing(chosen, sequencing=False) as opened:
        queries = LedgerQueries(opened.parts.store, opened.recorder, opened.keeper.round, names_of(chosen))
        yield Audit(chosen, opened.parts, opened.recorder, opened.keeper, queries, local_actor())


def local_actor() -> Actor:
    """Who sits at this machine, as its operating system knows them."""
    return Actor(None, f"local:{getpass.getuser()}")


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
    table = Table("at", "kind", "item", "outcome", "codes", header_style="bold")
    # It is what the next command is asked with, so it is never cut off.
    table.add_column("decision id", no_wrap=True, min_width=36)
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
    as_json: AsDocument = False,
) -> None:
    """Count records by a column, and by time if asked."""
    if by not in COUNTED or (period is not None and period not in PERIODS):
        raise FieldInvalidError(
            "records are counted by a column of the list", fields=[("--by", f"one of {', '.join(COUNTED)}")]
        )
    wanted = shaped(Filter, _given(kind=kind, tenant=tenant, agent=agent, since=since, until=until))
    series = asyncio.run(_series(wanted, by, period))
    if as_json:
        show_json({"by": by, "series": [asdict(one) for one in series]})
        return
    table = Table(by, "period", "records", header_style="bold")
    for one in series:
        table.add_row(one.value or "—", one.period or "", str(one.count))
    console.print(table)


async def _series(wanted: Filter, by: str, period: str | None) -> list[Series]:
    async with auditing() as audit:
        return await audit.queries.series(wanted, by, period, audit.actor, system_clock())


@ledger.command("verify-receipt")
def verify_receipt_file(
    pack: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A pack as it was received.")],
    keys: Annotated[list[str] | None, typer.Option("--vkey", help="Verifier key. Default: this gateway's.")] = None,
    as_json: AsDocument = False,
) -> None:
    """Check a pack against its receipt, without the ledger; one under a key that was replaced also against the ledger."""
    document = parse_json(pack.read_bytes(), depth=200)
    if not isinstance(document, dict):
        raise LedgerCorruptError("receipt", "the file is not a pack")
    sealed = _sealed(document, keys)
    if as_json:
        lane, pack_id = sealed.lane.model_dump(), sealed.pack.id if sealed.pack else None
        show_json({"holds": True, "pack": pack_id, "decision_id": sealed.decision_id, "lane": lane})
        return
    console.print(
        styled(
            "[bold green]The receipt holds:[/] {}",
            f"{sealed.pack.id if sealed.pack else ''} is record {sealed.lane.seq}"
            f" of lane {sealed.lane.id}/{sealed.lane.epoch}.",
        ),
        highlight=False,
    )


def _sealed(document: dict[str, Any], keys: list[str] | None) -> Record:
    if keys:
        return verify_receipt(document, verifiers(keys))
    settings = Settings()
    known = log_keys(settings)
    if all(one.last is None for one in known) or not _has_ledger(settings):
        return verify_receipt(document, known)
    store = open_store(settings)
    try:
        return verify_receipt(document, known, place_in(store))
    finally:
        store.close()
