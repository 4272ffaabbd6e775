"""
The ledger over HTTP: questions for auditors of a tenant, and the static side for any verifier.

Rules held here: checkpoints and hashes tell nobody anything and are served to all; records are served to whoever may read
them, of their own tenant alone, and each reading is recorded; bundles of entries hold every tenant's records, so
they take a scope of their own.
"""

import asyncio
import json

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import Field

from gateway.api import Known, Running, read_document, reading_room, require
from gateway.bootstrap.aside import beside
from gateway.bootstrap.gateway import Gateway
from gateway.bootstrap.replaying import replaying
from gateway.describing import body_of
from gateway.erasing import erase
from gateway.errors import ConfigurationError, FieldInvalidError, NotFoundError, RecordError
from gateway.model import Subject
from gateway.model.base import Model, Name
from gateway.reading import Reader, as_csv, as_document
from gateway.replay import Replay, replay
from gateway.wire import shaped
from ledger.errors import LedgerError
from ledger.log import LogReader
from ledger.query import COUNTED, PERIODS, Filter
from ledger.store import Erasure
from ledger.tiles import parse_path

router = APIRouter()

_RECORDS: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "A page", "content": {"application/json": {}, "text/csv": {}, "application/jsonl": {}}}
}
_BYTES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "The bytes", "content": {"application/octet-stream": {}}}
}
_IMMUTABLE: Final = "public, max-age=31536000, immutable"


class EraseBody(Model):
    """Who is to be forgotten, and why."""

    subject: Name
    """The person's `sub`."""

    basis: Annotated[str, Field(min_length=1, max_length=2000)]
    """Why, in words; sealed under the key of the officer."""


BODIES = (EraseBody,)
_FORGET = {"subject": "sarah.lim", "basis": "Request of the data subject, 2026-03-01"}

TilePath = Annotated[str, Path(description="Level and number, as C2SP tlog-tiles writes them.")]
DecisionId = Annotated[str, Path(description="Of the record, as a pack or a receipt names it.")]


@router.get("/v1/ledger/records", responses=_RECORDS)
async def records(
    request: Request,
    gateway: Running,
    subject: Known,
    format_: Annotated[str, Query(alias="format", pattern="^(json|csv|jsonl)$", description="Of the page.")] = "json",
) -> Response:
    """Records of the caller's tenant in the order of the log, a page at a time.  Each read is itself recorded."""
    require(subject, "ledger:read")
    asked = {name: value for name, value in request.query_params.items() if name != "format"}
    room = reading_room(gateway)
    user = asked.pop("user", None)
    if user is not None:
        asked["subject"] = await room.token(subject.tenant, user)
    wanted = shaped(Filter, {**asked, "tenant": subject.tenant})
    page = await room.page(wanted, _reader(subject), gateway.clock())
    if format_ == "json":
        return JSONResponse(as_document(page))
    headers = {"x-next": str(page.next)} if page.next is not None else {}
    if format_ == "csv":
        return PlainTextResponse(as_csv(page), media_type="text/csv; charset=utf-8", headers=headers)
    return Response(b"".join(body + b"\n" for body in page.records), media_type="application/jsonl", headers=headers)


@router.get("/v1/ledger/stats")
async def stats(request: Request, gateway: Running, subject: Known) -> JSONResponse:
    """Counts of records of the caller's tenant, by a column, and by time if asked."""
    require(subject, "ledger:read")
    asked = dict(request.query_params)
    by, period = asked.pop("by", "outcome"), asked.pop("period", None)
    if by not in COUNTED or period not in {None, *PERIODS}:
        raise FieldInvalidError("nothing is counted by that", fields=[("by", f"one of {', '.join(COUNTED)}")])
    wanted = shaped(Filter, {**asked, "tenant": subject.tenant})
    series = await reading_room(gateway).series(wanted, by, period, _reader(subject), gateway.clock())
    return JSONResponse({"series": [{"value": s.value, "period": s.period, "count": s.count} for s in series]})


@router.get("/v1/ledger/records/{decision_id}")
async def record(decision_id: DecisionId, gateway: Running, subject: Known) -> Response:
    """One record, as the bytes that are hashed."""
    return Response(await _body(decision_id, gateway, subject), media_type="application/json")


@router.get("/v1/ledger/records/{decision_id}/proof", response_class=PlainTextResponse)
async def proof(decision_id: DecisionId, gateway: Running, subject: Known) -> PlainTextResponse:
    """The proof that a record is in the log (C2SP tlog-proof)."""
    await _body(decision_id, gateway, subject)
    await _under_a_checkpoint(gateway)
    found = await _from_ledger(lambda: LogReader(gateway.store).inclusion(decision_id))
    if found is None:
        raise NotFoundError("the record is not under a checkpoint yet")
    return PlainTextResponse(str(found))


@router.get("/v1/ledger/records/{decision_id}/replay")
async def replay_one(decision_id: DecisionId, gateway: Running, subject: Known) -> JSONResponse:
    """A ruling decided again under the bundle that made it: MATCH, MISMATCH or ERASED."""
    await _body(decision_id, gateway, subject)
    wanted = Filter(tenant=subject.tenant, decision_id=decision_id)
    result = await _from_ledger(lambda: _replay(gateway, wanted))
    if not result.counts:
        raise NotFoundError("the record is not a ruling that can be decided again")
    [verdict] = result.counts
    return JSONResponse({"decision_id": decision_id, "verdict": verdict, "why": [one.why for one in result.mismatches]})


