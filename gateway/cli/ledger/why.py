"""`ctxgate ledger why`, `replay`, `proof`: one decision, explained, repeated and proved."""

import asyncio

from typing import Annotated, Literal

import typer

from gateway.audit.open_ledger import OpenLedger
from gateway.audit.replay import ERASED, MATCH, MISMATCH, Replay, replay
from gateway.audit.why import Account, AccountWriter, titles
from gateway.bootstrap.policies import configured_bundle
from gateway.bootstrap.replay import replaying, witness_keys
from gateway.cli.ledger.query import Since, Tenant, auditing, ledger
from gateway.cli.output import console, raw, styled
from gateway.content.parsing import shaped
from gateway.errors import FieldInvalidError, NotFoundError
from ledger.log import LogReader
from ledger.query import Filter


@ledger.command()
def why(
    name: Annotated[str, typer.Argument(help="A pack, item, decision, request or trace id.")],
    tenant: Tenant = None,
    last: Annotated[int, typer.Option(help="How many requests to tell of, newest last.")] = 3,
) -> None:
    """Tell what happened to one pack or item, in plain words, and how far it is proved."""
    for account in asyncio.run(_accounts(name, tenant, last)):
        console.print(styled("\n[bold]{}[/]", account.opening), highlight=False)
        for chapter in account.entries:
            console.print(f"  {chapter.sentence}", highlight=False, markup=False)
            console.print(f"      {chapter.proof}", highlight=False, markup=False, style="dim")
        console.print(account.closing, highlight=False, markup=False)


async def _accounts(name: str, tenant: str | None, last: int) -> list[Account]:
    async with auditing() as audit:
        await audit.record_reading({"why": name})
        await audit.queries.up_to_date()
        parts = audit.parts
        writer_of_accounts = AccountWriter(
            parts.store, parts.keys, witness_keys(parts), titles(configured_bundle(audit.settings))
        )
        requests = writer_of_accounts.requests_of(name, tenant)
        if not requests:
            raise NotFoundError("the ledger has no pack, item, decision, request or trace of that name")
        return [writer_of_accounts.tell(request, tenant, _item(parts, request, name)) for request in requests[-last:]]


def _item(parts: OpenLedger, request: str, name: str) -> str | None:
    """The name, if it is that of an item of the request."""
    return name if parts.store.query(Filter(request_id=request, item_id=name, limit=1)).records else None


@ledger.command("replay")
def replay_(
    decision_id: Annotated[str | None, typer.Argument(help="One decision; default: all that the options name.")] = None,
    since: Since = None,
    tenant: Tenant = None,
    limit: Annotated[int | None, typer.Option(help="Decisions, at most.")] = None,
    engine: Annotated[Literal["embedded", "opa"], typer.Option(help="Which engine decides again.")] = "embedded",
) -> None:
    """Decide past rulings again under the bundles that made them: MATCH, MISMATCH or ERASED."""
    given = {"decision_id": decision_id, "since": since, "tenant": tenant}
    wanted = shaped(Filter, {name: value for name, value in given.items() if value is not None})
    result = asyncio.run(_replay(wanted, limit, engine))
    if decision_id is not None and not result.counts:
        raise NotFoundError("there is no ruling of that decision id")
    for verdict, colour in ((MATCH, "green"), (MISMATCH, "red"), (ERASED, "yellow")):
        console.print(styled(f"[bold {colour}]{{}}[/] {{}}", verdict, result.counts[verdict]), highlight=False)
    for one in result.mismatches[:20]:
        console.print(f"  {one.decision_id}: {one.why}", highlight=False, markup=False)
    if result.counts[MISMATCH]:
        raise typer.Exit(4)


async def _replay(wanted: Filter, limit: int | None, engine: str) -> Replay:
    async with auditing() as audit:
        asked = {name: str(value) for name, value in wanted.model_dump(exclude_unset=True).items()}
        await audit.record_reading({**asked, "replay": engine}, "FILTER-REPLAY")
        await audit.keeper.round()
        with replaying(audit.settings, engine) as ask:
            # Not on another thread: a compiled bundle stays on the one that made it.
            return replay(audit.parts.evidence, ask, wanted, limit=limit)


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
