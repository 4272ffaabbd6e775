"""What routes share: who asks, the running gateway, the body, and the scopes of a token."""

import asyncio

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from gateway.api.admission import HEADER
from gateway.api.calls import IDEMPOTENCY, Call
from gateway.api.problems import trace_id_of
from gateway.audit.acts import Actor
from gateway.audit.queries import LedgerQueries
from gateway.bootstrap.gateway import Gateway
from gateway.concurrency.apart import apart, weigh
from gateway.content.parsing import parse_json
from gateway.errors import IdentityMissingError, RecordError, RequestTooLargeError, ScopeMissingError
from gateway.model import Subject
from gateway.observability.observer import caller
from gateway.ports.identity import TokenVerifier
from ledger.errors import LedgerError


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


Caller = Annotated[Subject, Depends(subject_of)]
RunningGateway = Annotated[Gateway, Depends(gateway_of)]


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


def queries_of(gateway: Gateway) -> LedgerQueries:
    """What answers auditors' questions."""
    return LedgerQueries(gateway.store, gateway.recorder, gateway.ledger.keeper.sequenced)


async def read_document(request: Request, gateway: Gateway) -> object:
    """The body as a JSON document, within the limits."""
    body = await read_body(request, gateway.settings.max_request_bytes)
    subject: Subject | None = getattr(request.state, "subject", None)
    weigh(subject.tenant if subject else "", len(body))
    limits = gateway.settings.limits
    return await apart(lambda: parse_json(body, depth=limits.depth, values=limits.values))


async def read_body(request: Request, limit: int) -> bytes:
    """The body, without ever holding more than the limit."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > limit:
            raise RequestTooLargeError(f"the request has more than {limit} bytes")
    return bytes(body)


def require(subject: Subject, *scopes: str) -> None:
    """
    Raises:
        ScopeMissingError: the token holds none of the scopes.
    """
    if not any(subject.has_scope(scope) for scope in scopes):
        raise ScopeMissingError(f"the token lacks the scope {scopes[0]}")


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
