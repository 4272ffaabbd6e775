"""
The HTTP face (v1).

Rules held here: nobody is served without a verified token; whatever happens, the answer is an RFC 9457 problem document
with a stable code and without any item's text, once the refusal of a known caller is on record.
"""

import asyncio

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

import structlog

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from gateway.api.admission import FairQueue, Rates
from gateway.api.answering import Answering, ended_by_us
from gateway.api.bodies import OpenRequests
from gateway.api.calls import Server
from gateway.api.doors import Doors
from gateway.api.headers import SecurityHeaders
from gateway.api.openapi import complete
from gateway.api.problems import PROBLEM, problem, trace_id_of
from gateway.api.routes import ROUTES
from gateway.audit.refusals import record_refusal
from gateway.bootstrap.finding import watching_quality
from gateway.bootstrap.gateway import Gateway, running
from gateway.bootstrap.identity import verifying
from gateway.bootstrap.knowledge import mending
from gateway.bootstrap.process import system_clock
from gateway.concurrency.garbage import collected_between_requests
from gateway.content.parsing import dotted
from gateway.errors import DeadlineExceededError, FieldInvalidError, GatewayError, NotFoundError, RecordError
from gateway.model import Subject
from gateway.model.base import Clock
from gateway.settings import Settings

log = structlog.get_logger()


def create_app(settings: Settings | None = None, *, clock: Clock = system_clock, alone: bool = False) -> FastAPI:
    """
    The application; it starts its gateway when it is served.

    Args:
        settings: its own; from the environment when None.
        clock: tells the time.
        alone: nothing else runs in this process, so its garbage may be collected when nobody is served.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(chosen, clock=clock) as gateway:
            app.state.gateway = gateway
            async with verifying(chosen, gateway.stores.used_tokens) as app.state.verifier:
                app.state.server = server = _server(gateway)
                async with (
                    mending(gateway.knowledge),
                    watching_quality(gateway),
                    collected_between_requests(lambda: server.open.count) if alone else nullcontext(),
                ):
                    yield

    # A redirect would name the host that the caller named; the description of the API has routes of its own.
    app = FastAPI(
        title="ctxgate", version="1", lifespan=lifespan, responses=PROBLEM, redirect_slashes=False, openapi_url=None
    )
    app.state.doors = Doors(chosen)
    app.add_middleware(Answering, crashed=_on_crash, missing=_on_route)
    app.add_middleware(SecurityHeaders)
    app.add_exception_handler(GatewayError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_parameter)
    app.add_exception_handler(HTTPException, _on_route)
    for routes in ROUTES:
        app.include_router(routes.router)
    complete(app, [body for routes in ROUTES for body in getattr(routes, "BODIES", ())])
    return app


def _server(gateway: Gateway) -> Server:
    settings, stores = gateway.settings, gateway.stores
    queue = FairQueue(limit=settings.max_concurrent, waiting=settings.max_waiting)
    rates = Rates(settings.rate_per_tenant, settings.rate_per_agent, settings.reveals_per_person)
    open_ = OpenRequests(settings, settings.max_request_bytes)
    return Server(settings, stores.answers, stores.secret, queue, rates, open_)


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
    return await _on_error(request, FieldInvalidError("a path or query parameter has a wrong value", fields=fields))


async def _on_route(request: Request, error: Exception) -> JSONResponse:
    """A path or method that does not exist, as our kind of problem."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(getattr(error, "headers", None) or {})
    if methods := _methods(request):
        # The router tells those of the first route alone, where a path has several.
        headers["Allow"] = ", ".join(methods)
    return problem(NotFoundError("no route has this path and method"), request, status=status, headers=headers)


def _methods(request: Request) -> list[str]:
    """Methods of all routes of the path; none where no route has it."""
    # Each route of the path has methods of its own, so that one of them alone would tell a caller too little.
    every = (one for routes in ROUTES for one in routes.router.routes)
    routes = [one for one in every if one.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for one in routes for method in getattr(one, "methods", None) or ()})


async def _on_crash(request: Request, error: BaseException) -> JSONResponse:
    """What nobody expected, of which only the kind is told; an end of time if the gateway was told to stop."""
    stopped = isinstance(error, asyncio.CancelledError) and ended_by_us()
    log.error("crashed", kind=type(error).__name__, stopped=stopped, trace_id=trace_id_of(request))
    if stopped:
        return await _on_error(request, DeadlineExceededError("the gateway stops; nothing was released"))
    return await _on_error(request, GatewayError("the gateway failed; nothing was released"))
