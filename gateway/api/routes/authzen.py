"""AuthZEN over HTTP: `/access/v1/evaluation` and `/access/v1/evaluations`, each decision on record."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, Request, Response

from gateway.api.authzen import Decision, Evaluation, Evaluations, evaluate, evaluate_all
from gateway.api.calls import Server
from gateway.api.dependencies import Caller, RunningGateway, called, document_in, read_body
from gateway.api.openapi import ASKED, body_of
from gateway.audit.acts import record_evaluations
from gateway.bootstrap.gateway import Gateway
from gateway.concurrency.apart import apart
from gateway.content.parsing import shaped
from gateway.errors import TooManyItemsError
from gateway.model import PolicyVersion, Subject

router = APIRouter(prefix="/access/v1")

BODIES = (Evaluation, Evaluations)
_QUESTION: dict[str, Any] = {
    "subject": {"type": "user", "id": "sarah.lim"},
    "action": {"name": "risk_assessment"},
    "resource": {"type": "item", "id": "sop-4.2.1", "properties": {"section": "knowledge", "source_type": "bank_sop"}},
    "context": {"agent_id": ASKED["agent_id"], "jurisdictions": ASKED["jurisdictions"]},
}


@router.post("/evaluation", openapi_extra=body_of(Evaluation, _QUESTION))
async def evaluation(request: Request, response: Response, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """May this item be considered?"""
    async with _at_work(request, gateway, subject) as sent:
        question = shaped(Evaluation, await document_in(sent, request, gateway))
        now = gateway.clock()
        pinned, binding = gateway.pipeline.pinned(), gateway.pipeline.binding
        known, policy = pinned.registry, pinned.policy
        answer = await evaluate(question, subject, registry=known, policy=policy, now=now, binding=binding)
        await _record([answer], subject, gateway, policy.version)
    _echo(request, response)
    return answer.model_dump()


@router.post(
    "/evaluations", openapi_extra=body_of(Evaluations, {**_QUESTION, "evaluations": [{"action": {"name": "routing"}}]})
)
async def evaluations(request: Request, response: Response, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """May these items be considered?  Without a list, one question and one answer."""
    async with _at_work(request, gateway, subject) as sent:
        document = await document_in(sent, request, gateway)
        batch = await apart(lambda: shaped(Evaluations, document))
        _check_count(batch, gateway.settings.max_items)
        now = gateway.clock()
        pinned, binding = gateway.pipeline.pinned(), gateway.pipeline.binding
        known, policy = pinned.registry, pinned.policy
        answers = await evaluate_all(batch, subject, registry=known, policy=policy, now=now, binding=binding)
        await _record(answers, subject, gateway, policy.version)
    _echo(request, response)
    if not batch.evaluations:
        return answers[0].model_dump()
    return {"evaluations": [answer.model_dump() for answer in answers]}


@asynccontextmanager
async def _at_work(request: Request, gateway: Gateway, subject: Subject) -> AsyncIterator[bytes]:
    """A turn at work for who may ask, and the body."""
    call = called(request, gateway, subject, "rulings:write", "packs:write")
    server: Server = request.app.state.server
    async with server.in_time(call):
        sent = await read_body(request)
        async with server.queue.slot(subject.tenant):
            yield sent


async def _record(answers: Sequence[Decision], subject: Subject, gateway: Gateway, version: PolicyVersion) -> None:
    decided = [(answer.decision, [reason["code"] for reason in answer.context["reasons"]]) for answer in answers]
    await record_evaluations(decided, subject, version, gateway.clock(), ledger=gateway.recorder)


def _check_count(batch: Evaluations, most: int) -> None:
    if len(batch.evaluations) > most:
        raise TooManyItemsError(
            f"there are {len(batch.evaluations)} questions; at most {most} are allowed",
            fields=[("evaluations", f"must be at most {most}")],
        )


def _echo(request: Request, response: Response) -> None:
    """The caller's request id comes back (AuthZEN 10.1.3)."""
    if "x-request-id" in request.headers:
        response.headers["x-request-id"] = request.headers["x-request-id"][:200]
