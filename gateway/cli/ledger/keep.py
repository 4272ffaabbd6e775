"""`ctxgate ledger keygen`, `migrate`, `erase`, `export`, `accept-rollback`: keeping the ledger."""

import asyncio

from pathlib import Path
from typing import Annotated

import typer

from gateway.audit.export import export_ledger
from gateway.audit.queries import ReadingRoom
from gateway.bootstrap.keys import log_keys, new_signing_key
from gateway.bootstrap.ledger import migrate_ledger, open_ledger, writing
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.stores import beside, open_aside
from gateway.cli.ledger.query import ledger, local_reader, require_ledger
from gateway.cli.output import console
from gateway.errors import ConfigurationError, FieldInvalidError, NotFoundError
from gateway.privacy.erasure import Erased
from gateway.privacy.erasure import erase as erase_person
from gateway.settings import Settings
from ledger.errors import RollbackError
from ledger.record import Kind
from ledger.store import Erasure


@ledger.command()
def vkey() -> None:
    """Print the log's verifier keys, newest first."""
    for verifier in log_keys(Settings()):
        typer.echo(str(verifier.key))


@ledger.command()
def keygen(
    rotate: Annotated[bool, typer.Option(help="Replace the present key; proofs under it stay valid.")] = False,
) -> None:
    """Make the key that the log is signed with, and print its verifier key."""
    settings = Settings()
    if settings.signing_key.exists() and not rotate:
        raise FieldInvalidError("there is a key already", fields=[("--rotate", "replaces it")])
    old = [verifier.key.mark.hex() for verifier in log_keys(settings)][:1]
    key = new_signing_key(settings).key
    if old:
        asyncio.run(_note("key.rotated", {"old": old[0], "new": key.mark.hex()}, [f"KEY-{key.mark.hex()}", "ROTATED"]))
    typer.echo(str(key))


async def _note(kind: Kind, asked: dict[str, str], codes: list[str], item: str = "key") -> None:
    async with writing(Settings(), sequencing=False) as ledger_:
        room = ReadingRoom(ledger_.parts.store, ledger_.recorder, ledger_.keeper.round)
        await room.note(kind, asked, local_reader(), system_clock(), codes=codes, item=item)


@ledger.command()
def migrate(
    url: Annotated[str, typer.Option(envvar="CTXGATE_LEDGER_OWNER_URL", help="The database, for its owner.")],
    months: Annotated[int, typer.Option(min=0, max=600, help="Months to make partitions for, ahead.")] = 24,
) -> None:
    """Bring a PostgreSQL ledger's schema up to date, and make its partitions."""
    for name in migrate_ledger(url, months, system_clock()):
        console.print(name, highlight=False)


@ledger.command()
def erase(
    subject: Annotated[str, typer.Option(help="The person, as tokens name them.")],
    tenant: Annotated[str, typer.Option(help="The person's tenant.")],
    basis: Annotated[str, typer.Option(help="Why; sealed under the key of whoever erases.")],
) -> None:
    """Forget a person: keys, salts, inputs, contents and name go; records and proofs stay."""
    erased = asyncio.run(_erase(Erasure(tenant, subject), basis))
    stood = f"behind [bold]{erased.token}[/]" if erased.token else "after an earlier erasure"
    console.print(
        f"Erased what stood {stood}: {erased.records} records stay and speak of nobody,"
        f" {erased.held} contents under review, {erased.answers} kept answers, {erased.turns} turns of sessions and"
        f" {erased.artifacts} artifacts are gone.",
        highlight=False,
    )


async def _erase(person: Erasure, basis: str) -> Erased:
    settings = Settings()
    require_ledger(settings)
    if settings.ledger_url is not None:
        if settings.ledger_eraser_url is None:
            raise ConfigurationError("erasing takes a database role of its own: set CTXGATE_LEDGER_ERASER_URL")
        settings = settings.model_copy(update={"ledger_url": settings.ledger_eraser_url})
    aside = open_aside(settings)
    try:
        async with writing(settings, sequencing=False) as ledger_:
            return await erase_person(
                person,
                basis,
                local_reader(),
                system_clock(),
                store=ledger_.parts.store,
                recorder=ledger_.recorder,
                beside=beside(aside, settings),
                catch_up=ledger_.keeper.round,
            )
    finally:
        aside.close()


@ledger.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Where to; must not be there yet.")],
) -> None:
    """Write the whole log, its keys, policies and bundles to a folder for auditors."""
    settings = Settings()
    require_ledger(settings)
    if folder.exists():
        raise FieldInvalidError("the folder is there already", fields=[("FOLDER", "exists")])
    size = asyncio.run(_export(settings, folder))
    console.print(f"{size} entries are in [bold]{folder}[/]; check them with tools/verify_ledger.py", highlight=False)


async def _export(settings: Settings, folder: Path) -> int:
    async with writing(settings, sequencing=False) as ledger_:
        room = ReadingRoom(ledger_.parts.store, ledger_.recorder, ledger_.keeper.round)
        await room.note("ledger.read", {"export": "all"}, local_reader(), system_clock(), codes=["FILTER-EXPORT"])
        published = await ledger_.keeper.best()
        if published is None:
            raise NotFoundError("the log is empty")
        await asyncio.to_thread(export_ledger, ledger_.parts, published, folder, settings)
        return published.size


@ledger.command("accept-rollback")
def accept_rollback(
    reason: Annotated[str, typer.Option(help="Why the older state is to be gone on from.")],
) -> None:
    """Go on from a store that is behind its pin; that is recorded, and witnesses will not follow."""
    settings = Settings()
    require_ledger(settings)
    accept(settings, reason)


def accept(settings: Settings, reason: str) -> None:
    """Forget a pin that the store is behind, and record why."""
    try:
        with open_ledger(settings):
            raise FieldInvalidError("the ledger is not behind its pin", fields=[])
    except RollbackError as error:
        console.print(f"[yellow]Accepted:[/] {error}", highlight=False)
    with open_ledger(settings, check_pin=False) as parts:
        parts.pin.forget()
    asyncio.run(_note("lane.opened", {"reason": reason}, ["ROLLBACK-ACCEPTED"], item="rollback"))
