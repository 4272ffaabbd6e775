"""`ctxgate ledger`: the auditor's commands."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from rich.table import Table

from gateway.bootstrap import open_ledger
from gateway.bootstrap.keys import own_vkey, receipt_key
from gateway.cli.output import console
from gateway.errors import NotFoundError
from gateway.settings import Settings
from gateway.wire import parse_json, shaped
from ledger.errors import LedgerCorruptError
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.receipt import verify_receipt
from ledger.record import Record
from ledger.sqlite import SqliteStore
from ledger.verify import verify as verify_ledger

ledger = typer.Typer(no_args_is_help=True, help="Query and verify the ledger.")


@contextmanager
def _store(settings: Settings) -> Iterator[SqliteStore]:
    if not settings.ledger_file.is_file():
        raise NotFoundError(f"there is no ledger at {settings.ledger_file}")
    store, _ = open_ledger(settings)
    try:
        yield store
    finally:
        store.close()


@ledger.command()
def verify(
    pin: Annotated[Path | None, typer.Option(help="Head pin. Default: the one of the settings.")] = None,
) -> None:
    """Check every record, chain, index column, pack and pinned head, from storage."""
    settings = Settings()
    verify_now(settings if pin is None else settings.model_copy(update={"pin_file": pin}))


def verify_now(settings: Settings) -> None:
    """Verify, and say what was verified."""
    if not settings.ledger_file.is_file():
        raise NotFoundError(f"there is no ledger at {settings.ledger_file}")
    store = SqliteStore(settings.ledger_file)
    try:
        pinned = HeadPin(settings.pin).read()
        done = verify_ledger(store, origin=settings.origin, pin=pinned)
    finally:
        store.close()
    console.print(
        f"[bold green]The ledger verifies:[/] {done.records} records in {done.lanes} lanes,"
        f" {done.packs} packs, {done.pinned} pinned heads.",
        highlight=False,
    )
    if not done.pinned:
        console.print("[yellow]There is no head pin, so a cut tail could not be seen.[/]")


@ledger.command()
def show(decision_id: Annotated[str, typer.Argument(help="Decision id of a record.")]) -> None:
    """Print one record as it stands in the ledger."""
    with _store(Settings()) as store:
        body = store.stored([decision_id]).get(decision_id)
    if body is None:
        raise NotFoundError("there is no record of that decision id")
    console.print_json(body.decode())


@ledger.command()
def query(
    kind: Annotated[str | None, typer.Option(help="Such as item.ruled.")] = None,
    tenant: Annotated[str | None, typer.Option()] = None,
    trace_id: Annotated[str | None, typer.Option()] = None,
    request_id: Annotated[str | None, typer.Option()] = None,
    pack_id: Annotated[str | None, typer.Option()] = None,
    item_id: Annotated[str | None, typer.Option()] = None,
    source_id: Annotated[str | None, typer.Option()] = None,
    agent: Annotated[str | None, typer.Option()] = None,
    purpose: Annotated[str | None, typer.Option()] = None,
    outcome: Annotated[str | None, typer.Option()] = None,
    code: Annotated[str | None, typer.Option(help="Code of a rule, such as JUR-001.")] = None,
    since: Annotated[str | None, typer.Option(help="UTC with microseconds, inclusive.")] = None,
    until: Annotated[str | None, typer.Option(help="UTC with microseconds, exclusive.")] = None,
    after: Annotated[int, typer.Option(help="Cursor from the page before.")] = 0,
    limit: Annotated[int, typer.Option(help="Records per page, at most 1000.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One record per line, as stored.")] = False,
) -> None:
    """Find records, oldest first."""
    given = {name: value for name, value in locals().items() if value is not None and name != "as_json"}
    with _store(Settings()) as store:
        page = store.query(shaped(Filter, given))
    if as_json:
        for body in page.records:
            typer.echo(body.decode())
        return
    table = Table("at", "kind", "item", "outcome", "codes", "decision id", header_style="bold")
    for body in page.records:
        record = Record.decode(body)
        table.add_row(
            record.at,
            record.kind,
            record.item.id if record.item else "",
            record.outcome or "",
            " ".join(record.codes),
            record.decision_id,
        )
    console.print(table)
    if page.next is not None:
        console.print(f"More: --after {page.next}")


@ledger.command()
def vkey() -> None:
    """Print the verifier key of this gateway's receipts."""
    typer.echo(own_vkey(Settings()))


@ledger.command("verify-receipt")
def verify_receipt_file(
    pack: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A pack as it was received.")],
    key: Annotated[str | None, typer.Option("--vkey", help="Verifier key. Default: this gateway's own.")] = None,
) -> None:
    """Check a pack against its receipt, without the ledger."""
    document = parse_json(pack.read_bytes(), depth=200)
    if not isinstance(document, dict):
        raise LedgerCorruptError("receipt", "the file is not a pack")
    sealed = verify_receipt(document, receipt_key(key or own_vkey(Settings())))
    console.print(
        f"[bold green]The receipt holds:[/] {sealed.pack.id if sealed.pack else ''} is record {sealed.lane.seq}"
        f" of lane {sealed.lane.id}/{sealed.lane.epoch}.",
        highlight=False,
    )
