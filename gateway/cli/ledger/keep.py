"""`ctxgate ledger keygen`, `migrate`, `erase`, `export`, `accept-rollback`: keeping the ledger."""

import asyncio

from pathlib import Path
from typing import Annotated

import typer

from gateway.audit.acts import record_key_rotation, record_rollback
from gateway.audit.export import export_ledger
from gateway.bootstrap.keys import log_keys, new_signing_key
from gateway.bootstrap.ledger import migrate_ledger, open_ledger
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.stores import open_stores
from gateway.cli.ledger.query import auditing, ledger, require_ledger
from gateway.cli.officer import OfficerToken, officer_of
from gateway.cli.output import console, styled
from gateway.errors import ConfigurationError, FieldInvalidError, NotFoundError
from gateway.model import Subject
from gateway.privacy.erasure import Erased
from gateway.privacy.erasure import erase as erase_person
from gateway.settings import Settings
from ledger.errors import RollbackError
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
        raise FieldInvalidError("there already is a key", fields=[("--rotate", "replaces it")])
    old = [verifier.key.key_hash.hex() for verifier in log_keys(settings)][:1]
    key = new_signing_key(settings).key
    if old:
        asyncio.run(_record_rotation(old[0], key.key_hash.hex()))
    typer.echo(str(key))


async def _record_rotation(old: str, new: str) -> None:
    async with auditing(new=True) as audit:
        await record_key_rotation(old, new, audit.actor, system_clock(), ledger=audit.recorder)


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
def erase(
    subject: Annotated[str, typer.Option(help="The person, as tokens name them; of the officer's tenant.")],
    basis: Annotated[str, typer.Option(help="Why; sealed under the key of whoever erases.")],
    officer: OfficerToken,
) -> None:
    """Forget a person: keys, salts, inputs, contents and name go; records and proofs stay."""
    eraser = officer_of(officer, "erasure:write")
    erased = asyncio.run(_erase(Erasure(eraser.tenant, subject), basis, eraser))
    stood = ("behind [bold]{}[/]", erased.token) if erased.token else ("after {}", "an earlier erasure")
    console.print(
        styled(f"Erased what stood {stood[0]}: {{}}", stood[1], _gone(erased)),
        highlight=False,
    )


def _gone(erased: Erased) -> str:
    return (
        f"{erased.records} records stay and speak of nobody,"
        f" {erased.held} contents under review, {erased.answers} kept answers, {erased.turns} turns of sessions and"
        f" {erased.artifacts} artifacts are gone."
    )


async def _erase(person: Erasure, basis: str, officer: Subject) -> Erased:
    settings = Settings()
    require_ledger(settings)
    if settings.ledger_url is not None:
        if settings.ledger_eraser_url is None:
            raise ConfigurationError("erasing takes a database role of its own: set CTXGATE_LEDGER_ERASER_URL")
        settings = settings.model_copy(update={"ledger_url": settings.ledger_eraser_url})
    stores = open_stores(settings)
    try:
        async with auditing(settings) as audit:
            return await erase_person(
                person,
                basis,
                officer,
                system_clock(),
                store=audit.parts.store,
                recorder=audit.recorder,
                stores=stores.personal,
                catch_up=audit.keeper.round,
            )
    finally:
        stores.close()


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
        await asyncio.to_thread(export_ledger, audit.parts, published, folder, settings)
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
        console.print(styled("[yellow]Accepted:[/] {}", error), highlight=False)
    with open_ledger(settings, check_pin=False) as parts:
        parts.pin.forget()
    asyncio.run(_record_rollback(reason))
