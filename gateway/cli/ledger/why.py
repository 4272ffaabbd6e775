"""`ctxgate ledger why`, `replay`, `proof`: one decision, explained, repeated and proved."""

import asyncio

from dataclasses import asdict
from typing import Annotated, Final

import typer

from gateway.audit.why import Account, AccountWriter, titles
from gateway.bootstrap.policies import configured_bundle
from gateway.bootstrap.replay import EngineChoice, replaying, witness_keys
from gateway.cli.ledger.progress import progress_bar
from gateway.cli.ledger.query import AsDocument, Audit, Tenant, auditing, ledger
from gateway.cli.ledger.times import Since
from gateway.cli.output import console, raw, show_json, styled
from gateway.content.parsing import shaped
from gateway.errors import FieldInvalidError, NotFoundError
from gateway.replay.run import replay
from gateway.replay.verdicts import DAMAGED, MISMATCH, REFUSED, UNAVAILABLE, VERDICTS, Replay
from ledger.log import LogReader
from ledger.query import Filter


@ledger.command()
def why(
    name: Annotated[str, typer.Argument(help="A pack, item, decision, request or trace id.")],
    tenant: Tenant = None,
    last: Annotated[int, typer.Option(help="How many requests to tell of, newest last.")] = 3,
    as_json: AsDocument = False,
) -> None:
    """Tell what happened to one pack or item, in plain words, and how far it is proved."""
    accounts = asyncio.run(_accounts(name, tenant, last))
    if as_json:
        show_json({"accounts": [_document(account) for account in accounts]})
        return
    for account in accounts:
        console.print(styled("\n[bold]{}[/]", account.opening), highlight=False)
        for chapter in account.entries:
            console.print(f"  {chapter.sentence}", highlight=False, markup=False)
            console.print(f"      {chapter.proof}", highlight=False, markup=False, style="dim")
        console.print(account.closing, highlight=False, markup=False)


def _document(account: Account) -> dict[str, object]:
    entries = [
        {"sentence": one.sentence, "record": dict(one.record), "proof": {**asdict(one.proof), "told": str(one.proof)}}
        for one in account.entries
    ]
    return {"opening": account.opening, "entries": entries, "closing": account.closing}


async def _accounts(name: str, tenant: str | None, last: int) -> list[Account]:
    async with auditing() as audit:
        await audit.record_reading({"why": name})
        await audit.queries.up_to_date()
        parts = audit.parts
        writer_of_accounts = AccountWriter(
            parts.store,
            parts.keys,
            witness_keys(parts),
            titles(configured_bundle(audit.settings)),
            audit.queries.by_any_name,
            parts.evidence,
        )
        requests = writer_of_accounts.requests_of(name, tenant)
        if not requests:
            raise NotFoundError("the ledger has no pack, item, decision, request or trace of that name")
        return [writer_of_accounts.tell(request, tenant, _item(audit, request, name)) for request in requests[-last:]]


def _item(audit: Audit, request: str, name: str) -> str | None:
    """The name, if it is that of an item of the request."""
    wanted = audit.queries.by_any_name(Filter(request_id=request, item_id=name, limit=1))
    return name if audit.parts.store.query(wanted).records else None


@ledger.command("replay")
def replay_(
    decision_id: Annotated[str | None, typer.Argument(help="One decision; default: all that the options name.")] = None,
    since: Since = None,
    tenant: Tenant = None,
    limit: Annotated[int | None, typer.Option(help="Decisions, at most.")] = None,
    engine: Annotated[EngineChoice, typer.Option(help="Which engine decides again.")] = "recorded",
    as_json: AsDocument = False,
) -> None:
    """Decide past rulings, requests and packs again under the bundles that made them: MATCH, MISMATCH, ERASED, DAMAGED or UNAVAILABLE."""
    given = {"decision_id": decision_id, "since": since, "tenant": tenant}
    wanted = shaped(Filter, {name: value for name, value in given.items() if value is not None})
    result = asyncio.run(_replay(wanted, limit, engine))
    if decision_id is not None and not result.total(*VERDICTS):
        raise NotFoundError("there is nothing of that decision id that can be decided again")
    if as_json:
        show_json(_counted(result))
    else:
        _show(result)
    if result.total(MISMATCH, DAMAGED):
        raise typer.Exit(4)
    if result.unavailable or (decision_id is not None and result.total(UNAVAILABLE)):
        raise typer.Exit(6)


def _counted(result: Replay) -> dict[str, object]:
    # Verdicts that did not come up stand there too, so that a program need not ask whether they are there.
    around = {name: {verdict: result.around[kind, verdict] for verdict in VERDICTS} for kind, name in _AROUND.items()}
    return {
        "rulings": {verdict: result.counts[verdict] for verdict in VERDICTS},
        **around,
        "contents": result.contents,
        "notes": dict(sorted(result.notes.items())),
        "wrong": [{"decision_id": one.decision_id, "verdict": one.verdict, "why": one.why} for one in result.wrong],
    }


_COLOURS: Final = dict(zip(VERDICTS, ("green", "red", "yellow", "red", "magenta"), strict=True))


def _show(result: Replay) -> None:
    for verdict, colour in _COLOURS.items():
        around = [
            f"{name} {result.around[kind, verdict]}" for kind, name in _AROUND.items() if result.around[kind, verdict]
        ]
        beside = f" rulings, {', '.join(around)}" if around else ""
        console.print(
            styled(f"[bold {colour}]{{}}[/] {{}}{{}}", verdict, result.counts[verdict], beside), highlight=False
        )
    if result.contents:
        console.print(f"Contents were kept of {result.contents}, and what was released made again.", highlight=False)
    for note, count in sorted(result.notes.items()):
        console.print(f"  {count} times: {note}", highlight=False, markup=False)
    for one in result.wrong[:20]:
        console.print(f"  {one.decision_id}: {one.verdict}: {one.why}", highlight=False, markup=False)


_AROUND: Final = {"request.opened": "requests", REFUSED: "refusals", "pack.sealed": "packs"}


async def _replay(wanted: Filter, limit: int | None, engine: EngineChoice) -> Replay:
    async with auditing() as audit:
        asked = {name: str(value) for name, value in wanted.model_dump(exclude_unset=True).items()}
        await audit.record_reading({**asked, "replay": engine}, "FILTER-REPLAY")
        await audit.keeper.round()
        if audit.station is not None:
            return await audit.station.replay(wanted, limit)
        with replaying(audit.settings, engine) as ask, progress_bar("deciding again", limit) as advance:
            # Not on another thread: a compiled bundle stays on the one that made it.
            return replay(audit.parts.evidence, ask, wanted, limit=limit, progress=advance)


@ledger.command()
def proof(decision_id: Annotated[str, typer.Argument(help="Decision id of a record.")]) -> None:
    """Print the proof that a record is in the log (C2SP tlog-proof)."""
    raw(asyncio.run(_proof(decision_id)), nl=False)


async def _proof(decision_id: str) -> str:
    async with auditing() as audit:
        await audit.keeper.round()
        found = LogReader(audit.parts.store).inclusion(decision_id)
    if found is None:
        raise NotFoundError("there is no record of that decision id")
    return str(found)


@ledger.command()
def checkpoint() -> None:
    """Print the newest signed checkpoint, brought up to date."""
    note = asyncio.run(_checkpoint())
    if note is None:
        raise FieldInvalidError("the log is empty", fields=[])
    raw(note, nl=False)


async def _checkpoint() -> str | None:
    async with auditing() as audit:
        published = await audit.keeper.best()
    return published.note if published else None
