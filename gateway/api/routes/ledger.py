"""
The ledger over HTTP: questions for auditors of a tenant.

Rules held here: records are served to whoever may read them, of their own tenant alone, and each reading is recorded.
"""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from gateway.api.dependencies import Caller, RunningGateway, actor_of, from_ledger, queries_of, require
from gateway.audit.queries import as_csv, as_document, of_all_tenants
from gateway.bootstrap.gateway import Gateway
from gateway.bootstrap.replay import replaying
from gateway.content.parsing import shaped
from gateway.errors import FieldInvalidError, NotFoundError, RecordError
from gateway.model import Subject
from gateway.replay.run import replay
from gateway.replay.verdicts import Replay
from ledger.errors import LedgerError
from ledger.log import LogReader
from ledger.query import COUNTED, PERIODS, Filter

router = APIRouter()

_RECORDS: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "A page", "content": {"application/json": {}, "text/csv": {}, "application/jsonl": {}}}
}

DecisionId = Annotated[str, Path(description="Of the record, as a pack or a receipt names it.")]


@router.get("/v1/ledger/records", responses=_RECORDS)
async def records(
    request: Request,
    gateway: RunningGateway,
    subject: Caller,
    format_: Annotated[str, Query(alias="format", pattern="^(json|csv|jsonl)$", description="Of the page.")] = "json",
    of: Annotated[
        str, Query(pattern="^(tenant|gateway)$", description="`gateway`: of bundles, which decide for every tenant.")
    ] = "tenant",
) -> Response:
    """
    Records of the caller's tenant in the order of the log, a page at a time; or those of the gateway itself that concern every
    tenant.  Each read is itself recorded.
    """
    require(subject, "ledger:read")
    asked = {name: value for name, value in request.query_params.items() if name not in {"format", "of"}}
    queries = queries_of(gateway)
    user = asked.pop("user", None)
    if user is not None:
        asked["subject"] = await queries.token(subject.tenant, user)
    wanted = shaped(Filter, {**asked, "tenant": subject.tenant})
    if of == "gateway":
        wanted = of_all_tenants(wanted)
    page = await queries.page(wanted, actor_of(subject), gateway.clock())
    if format_ == "json":
        return JSONResponse(as_document(page))
    headers = {"x-next": str(page.next)} if page.next is not None else {}
    if format_ == "csv":
        return PlainTextResponse(as_csv(page), media_type="text/csv; charset=utf-8", headers=headers)
    return Response(b"".join(body + b"\n" for body in page.records), media_type="application/jsonl", headers=headers)


@router.get("/v1/ledger/stats")
async def stats(request: Request, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """Counts of records of the caller's tenant, by a column, and by time if asked."""
    require(subject, "ledger:read")
    asked = dict(request.query_params)
    by, period = asked.pop("by", "outcome"), asked.pop("period", None)
    if by not in COUNTED or period not in {None, *PERIODS}:
        raise FieldInvalidError(
            "records are counted by a column of the list", fields=[("by", f"one of {', '.join(COUNTED)}")]
        )
    wanted = shaped(Filter, {**asked, "tenant": subject.tenant})
    series = await queries_of(gateway).series(wanted, by, period, actor_of(subject), gateway.clock())
    return JSONResponse({"series": [{"value": s.value, "period": s.period, "count": s.count} for s in series]})


@router.get("/v1/ledger/records/{decision_id}")
async def record(decision_id: DecisionId, gateway: RunningGateway, subject: Caller) -> Response:
    """One record, as the bytes that are hashed."""
    return Response(await _body(decision_id, gateway, subject), media_type="application/json")


@router.get("/v1/ledger/records/{decision_id}/proof", response_class=PlainTextResponse)
async def proof(decision_id: DecisionId, gateway: RunningGateway, subject: Caller) -> PlainTextResponse:
    """The proof that a record is in the log (C2SP tlog-proof)."""
    await _body(decision_id, gateway, subject)
    await _under_a_checkpoint(gateway)
    found = await from_ledger(lambda: LogReader(gateway.store).inclusion(decision_id))
    if found is None:
        raise NotFoundError("the record is not under a checkpoint yet")
    return PlainTextResponse(str(found))


@router.get("/v1/ledger/records/{decision_id}/replay")
async def replay_one(decision_id: DecisionId, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """A ruling, request or pack decided again under the bundle that made it: MATCH, MISMATCH, ERASED, DAMAGED or UNAVAILABLE."""
    await _body(decision_id, gateway, subject)
    wanted = Filter(tenant=subject.tenant, decision_id=decision_id)
    result = await from_ledger(lambda: _replay(gateway, wanted))
    verdicts = [*result.counts, *(verdict for _, verdict in result.around)]
    if not verdicts:
        raise NotFoundError("the record is of nothing that can be decided again")
    told = {"decision_id": decision_id, "verdict": verdicts[0], "why": [one.why for one in result.wrong]}
    return JSONResponse({**told, "contents": result.contents > 0, "notes": sorted(result.notes)})


async def _body(decision_id: str, gateway: Gateway, subject: Subject) -> bytes:
    require(subject, "ledger:read")
    found = await queries_of(gateway).bodies([decision_id], actor_of(subject), gateway.clock())
    if decision_id not in found:
        raise NotFoundError("there is no record of that decision id")
    return found[decision_id]


def _replay(gateway: Gateway, wanted: Filter) -> Replay:
    detectors = {detector.name: detector.version for detector in gateway.pipeline.detectors}
    # No server of OPA is started for a question over HTTP; a bundle answers the same with either engine.
    with replaying(gateway.settings, "embedded", detectors) as deciders:
        return replay(gateway.ledger.parts.evidence, deciders, wanted)


async def _under_a_checkpoint(gateway: Gateway) -> None:
    try:
        await gateway.ledger.keeper.round()
    except (LedgerError, OSError) as error:
        raise RecordError("the ledger did not answer") from error
