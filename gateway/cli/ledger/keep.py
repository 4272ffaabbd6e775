"""`ctxgate ledger migrate`, `export`, `accept-rollback`, `accept-unsigned`: keeping the ledger."""

import asyncio

from pathlib import Path
from typing import Annotated

import typer

from gateway.audit.acts import record_rollback, record_unsigned
from gateway.audit.export import export_ledger
from gateway.audit.open_ledger import OpenLedger
from gateway.bootstrap.ledger import migrate_ledger, open_ledger, open_store
from gateway.bootstrap.process import system_clock
from gateway.cli.ledger.progress import progress_bar, watched
from gateway.cli.ledger.query import auditing, ledger, require_ledger
from gateway.cli.output import console, styled
from gateway.errors import FieldInvalidError, NotFoundError
from gateway.settings import Settings
from ledger.errors import RollbackError
from ledger.intake.signing import accept_runs
from ledger.store import Published


async def _record_rollback(reason: str) -> None:
    async with auditing(new=True) as audit:
        await record_rollback(reason, audit.actor, system_clock(), ledger=audit.recorder)


@ledger.command()
def migrate(
    url: Annotated[str, typer.Option(envvar="CTXGATE_LEDGER_OWNER_URL", help="The database, for its owner.")],
    months: Annotated[int, typer.Option(min=0, max=600, help="Months to make partitions for, ahead.")] = 24,
) -> None:
    """Bring a PostgreSQL ledger's schema up to date, and make its partitions."""
    for name in migrate_ledger(url, months, system_clock()):
        console.print(name, highlight=False)


@ledger.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Where to; must not be there yet.")],
) -> None:
    """Write the whole log, its keys, policies and bundles to a folder for auditors."""
    settings = Settings()
    require_ledger(settings)
    if folder.exists():
        raise FieldInvalidError("the folder must not exist yet", fields=[("FOLDER", "exists")])
    size = asyncio.run(_export(settings, folder))
    told = styled("{} entries are in [bold]{}[/]; check them with tools/verify_ledger.py", size, folder)
    console.print(told, highlight=False)


async def _export(settings: Settings, folder: Path) -> int:
    async with auditing(settings) as audit:
        await audit.record_reading({"export": "all"})
        published = await audit.keeper.best()
        if published is None:
            raise NotFoundError("the log is empty")
        await asyncio.to_thread(_write, settings, audit.parts, published, folder)
        if audit.station is not None:
            await audit.station.fetch_bundles(folder / "bundles")
        return published.size


def _write(settings: Settings, parts: OpenLedger, published: Published, folder: Path) -> None:
    # Others write meanwhile, and what an export holds must belong together.
    snapshot = open_store(settings, frozen=True)
    try:
        # Every entry is read twice: for the index, and for the log.
        with progress_bar("exporting", 2 * published.size) as advance:
            export_ledger(parts, watched(snapshot, advance), published, folder, settings)
    finally:
        snapshot.close()


@ledger.command("accept-rollback")
def accept_rollback(
    reason: Annotated[str, typer.Option(help="Why the older state is to be gone on from.")],
) -> None:
    """Go on from a store that is behind its pin; that is recorded, and witnesses will not follow."""
    settings = Settings()
    require_ledger(settings)
    accept(settings, reason)


@ledger.command("accept-unsigned")
def accept_unsigned(
    reason: Annotated[str, typer.Option(help="Why what nobody signed is to be believed.")],
) -> None:
    """Take records into the log that were written before runs were signed and did not enter it; that is recorded."""
    settings = Settings()
    require_ledger(settings)
    count = asyncio.run(_accept_unsigned(settings, reason))
    console.print(styled("{} runs that nobody had signed are signed now.", count), highlight=False)


async def _accept_unsigned(settings: Settings, reason: str) -> int:
    async with auditing(settings) as audit:
        runs = await asyncio.to_thread(audit.parts.store.unsigned)
        if not runs:
            raise NotFoundError("every run is signed")
        await record_unsigned(len(runs), reason, audit.actor, system_clock(), ledger=audit.recorder)
        await asyncio.to_thread(accept_runs, audit.parts.store, settings.origin, audit.parts.signer, runs)
        await audit.keeper.round()
        return len(runs)


def accept(settings: Settings, reason: str) -> None:
    """Forget a pin that the store is behind, and record why."""
    try:
        with open_ledger(settings):
            raise FieldInvalidError("the ledger is not behind its pin", fields=[])
    except RollbackError as error:
        console.print(styled("[yellow]Accepted:[/] {}", error), highlight=False)
    with open_ledger(settings, check_pin=False) as parts:
        parts.pin.forget()
    asyncio.run(_record_rollback(reason))
