"""Guardrails of other gateways over HTTP: whatever goes wrong is a problem document and no verdict, so that they send nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, TypeVar

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse

from gateway.api.calls import Server
from gateway.api.dependencies import Caller, RunningGateway, called, only_described, read_document
from gateway.api.openapi import body_of
from gateway.bootstrap.gateway import Gateway
from gateway.concurrency.apart import apart
from gateway.content.parsing import shaped
from gateway.errors import IdentityMissingError, NotFoundError, TokenInvalidError
from gateway.guardrails.agentgateway import WebhookQuestion
from gateway.guardrails.exchange import GuardrailVerdict, Part, request_of, verdict_of
from gateway.guardrails.litellm import PERSON, LiteLLMQuestion, answer_of
from gateway.model import Ruling, RulingsAnswer, Subject
from gateway.model.sources.channels import Channel
from gateway.pipeline import Asked
from gateway.policy.agent import NO_PERSON
from gateway.ports.identity import TokenVerifier

router = APIRouter(prefix="/v1/guardrails", dependencies=[Depends(only_described)])

BODIES = (LiteLLMQuestion, WebhookQuestion)
_MESSAGE: Final = {"role": "user", "content": "What is a target redemption forward?"}
_LITELLM: Final = {"input_type": "request", "texts": [_MESSAGE["content"]], "structured_messages": [_MESSAGE]}
_Named = Annotated[str, Path(description="Of the table registry/channels.", max_length=200)]
_Question = TypeVar("_Question", LiteLLMQuestion, WebhookQuestion)


@router.post(
    "/litellm/{channel}/beta/litellm_basic_guardrail_api", openapi_extra=body_of(LiteLLMQuestion, dict(_LITELLM))
)
async def litellm(channel: _Named, request: Request, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """LiteLLM asks before it calls a model (its Generic Guardrail API)."""
    guarding = _Guarding(request, gateway, subject, channel)
    question = await guarding.read(LiteLLMQuestion)
    return JSONResponse(answer_of(await guarding.decided(await apart(question.parts), question.person())))


@router.post(
    "/agentgateway/{channel}/request", openapi_extra=body_of(WebhookQuestion, {"body": {"messages": [_MESSAGE]}})
)
async def agentgateway(channel: _Named, request: Request, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """Agentgateway asks before it calls a model (its guardrail webhook)."""
    guarding = _Guarding(request, gateway, subject, channel)
    question = await guarding.read(WebhookQuestion)
    verdict = await guarding.decided(await apart(question.parts), request.headers.get(PERSON))
    return JSONResponse(question.answer(verdict))


def _channel(gateway: Gateway, name: str) -> Channel:
    channel = gateway.pipeline.pinned().registry.channels.get(name)
    if channel is None:
        raise NotFoundError("there is no channel of that name")
    return channel


class _Guarding:
    """One question, from its body to its verdict."""

    def __init__(self, request: Request, gateway: Gateway, service: Subject, channel: str) -> None:
        # A header of the application's request that comes along is no key of ours.
        self._call = replace(called(request, gateway, service, "rulings:write", "packs:write"), key=None)
        # Only now: whoever lacks the scope is not told which channels there are.
        self._request, self._gateway, self._service = request, gateway, service
        self._channel = _channel(gateway, channel)

    async def read(self, kind: type[_Question]) -> _Question:
        """The body, within the limits."""
        server: Server = self._request.app.state.server
        async with server.in_time(self._call):
            document = await read_document(self._request, self._gateway)
            return await apart(lambda: shaped(kind, document))

    async def decided(self, parts: Sequence[Part], person: str | None) -> GuardrailVerdict:
        """The verdict, with its rulings on record; nothing to decide is nothing to refuse."""
        if not parts:
            return GuardrailVerdict(None, (), changed=False)
        subject, codes = await self._subject(person)
        rulings: list[Ruling] = []

        async def body() -> bytes:
            made = await apart(lambda: request_of(self._channel, parts, self._call.now).model_dump_json())
            return made.encode()

        async def decide(asked: Asked) -> RulingsAnswer:
            answer, found = await self._gateway.pipeline.guard(replace(asked, subject=subject, codes=codes))
            rulings.extend(found)
            answers.append(answer)
            return answer

        answers: list[RulingsAnswer] = []
        server: Server = self._request.app.state.server
        await server.serve(self._call, body, decide)
        return await apart(lambda: verdict_of(parts, answers[0], rulings))

    async def _subject(self, token: str | None) -> tuple[Subject, tuple[str, ...]]:
        """Who it is decided for: the person whose token comes along, else the service with the role that the channel gives it."""
        if token is None:
            if self._channel.without_person is None:
                raise IdentityMissingError(f"the channel decides for persons alone: there is no header {PERSON}")
            return self._service.model_copy(update={"role": self._channel.without_person}), (NO_PERSON,)
        verifier: TokenVerifier = self._request.app.state.verifier
        scheme, _, bare = token.strip().rpartition(" ")
        if scheme.lower() not in {"", "bearer"}:
            raise TokenInvalidError(f"the header {PERSON} holds no bearer token")
        person = await verifier.verify(bare, self._call.now)
        if person.tenant != self._service.tenant:
            raise TokenInvalidError(f"the person of {PERSON} is of another tenant than the service")
        return person, ()
