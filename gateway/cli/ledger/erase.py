"""`ctxgate ledger erase`, `certificate`, `verify-certificate`: forgetting persons, and showing that they are forgotten."""

import asyncio

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.erasing import eraser_of, erasure_desk
from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.keys import verifiers
from gateway.bootstrap.ledger import open_ledger, writing
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.stores import open_stores
from gateway.cli.ledger.query import AsDocument, ledger, require_ledger
from gateway.cli.officer import OfficerToken, officer_of
from gateway.cli.output import console, raw, show_json, styled
from gateway.errors import ConfigurationError, FieldInvalidError, NotFoundError
from gateway.model import Subject
from gateway.ports.erasure import ErasureRequest
from gateway.privacy.asking import ErasureDesk
from gateway.privacy.certificate import Certificate, as_document, open_certificate, require_on_record
from gateway.privacy.erasure import Erased, Eraser, what_is_gone
from gateway.settings import Settings

_Keys = Annotated[list[str] | None, typer.Option("--vkey", help="Verifier key. Default: this gateway's.")]


@ledger.command()
def erase(
    officer: OfficerToken,
    subject: Annotated[
        str | None,
        typer.Option(help="Ask that this person is forgotten, as tokens name them; of the officer's tenant."),
    ] = None,
    basis: Annotated[str | None, typer.Option(help="Why; sealed under the keys of the officers.")] = None,
    approve: Annotated[
        str | None,
        typer.Option(help="Carry out what another officer asked for, by its id, such as ERQ-0123456789abcdef."),
    ] = None,
    withdraw: Annotated[str | None, typer.Option(help="Take back what was asked for, by its id.")] = None,
    waiting: Annotated[bool, typer.Option(help="List what waits for a second officer of the tenant.")] = False,
    resume: Annotated[bool, typer.Option(help="Go on with erasures of the tenant that are not complete.")] = False,
) -> None:
    """Forget a person, with two officers: one asks, another approves; records and proofs stay, and a certificate."""
    eraser = officer_of(officer, "erasure:write")
    if sum((bool(subject or basis), bool(approve), bool(withdraw), waiting, resume)) != 1 or bool(subject) != bool(
        basis
    ):
        missing = [(name, "is missing") for name, given in (("--subject", subject), ("--basis", basis)) if not given]
        wanted = "an erasure needs a person and a basis, or one of --approve, --withdraw, --waiting and --resume"
        raise FieldInvalidError(wanted, fields=missing)
    if approve:
        _tell(asyncio.run(_approve(approve, eraser)))
    elif resume:
        for note in asyncio.run(_resume(eraser)):
            raw(note, nl=False)
    else:
        _tell_requests(asyncio.run(_desk(eraser, subject, basis, withdraw)), withdrawn=bool(withdraw))


def _tell(erased: Erased) -> None:
    stood = ("behind [bold]{}[/]", erased.token) if erased.token else ("after {}", "an earlier erasure")
    console.print(styled(f"Erased what stood {stood[0]}: {{}}", stood[1], _gone(erased)), highlight=False)
    raw(erased.certificate, nl=False)


def _tell_requests(requests: Sequence[ErasureRequest], *, withdrawn: bool) -> None:
    for one in requests:
        asked = one.asked
        words = (one.subject, asked.officer, asked.at, asked.reason)
        console.print(
            styled("[bold]{}[/] " + ("withdrawn" if withdrawn else "until {}"), one.id, one.expires), highlight=False
        )
        console.print(styled("  {}, asked by {} at {}: {}", *words), highlight=False)
    if not withdrawn:
        raw(
            "Another officer approves with `ctxgate ledger erase --approve ID`.\n" if requests else "Nothing waits.\n",
            nl=False,
        )


def _gone(erased: Erased) -> str:
    counts = ", ".join(f"{count} {what}" for what, count in what_is_gone(erased))
    return f"{erased.records} records stay and speak of nobody; gone are {counts}."


async def _desk(
    officer: Subject, subject: str | None, basis: str | None, withdraw: str | None
) -> Sequence[ErasureRequest]:
    now = system_clock()
    async with _erasing() as (desk, _):
        if subject and basis:
            return [await desk.ask(subject, basis, officer, now)]
        if withdraw:
            return [await desk.withdraw(withdraw, officer, now)]
        return await desk.waiting(officer.tenant, now)


async def _approve(name: str, officer: Subject) -> Erased:
    now = system_clock()
    async with _erasing() as (desk, eraser):
        return await eraser.erase(await desk.approve(name, officer, now), officer, now)


async def _resume(officer: Subject) -> list[str]:
    async with _erasing() as (_, eraser):
        acting = await eraser.recorder.subject_token(officer.tenant, officer.sub)
        return await eraser.resume(officer.tenant, acting, system_clock())


@asynccontextmanager
async def _erasing() -> AsyncIterator[tuple[ErasureDesk, Eraser]]:
    settings = Settings()
    require_ledger(settings)
    if settings.ledger_url is not None:
        if settings.ledger_eraser_url is None:
            raise ConfigurationError("erasing takes a database role of its own: set CTXGATE_LEDGER_ERASER_URL")
        settings = settings.model_copy(update={"ledger_url": settings.ledger_eraser_url})
    stores = open_stores(settings)
    try:
        async with writing(settings, sequencing=False) as opened:
            yield erasure_desk(opened, stores), eraser_of(settings, opened, stores)
    finally:
        stores.close()


@ledger.command()
def certificate(
    token: Annotated[
        str, typer.Argument(help="What stood for the person: as the erasure printed it, or in its record.")
    ],
) -> None:
    """Print the certificate of an erasure: which key is gone, when, what stays and why; signed by the log."""
    settings = Settings()
    require_ledger(settings)
    stores = open_stores(settings)
    try:
        note = asyncio.run(stores.erasures.certificate(None, token))
    finally:
        stores.close()
    if note is None:
        raise NotFoundError("there is no certificate for that token: the erasure was not made, or is not complete")
    raw(note, nl=False)


@ledger.command("verify-certificate")
def verify_certificate(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A certificate as it was printed.")],
    keys: _Keys = None,
    alone: Annotated[bool, typer.Option(help="Check who signed it, without the ledger.")] = False,
    as_json: AsDocument = False,
) -> None:
    """Check a certificate of erasure: who signed it, that the log commits to it, and that the token stands for nobody."""
    settings = Settings()
    found = open_certificate(file.read_text(), verifiers(keys) if keys else log_keys(settings))
    if not alone:
        require_ledger(settings)
        with open_ledger(settings) as parts:
            require_on_record(found, parts.store)
    if as_json:
        show_json({"holds": True, "certificate": as_document(found)})
        return
    console.print(styled("[bold green]The certificate holds:[/] {}", _told(found)), highlight=False)


def _told(found: Certificate) -> str:
    digests = ", ".join(key.sha256 for key in found.keys)
    return f"what stood behind {found.token} was erased at {found.erased_at}; the wrapped key was {digests}."