@router.get("/v1/packs/{pack_id}")
async def pack(
    pack_id: Annotated[str, Path(description="Of the pack, as it was handed over.")], gateway: Running, subject: Known
) -> JSONResponse:
    """What is on record of a sealed pack of the caller's tenant: its own record, and those of all its items."""
    require(subject, "ledger:read")
    room, reader, now = reading_room(gateway), _reader(subject), gateway.clock()
    found = await room.page(Filter(tenant=subject.tenant, kind="pack.sealed", pack_id=pack_id), reader, now)
    if not found.records:
        raise NotFoundError("there is no pack of that id")
    sealed = json.loads(found.records[0])
    records: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        wanted = Filter(tenant=subject.tenant, request_id=sealed["request_id"], after=after, limit=1000)
        page = await room.page(wanted, reader, now)
        records += map(json.loads, page.records)
        after = page.next
    items = [one for one in records if one["kind"] in {"item.ruled", "item.dropped"}]
    return JSONResponse({"sealed": sealed, "items": items})


@router.get("/v1/traces/{trace_id}")
async def traces(
    trace_id: Annotated[str, Path(description="Of the W3C traceparent header, or the one in the answer.")],
    gateway: Running,
    subject: Known,
) -> JSONResponse:
    """How the requests of a trace went, stage by stage; of the caller's tenant alone, and without any content."""
    require(subject, "ledger:read")
    found = await gateway.traces.get(subject.tenant, trace_id)
    if not found:
        raise NotFoundError("there is no trace of that id")
    return JSONResponse({"traces": found})


@router.post("/v1/ledger/erasures", openapi_extra=body_of(EraseBody, _FORGET))
async def erasures(request: Request, gateway: Running, subject: Known) -> JSONResponse:
    """Forget a person of the caller's tenant: keys, salts, inputs, contents and name go; records and proofs stay."""
    require(subject, "erasure:write")
    body = shaped(EraseBody, await read_document(request, gateway))
    if gateway.settings.ledger_url is not None:
        raise ConfigurationError("the gateway's database role may not erase: use `ctxgate ledger erase`")
    done = await erase(
        Erasure(subject.tenant, body.subject),
        body.basis,
        _reader(subject),
        gateway.clock(),
        store=gateway.store,
        recorder=gateway.recorder,
        beside=beside(gateway.answers, gateway.settings),
        catch_up=reading_room(gateway).up_to_date,
    )
    return JSONResponse(
        {
            "token": done.token,
            "records": done.records,
            "held": done.held,
            "answers": done.answers,
            "turns": done.turns,
            "artifacts": done.artifacts,
        }
    )


@router.get("/checkpoint", response_class=PlainTextResponse)
async def checkpoint(gateway: Running) -> PlainTextResponse:
    """The newest signed checkpoint, of those that enough witnesses saw where there are any (C2SP tlog-checkpoint)."""
    published = gateway.ledger.keeper.published or await _from_ledger(gateway.store.published)
    if published is None:
        raise NotFoundError("the log is empty")
    return PlainTextResponse(published.note, headers={"cache-control": "no-cache"})


@router.get("/tile/entries/{rest:path}", responses=_BYTES)
async def entries(rest: TilePath, gateway: Running, subject: Known) -> Response:
    """A bundle of entries, of every tenant (C2SP tlog-tiles)."""
    require(subject, "ledger:export")
    asked = {"export": f"tile/entries/{rest}"}
    await reading_room(gateway).note("ledger.read", asked, _reader(subject), gateway.clock(), codes=["FILTER-EXPORT"])
    return await _tile(f"tile/entries/{rest}", gateway, "private, no-store")


@router.get("/tile/{rest:path}", responses=_BYTES)
async def tile(rest: TilePath, gateway: Running) -> Response:
    """A tile of hashes (C2SP tlog-tiles)."""
    return await _tile(f"tile/{rest}", gateway, _IMMUTABLE)


async def _tile(path: str, gateway: Gateway, caching: str) -> Response:
    name = parse_path(path)
    body = await _from_ledger(lambda: LogReader(gateway.store).tile(name)) if name else None
    if body is None:
        raise NotFoundError("there is no such tile")
    return Response(body, media_type="application/octet-stream", headers={"cache-control": caching})


async def _body(decision_id: str, gateway: Gateway, subject: Subject) -> bytes:
    require(subject, "ledger:read")
    found = await reading_room(gateway).bodies([decision_id], _reader(subject), gateway.clock())
    if decision_id not in found:
        raise NotFoundError("there is no record of that decision id")
    return found[decision_id]


def _replay(gateway: Gateway, wanted: Filter) -> Replay:
    with replaying(gateway.settings, "embedded") as ask:
        return replay(gateway.ledger.parts.evidence, ask, wanted)


def _reader(subject: Subject) -> Reader:
    return Reader(subject.tenant, subject.sub)


async def _under_a_checkpoint(gateway: Gateway) -> None:
    try:
        await gateway.ledger.keeper.round()
    except (LedgerError, OSError) as error:
        raise RecordError("the ledger did not answer") from error


async def _from_ledger(act: Any) -> Any:  # noqa: ANN401 - what it answers
    try:
        return await asyncio.to_thread(act)
    except LedgerError as error:
        raise RecordError("the ledger did not answer") from error
