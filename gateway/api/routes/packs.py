"""Packs and rulings over HTTP."""

import json

from typing import Annotated, Any

import structlog

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse

from gateway.api.calls import Decide, Server
from gateway.api.dependencies import Caller, RunningGateway, actor_of, called, queries_of, read_body, require
from gateway.api.openapi import ASKED, body_of
from gateway.bootstrap.gateway import Gateway
from gateway.content.parsing import shaped
from gateway.errors import NotFoundError
from gateway.model import ContextPack, PackRequest, RulingsAnswer, Subject
from ledger.query import Filter

log = structlog.get_logger()

router = APIRouter(prefix="/v1")

BODIES = (PackRequest,)


def _answers(model: type[RulingsAnswer]) -> dict[int | str, dict[str, Any]]:
    return {200: {"model": model, "description": "Decided, screened and on record"}}


@router.post("/packs", response_model=None, openapi_extra=body_of(PackRequest, ASKED), responses=_answers(ContextPack))
async def packs(request: Request, gateway: RunningGateway, subject: Caller) -> Response:
    """Candidates in, a governed pack out."""
    return await _served(request, gateway, subject, gateway.pipeline.assemble, "packs:write")


@router.post(
    "/rulings", response_model=None, openapi_extra=body_of(PackRequest, ASKED), responses=_answers(RulingsAnswer)
)
async def rulings(request: Request, gateway: RunningGateway, subject: Caller) -> Response:
    """Candidates in, rulings out, on the same records."""
    return await _served(request, gateway, subject, gateway.pipeline.rule, "rulings:write", "packs:write")


async def _served(request: Request, gateway: Gateway, subject: Subject, decide: Decide, *scopes: str) -> Response:
    call = called(request, gateway, subject, *scopes)
    server: Server = request.app.state.server
    answer = await server.serve(call, lambda: read_body(request), decide)
    log.info("served", path=call.path, trace_id=call.trace_id, bytes=len(answer))
    return Response(answer, media_type="application/json")


@router.get("/packs/{pack_id}")
async def pack(
    pack_id: Annotated[str, Path(description="Of the pack, as it was handed over.")],
    gateway: RunningGateway,
    subject: Caller,
) -> JSONResponse:
    """What is on record of a sealed pack of the caller's tenant: its own record, and those of all its items."""
    require(subject, "ledger:read")
    queries, actor, now = queries_of(gateway), actor_of(subject), gateway.clock()
    named = shaped(Filter, {"tenant": subject.tenant, "kind": "pack.sealed", "pack_id": pack_id})
    found = await queries.page(named, actor, now)
    if not found.records:
        raise NotFoundError("there is no pack of that id")
    sealed = json.loads(found.records[0])
    records: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        wanted = Filter(tenant=subject.tenant, request_id=sealed["request_id"], after=after, limit=1000)
        page = await queries.page(wanted, actor, now)
        records += map(json.loads, page.records)
        after = page.next
    items = [one for one in records if one["kind"] in {"item.ruled", "item.dropped"}]
    return JSONResponse({"sealed": sealed, "items": items})
