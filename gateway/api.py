"""
The HTTP face (v1).

Rules held here: nobody is served without a verified token; every error is an RFC 9457 problem document
with a stable code and without any item's text; what the pipeline does not answer is not answered.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import structlog

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.bootstrap import Gateway, running
from gateway.bootstrap.keys import token_verifier
from gateway.errors import GatewayError, IdentityMissingError, RequestTooLargeError, ScopeMissingError
from gateway.metrics import exposition
from gateway.model import ContextPack, PackRequest, Subject, Verdict
from gateway.pipeline import Asked
from gateway.ports import TokenVerifier
from gateway.problems import Busy, problem, trace_id_of
from gateway.reading import read_records
from gateway.refusals import record_refusal
from gateway.replica import Clock, system_clock
from gateway.settings import Settings
from gateway.wire import parse_json, parse_request, shaped
from ledger.query import Filter

log = structlog.get_logger()


def create_app(settings: Settings | None = None, *, clock: Clock = system_clock) -> FastAPI:
    """The application; it starts its gateway when it is served."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(chosen, clock=clock) as gateway:
            app.state.gateway = gateway
            app.state.verifier = token_verifier(chosen)
            app.state.busy = Busy(chosen.max_concurrent)
            yield

    app = FastAPI(title="ctxgate", version="1", lifespan=lifespan)
    app.add_exception_handler(GatewayError, _on_error)
    app.add_exception_handler(Exception, _on_crash)
    app.post("/v1/packs", response_model=None, openapi_extra=_body(), responses=_answers(ContextPack))(packs)
    app.post("/v1/rulings", response_model=None, openapi_extra=_body(), responses=_answers(Verdict))(rulings)
    app.get("/v1/ledger/records", response_model=None)(ledger_records)
    # These use the dependencies above.
    from gateway import api_authzen, api_detokenize, api_policy  # noqa: PLC0415

    app.include_router(api_policy.router)
    app.include_router(api_authzen.router)
    app.include_router(api_detokenize.router)
    app.get("/healthz")(healthz)
    app.get("/readyz")(readyz)
    app.get("/metrics")(metrics)
    return app


async def gateway_of(request: Request) -> Gateway:
    """The running gateway."""
    return request.app.state.gateway  # type: ignore[no-any-return]


async def subject_of(request: Request, gateway: Annotated[Gateway, Depends(gateway_of)]) -> Subject:
    """The person the bearer token stands for."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise IdentityMissingError("there is no bearer token")
    verifier: TokenVerifier = request.app.state.verifier
    return await verifier.verify(token.strip(), gateway.clock())


Known = Annotated[Subject, Depends(subject_of)]
Running = Annotated[Gateway, Depends(gateway_of)]


async def packs(request: Request, gateway: Running, subject: Known) -> Response:
    """Candidates in, a governed pack out."""
    asked = await _asked(request, gateway, subject, "packs:write")
    with request.app.state.busy:
        pack = await gateway.pipeline.assemble(asked)
    log.info("pack_sealed", trace_id=asked.trace_id, pack=pack.id, items=len(pack.rulings))
    return _document(pack)


async def rulings(request: Request, gateway: Running, subject: Known) -> Response:
    """Candidates in, rulings out, on the same records."""
    asked = await _asked(request, gateway, subject, "rulings:write", "packs:write")
    with request.app.state.busy:
        return _document(await gateway.pipeline.rule(asked))


async def ledger_records(request: Request, gateway: Running, subject: Known) -> JSONResponse:
    """Records of the caller's tenant, oldest first, a page at a time.  Each read is itself recorded."""
    require(subject, "ledger:read")
    wanted = shaped(Filter, {**request.query_params, "tenant": subject.tenant})
    return JSONResponse(await read_records(wanted, subject, gateway))


async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive"}


async def readyz(gateway: Running) -> dict[str, str]:
    """Policy, detectors and ledger are usable; the server starts only when they are."""
    return {"status": "ready", "policy": gateway.pipeline.policy.version.revision}


async def metrics(gateway: Running) -> Response:
    """Counts in the Prometheus text format; of the process, never of a tenant."""
    return Response(exposition(gateway), media_type=CONTENT_TYPE_LATEST)


async def _asked(request: Request, gateway: Gateway, subject: Subject, *scopes: str) -> Asked:
    now, trace_id = gateway.clock(), trace_id_of(request)
    try:
        require(subject, *scopes)
        body = parse_request(await _read(request, gateway.settings.max_request_bytes), gateway.settings.limits)
    except GatewayError as error:
        await record_refusal(error, subject, now, trace_id, ledger=gateway.recorder)
        raise
    return Asked(body, subject, now, trace_id)


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


def _document(answer: Verdict) -> Response:
    return Response(answer.model_dump_json(), media_type="application/json")


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, GatewayError):
        raise error
    log.warning("refused", code=error.code, reasons=error.reasons, trace_id=trace_id_of(request))
    return problem(error, request)


async def _on_crash(request: Request, error: Exception) -> JSONResponse:
    log.error("crashed", kind=type(error).__name__, trace_id=trace_id_of(request))
    return problem(GatewayError("the gateway failed; nothing was released"), request)


def _body() -> dict[str, Any]:
    schema = PackRequest.model_json_schema(ref_template="#/components/schemas/{model}")
    schema.pop("$defs", None)
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _answers(model: type[Verdict]) -> dict[int | str, dict[str, Any]]:
    return {200: {"model": model, "description": "Decided, screened and on record"}}
