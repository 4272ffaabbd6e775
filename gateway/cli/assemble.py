"""`ctxgate assemble` and `ctxgate demo`: the pipeline from files."""

import asyncio

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gateway.audit.refusals import record_refusal
from gateway.bootstrap.gateway import running
from gateway.bootstrap.keys import signed_for_development
from gateway.bootstrap.process import system_clock
from gateway.cli.demo.bank import demo_bank
from gateway.cli.ledger.verify import verify_now
from gateway.cli.output import console, raw, show_budget, show_candidates, styled
from gateway.content.parsing import parse_json, parse_request, shaped
from gateway.errors import ClaimMissingError, FieldInvalidError, GatewayError, NotFoundError
from gateway.model import ContextPack, Subject
from gateway.model.base import Model
from gateway.pipeline import Asked
from gateway.settings import HOME, Settings
from ledger.query import Filter
from ledger.record import Record

RequestFile = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The request, as for POST /v1/packs.")]
SubjectFile = Annotated[
    Path, typer.Option("--as", exists=True, dir_okay=False, help="The person's claims, as in a token.")
]
OutFile = Annotated[Path | None, typer.Option("--out", help="Where to write the pack. Default: print it.")]
Moment = Annotated[str | None, typer.Option("--now", help="The time to decide at, RFC 3339. Default: now.")]


def assemble(request: RequestFile, subject: SubjectFile, out: OutFile = None, now: Moment = None) -> None:
    """Govern the candidates of a request and write the pack."""
    settings = Settings(detector_workers=0)
    pack, _ = asyncio.run(_assemble(settings, request.read_bytes(), subject.read_bytes(), moment_of(now)))
    text = pack.model_dump_json(indent=2)
    if out is None:
        raw(text)
        return
    out.write_text(text + "\n")
    console.print(f"{pack.id}: {sum(len(s.items) for s in pack.sections)} items, written to {out}", highlight=False)


def demo(
    story: Annotated[str, typer.Argument(help="A folder under examples.")] = "npa-risk",
    out: OutFile = Path("pack.json"),
) -> None:
    """Run a bundled bank story and show what happened to every candidate."""
    folder = HOME / "examples" / story
    if story == "bank":
        settings = Settings(detector_workers=0)
        pack = demo_bank(settings, None)
        _written(pack, out)
        verify_now(settings)
        return
    if not (folder / "request.json").is_file():
        raise NotFoundError(f"there is no story {story}")
    sources = folder / "sources"
    settings = Settings(detector_workers=0, sources_dir=sources if sources.is_dir() else None)
    now = shaped(_Clock, parse_json((folder / "clock.json").read_bytes(), depth=4)).now
    # The owners of the story's sources are not here to vouch for their items.
    request = parse_request((folder / "request.json").read_bytes(), settings.limits)
    signed = signed_for_development(request, settings, moment_of(now) or system_clock())
    body = signed.model_dump_json(exclude_none=True).encode()
    pack, rulings = asyncio.run(_assemble(settings, body, (folder / "subject.json").read_bytes(), moment_of(now)))
    show_candidates(rulings, pack)
    show_budget(pack)
    _written(pack, out)
    verify_now(settings)


def _written(pack: ContextPack, out: Path | None) -> None:
    if out is not None:
        out.write_text(pack.model_dump_json(indent=2) + "\n")
        console.print(styled("The pack is in [bold]{}[/]", out.resolve()), highlight=False)


class _Clock(Model):
    now: str


async def _assemble(
    settings: Settings, request: bytes, claims: bytes, now: datetime | None
) -> tuple[ContextPack, list[Record]]:
    async with running(settings, clock=lambda: now or system_clock()) as gateway:
        moment = gateway.clock()
        subject = parse_subject(claims, settings)
        try:
            body = parse_request(request, settings.limits)
        except GatewayError as error:
            await record_refusal(error, subject, moment, None, ledger=gateway.recorder)
            raise
        pack = await gateway.pipeline.assemble(Asked(body, subject, moment))
        await gateway.ledger.keeper.round()
        wanted = Filter(request_id=str(pack.request["request_id"]), kind="item.ruled", limit=1000)
        page = await asyncio.to_thread(gateway.store.query, wanted)
        return pack, [Record.decode(record) for record in page.records]


def parse_subject(claims: bytes, settings: Settings) -> Subject:
    """
    The person a claims file stands for.

    Raises:
        ClaimMissingError: a claim that decisions need is not there.
    """
    try:
        subject = shaped(Subject, parse_json(claims, depth=8))
    except FieldInvalidError as error:
        raise ClaimMissingError("the claims file lacks a usable claim", fields=error.fields) from error
    if settings.agent_binding == "declared":
        return subject.model_copy(update={"agents": None})
    if not subject.agents:
        hint = 'add the agents that it speaks for, such as "agents": ["RISK"]'
        raise ClaimMissingError(f"the claims file lacks a usable claim: {hint}", fields=[("agents", hint)])
    return subject


def moment_of(text: str | None) -> datetime | None:
    """
    The time that an option gives, if it does.

    Raises:
        FieldInvalidError: it is no time with an offset.
    """
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise FieldInvalidError("--now must be an RFC 3339 time with an offset", fields=[("--now", "is not a time")])
    return moment
