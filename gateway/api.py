"""
The HTTP face (v1).

Rules held here: nobody is served without a verified token; every error is an RFC 9457 problem document
with a stable code and without any item's text; what the pipeline does not answer is not answered.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import httpx
import structlog

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.security import HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from gateway.admission import HEADER, FairQueue, Rates
from gateway.bootstrap.aside import used_tokens_of
from gateway.bootstrap.gateway import Gateway, running
from gateway.bootstrap.keys import token_verifier
from gateway.describing import ASKED, body_of, complete
from gateway.errors import (
    FieldInvalidError,
    GatewayError,
    IdentityMissingError,
    NotFoundError,
    RecordError,
    RequestTooLargeError,
    ScopeMissingError,
)
from gateway.headers import SecurityHeaders
from gateway.identity import TokenVerifier
from gateway.metrics import exposition
from gateway.model import ContextPack, PackRequest, Subject, Verdict
from gateway.observing import caller
from gateway.problems import PROBLEM, problem, trace_id_of
from gateway.reading import ReadingRoom
from gateway.refusals import record_refusal
from gateway.replica import Clock, system_clock
from gateway.serving import IDEMPOTENCY, Call, Decide, Server
from gateway.settings import Settings
from gateway.wire import dotted, parse_json

log = structlog.get_logger()


def create_app(settings: Settings | None = None, *, clock: Clock = system_clock) -> FastAPI:
    """The application; it starts its gateway when it is served."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(chosen, clock=clock) as gateway:
            app.state.gateway = gateway
            async with httpx.AsyncClient() as client:
                app.state.verifier = await token_verifier(chosen, client, used_tokens_of(gateway.answers))
                app.state.server = _server(gateway)
                yield

    app = FastAPI(title="ctxgate", version="1", lifespan=lifespan, responses=PROBLEM)
    app.add_middleware(SecurityHeaders)
    app.add_exception_handler(GatewayError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_parameter)
    app.add_exception_handler(HTTPException, _on_route)
    app.add_exception_handler(Exception, _on_crash)
    app.post(
        "/v1/packs", response_model=None, openapi_extra=body_of(PackRequest, ASKED), responses=_answers(ContextPack)
    )(packs)
    app.post(
        "/v1/rulings", response_model=None, openapi_extra=body_of(PackRequest, ASKED), responses=_answers(Verdict)
    )(rulings)
    # These use the dependencies above.
    from gateway import api_artifacts, api_authzen, api_citations, api_detokenize, api_ledger, api_policy  # noqa: PLC0415

    app.include_router(api_policy.router)
    app.include_router(api_authzen.router)
    app.include_router(api_detokenize.router)
    app.include_router(api_ledger.router)
    app.include_router(api_artifacts.router)
    app.include_router(api_citations.router)
    bodies = (api_policy, api_authzen, api_detokenize, api_ledger, api_citations)
    complete(app, (PackRequest, *(body for module in bodies for body in module.BODIES)))
    app.get("/healthz")(healthz)
    app.get("/readyz")(readyz)
    app.get("/metrics", response_class=PlainTextResponse)(metrics)
    return app


def _server(gateway: Gateway) -> Server:
    settings, pipeline = gateway.settings, gateway.pipeline
    queue = FairQueue(most=settings.max_concurrent, waiting=settings.max_waiting)
    rates = Rates(settings.rate_per_tenant, settings.rate_per_agent)
    return Server(settings, gateway.answers, pipeline.secret, queue, rates)


async def gateway_of(request: Request) -> Gateway:
    """The running gateway."""
    return request.app.state.gateway  # type: ignore[no-any-return]


