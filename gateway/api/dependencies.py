"""What routes share: who asks, the running gateway, the body, and the scopes of a token."""

import asyncio

from collections.abc import Awaitable, Callable
from hmac import compare_digest
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from gateway.api.admission import HEADER
from gateway.api.calls import IDEMPOTENCY, HttpCall, Server
from gateway.api.problems import trace_id_of
from gateway.audit.acts import Actor
from gateway.audit.queries import LedgerQueries
from gateway.bootstrap.gateway import Gateway
from gateway.concurrency.apart import apart, weigh
from gateway.content.parsing import parse_json
from gateway.errors import FieldInvalidError, IdentityMissingError, NotGovernorError, RecordError, ScopeMissingError
from gateway.model import Subject
from gateway.model.pseudonyms import keyed_names
from gateway.observability.observer import caller
from gateway.ports.identity import TokenVerifier
from gateway.setting_groups import OpenPart
from ledger.errors import LedgerError


async def gateway_of(request: Request) -> Gateway:
    """The running gateway."""
    return request.app.state.gateway  # type: ignore[no-any-return]


Bearer = Annotated[object, Depends(HTTPBearer(auto_error=False, description="A token of the trust layer."))]


async def subject_of(
    request: Request,
    gateway: Annotated[Gateway, Depends(gateway_of)],
    _bearer: Bearer,
) -> Subject:
    """The person the bearer token stands for."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise IdentityMissingError("there is no bearer token")
    verifier: TokenVerifier = request.app.state.verifier
    subject = await verifier.verify(token.strip(), gateway.clock())
    request.state.subject = subject
    server: Server = request.app.state.server
    await server.open.enter(subject.tenant, request.state.until_answered)
    return subject


Caller = Annotated[Subject, Depends(subject_of)]
RunningGateway = Annotated[Gateway, Depends(gateway_of)]

MONITOR: Final = "metrics:read"
"""Scope of who watches the process."""


def only_described(request: Request, _: Caller) -> None:
    """
    Nothing, where every parameter of the query is one of the operation's.

    Raises:
        FieldInvalidError: one is not: a misspelt parameter would be a question that nobody asked.
    """
    known = {parameter.alias for parameter in request.scope["route"].dependant.query_params}
    if unknown := [name for name in request.query_params if name not in known]:
        wrong = [("query", f"{len(unknown)} unknown; known are: {', '.join(sorted(known)) or 'none'}")]
        raise FieldInvalidError("there is no such parameter", fields=wrong)


def opened(part: OpenPart, *scopes: str) -> Callable[..., Awaitable[None]]:
    """
    A dependency that lets in whoever may see a part that tells of the gateway itself: everybody where a setting says so, else a
    token with one of the scopes, or any token where there are none.
    """

    async def allowed(request: Request, gateway: RunningGateway, bearer: Bearer) -> None:
        if part in gateway.settings.open_to_all or (MONITOR in scopes and _is_monitor(request, gateway)):
            return
        subject = await subject_of(request, gateway, bearer)
        if scopes:
            require(subject, *scopes)

    return allowed


def _is_monitor(request: Request, gateway: Gateway) -> bool:
    token = gateway.settings.monitor_token
    given = request.headers.get("authorization", "")
    return token is not None and compare_digest(f"Bearer {token.get_secret_value()}".encode(), given.encode())


def called(request: Request, gateway: Gateway, subject: Subject, *scopes: str) -> HttpCall:
    """
    A call of somebody who may make it, with one of the scopes.

    Raises:
        ScopeMissingError: the token holds none of them.
    """
    require(subject, *scopes)
    return call_of(request, gateway, subject)


def call_of(request: Request, gateway: Gateway, subject: Subject) -> HttpCall:
    """A call that everybody with a token may make."""
    trace_id = trace_id_of(request)
    caller.set(request.headers.get("traceparent") if trace_id else None)
    return HttpCall(
        path=request.url.path,
        subject=subject,
        now=gateway.clock(),
        trace_id=trace_id,
        deadline=request.headers.get(HEADER),
        key=request.headers.get(IDEMPOTENCY),
    )


def queries_of(gateway: Gateway) -> LedgerQueries:
    """What answers auditors' questions."""
    names = keyed_names(gateway.stores.secret)
    return LedgerQueries(gateway.store, gateway.recorder, gateway.ledger.keeper.sequenced, names)


async def read_document(request: Request, gateway: Gateway) -> object:
    """The body as a JSON document, within the limits."""
    return await document_in(await read_body(request), request, gateway)


async def document_in(body: bytes, request: Request, gateway: Gateway) -> object:
    """A body as a JSON document, within the limits."""
    subject: Subject | None = getattr(request.state, "subject", None)
    weigh(subject.tenant if subject else "", len(body))
    limits = gateway.settings.limits
    return await apart(lambda: parse_json(body, depth=limits.depth, values=limits.values))


async def read_body(request: Request) -> bytes:
    """The body of a known caller, within the limits; what it takes counts until the request is answered."""
    server: Server = request.app.state.server
    return await server.open.read(request.stream(), request.state.subject.tenant, request.state.until_answered)


def require(subject: Subject, *scopes: str) -> None:
    """
    Raises:
        ScopeMissingError: the token holds none of the scopes.
    """
    if not any(subject.has_scope(scope) for scope in scopes):
        raise ScopeMissingError(f"the token lacks the scope {scopes[0]}")


def require_governor(subject: Subject, gateway: Gateway, *scopes: str) -> None:
    """
    Raises:
        ScopeMissingError: the token holds none of the scopes.

        NotGovernorError: nor does it say that the person decides for all tenants, as who changes their policies does.
    """
    require(subject, *scopes)
    if not subject.has_scope(gateway.settings.govern_scope):
        raise NotGovernorError(
            f"the token lacks the scope {gateway.settings.govern_scope}: a bundle decides for all tenants"
        )


def actor_of(subject: Subject) -> Actor:
    """Who asks the ledger."""
    return Actor(subject.tenant, subject.sub)


async def from_ledger(act: Any) -> Any:  # noqa: ANN401 - what it answers
    """
    What the ledger answers to *act*, which runs on another thread.

    Raises:
        RecordError: it did not answer.
    """
    try:
        return await asyncio.to_thread(act)
    except LedgerError as error:
        raise RecordError("the ledger did not answer") from error
