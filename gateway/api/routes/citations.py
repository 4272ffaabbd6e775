"""Citations over HTTP: reviewers check what agents claim; auditors see how well agents ground their claims over time."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from gateway.api.calls import Server
from gateway.api.dependencies import (
    Caller,
    RunningGateway,
    actor_of,
    called,
    document_in,
    only_described,
    queries_of,
    read_body,
    require,
)
from gateway.api.openapi import body_of
from gateway.citations.check import Checker, scores_of
from gateway.concurrency.apart import apart
from gateway.content.parsing import shaped
from gateway.model.citation import CitationBody, CitationReply
from ledger.query import Filter
from ledger.receipt import place_in

router = APIRouter(prefix="/v1/citations", dependencies=[Depends(only_described)])

BODIES = (CitationBody,)
_CLAIM = {
    "id": "c1",
    "text": "This product is classified as a Variation.",
    "type": "classification_criteria",
    "citations": [{"doc_id": "SOPv3.2_NPA_Classification_Criteria", "version": "3.2", "section": "4.2.1"}],
}


@router.post("/verify", openapi_extra=body_of(CitationBody, {"pack": {"id": "pack_…"}, "claims": [_CLAIM]}))
async def verify(request: Request, gateway: RunningGateway, subject: Caller) -> CitationReply:
    """Which claims are grounded in what they cite, against a sealed pack; each on record before the answer."""
    call = called(request, gateway, subject, "citations:verify", "packs:write")
    checker = Checker(
        gateway.pipeline.policy,
        gateway.recorder,
        gateway.ledger.parts.keys,
        gateway.pipeline.binding,
        gateway.stores.secret,
        place_in(gateway.store),
    )
    server: Server = request.app.state.server
    async with server.in_time(call):
        sent = await read_body(request)
        async with server.queue.slot(subject.tenant):
            document = await document_in(sent, request, gateway)
            body = await apart(lambda: shaped(CitationBody, document))
            reply = await checker.check(body, subject, call.now, call.trace_id)
    gateway.observer.cited(reply)
    return reply


@router.get("/scores")
async def scores(
    gateway: RunningGateway,
    subject: Caller,
    agent: Annotated[str, Query(description="Whose claims.")],
    period: Annotated[str, Query(pattern="^(month|day|hour)$", description="Of which length.")] = "day",
) -> dict[str, Any]:
    """The part of an agent's claims that were grounded, by period; of the caller's tenant."""
    require(subject, "ledger:read")
    wanted = shaped(Filter, {"tenant": subject.tenant, "kind": "citation.verified", "agent": agent})
    actor = actor_of(subject)
    series = await queries_of(gateway).series(wanted, "outcome", period, actor, gateway.clock())
    return {"agent": agent, "scores": scores_of([(one.value, one.period, one.count) for one in series])}