async def subject_of(
    request: Request,
    gateway: Annotated[Gateway, Depends(gateway_of)],
    _bearer: Annotated[object, Depends(HTTPBearer(auto_error=False, description="A token of the trust layer."))],
) -> Subject:
    """The person the bearer token stands for."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise IdentityMissingError("there is no bearer token")
    verifier: TokenVerifier = request.app.state.verifier
    subject = await verifier.verify(token.strip(), gateway.clock())
    request.state.subject = subject
    return subject


Known = Annotated[Subject, Depends(subject_of)]
Running = Annotated[Gateway, Depends(gateway_of)]


async def packs(request: Request, gateway: Running, subject: Known) -> Response:
    """Candidates in, a governed pack out."""
    return await _served(request, gateway, subject, gateway.pipeline.assemble, "packs:write")


async def rulings(request: Request, gateway: Running, subject: Known) -> Response:
    """Candidates in, rulings out, on the same records."""
    return await _served(request, gateway, subject, gateway.pipeline.rule, "rulings:write", "packs:write")


async def _served(request: Request, gateway: Gateway, subject: Subject, decide: Decide, *scopes: str) -> Response:
    call = called(request, gateway, subject, *scopes)
    server: Server = request.app.state.server
    answer = await server.serve(call, lambda: _read(request, gateway.settings.max_request_bytes), decide)
    log.info("served", path=call.path, trace_id=call.trace_id, bytes=len(answer))
    return Response(answer, media_type="application/json")


def called(request: Request, gateway: Gateway, subject: Subject, *scopes: str) -> Call:
    """
    A call of somebody who may make it, with one of the scopes.

    Raises:
        ScopeMissingError: the token holds none of them.
    """
    require(subject, *scopes)
    trace_id = trace_id_of(request)
    caller.set(request.headers.get("traceparent") if trace_id else None)
    return Call(
        path=request.url.path,
        subject=subject,
        now=gateway.clock(),
        trace_id=trace_id,
        deadline=request.headers.get(HEADER),
        key=request.headers.get(IDEMPOTENCY),
    )


def reading_room(gateway: Gateway) -> ReadingRoom:
    """Where auditors' questions are answered."""
    return ReadingRoom(gateway.store, gateway.recorder, gateway.ledger.keeper.sequenced)


async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive"}


async def readyz(gateway: Running) -> dict[str, str]:
    """Policy, detectors and ledger are usable; the server starts only when they are."""
    if gateway.ledger.keeper.late:
        raise RecordError("the log has not been kept up for too long")
    return {"status": "ready", "policy": gateway.pipeline.policy.version.revision}


async def metrics(request: Request, gateway: Running) -> Response:
    """Counts in the Prometheus text format; of the process, never of a tenant."""
    state = request.app.state
    text = exposition(gateway, state.server.queue, state.verifier.failures)
    return Response(text, media_type=CONTENT_TYPE_LATEST)


async def read_document(request: Request, gateway: Gateway) -> object:
    """The body as a JSON document, within the limits."""
    body = await _read(request, gateway.settings.max_request_bytes)
    return parse_json(body, depth=gateway.settings.max_depth)


async def _read(request: Request, most: int) -> bytes:
    """The body, without ever holding more than the limit."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise RequestTooLargeError(f"the request has more than {most} bytes")
    return bytes(body)


def require(subject: Subject, *scopes: str) -> None:
    """
    Raises:
        ScopeMissingError: the token holds none of the scopes.
    """
    if not any(subject.holds(scope) for scope in scopes):
        raise ScopeMissingError(f"the token lacks the scope {scopes[0]}")


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    """The problem as a document, once the refusal of a known caller is on record."""
    if not isinstance(error, GatewayError):
        raise error
    log.warning("refused", code=error.code, reasons=error.reasons, trace_id=trace_id_of(request))
    subject: Subject | None = getattr(request.state, "subject", None)
    if subject is not None:
        gateway: Gateway = request.app.state.gateway
        try:
            await record_refusal(error, subject, gateway.clock(), trace_id_of(request), ledger=gateway.recorder)
        except RecordError as lost:
            error = lost
    return problem(error, request)


async def _on_parameter(request: Request, error: Exception) -> JSONResponse:
    """A parameter that is not one, as our kind of problem."""
    problems = error.errors() if isinstance(error, RequestValidationError) else []
    fields = [(dotted(one["loc"][1:]), one["msg"]) for one in problems]
    return await _on_error(request, FieldInvalidError("a parameter is not valid", fields=fields))


async def _on_route(request: Request, error: Exception) -> JSONResponse:
    """A path or method that does not exist, as our kind of problem."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(getattr(error, "headers", None) or {})
    return problem(NotFoundError("there is nothing here for that method"), request, status=status, headers=headers)


async def _on_crash(request: Request, error: Exception) -> JSONResponse:
    log.error("crashed", kind=type(error).__name__, trace_id=trace_id_of(request))
    return await _on_error(request, GatewayError("the gateway failed; nothing was released"))


def _answers(model: type[Verdict]) -> dict[int | str, dict[str, Any]]:
    return {200: {"model": model, "description": "Decided, screened and on record"}}
