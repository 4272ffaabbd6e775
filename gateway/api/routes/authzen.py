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
        question = shaped(Evaluation, document_in(sent, gateway))
        now = gateway.clock()
        pinned, binding = gateway.pipeline.pinned(), gateway.pipeline.binding
        answer = await evaluate(
            question, subject, registry=pinned.registry, policy=pinned.policy, now=now, binding=binding
        )
        await _record([answer], subject, gateway, pinned.policy.version)
    _echo(request, response)
    return answer.model_dump()


@router.post(
    "/evaluations", openapi_extra=body_of(Evaluations, {**_QUESTION, "evaluations": [{"action": {"name": "routing"}}]})
)
async def evaluations(request: Request, response: Response, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """May these items be considered?  Without a list, one question and one answer."""
    async with _at_work(request, gateway, subject) as sent:
        batch = shaped(Evaluations, document_in(sent, gateway))
        if len(batch.evaluations) > gateway.settings.max_items:
            raise TooManyItemsError(f"there are more than {gateway.settings.max_items} questions")
        pinned = gateway.pipeline.pinned()
        answers = await evaluate_all(
            batch,
            subject,
            registry=pinned.registry,
            policy=pinned.policy,
            now=gateway.clock(),
            binding=gateway.pipeline.binding,
        )
        await _record(answers, subject, gateway, pinned.policy.version)
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


def _echo(request: Request, response: Response) -> None:
    """The caller's request id comes back (AuthZEN 10.1.3)."""
    if "x-request-id" in request.headers:
        response.headers["x-request-id"] = request.headers["x-request-id"][:200]
