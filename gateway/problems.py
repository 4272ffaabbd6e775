"""Errors as RFC 9457 problem documents, and the one table from code to HTTP status."""

import re

from types import TracebackType
from typing import Any, Final

from fastapi import Request
from fastapi.responses import JSONResponse

from gateway.errors import (
    AgentUnknownError,
    BodyError,
    BudgetOverflowError,
    BundleInvalidError,
    ContextStarvationError,
    EntityDataEmptyError,
    FieldInvalidError,
    GatewayError,
    IdentityError,
    ModelUnknownError,
    NotFoundError,
    NumberError,
    ObligationError,
    OverloadedError,
    PurposeUnknownError,
    RequestError,
    RequestRefusedError,
    ScopeMissingError,
    SourceError,
    TooLargeError,
)

_STATUS: Final[tuple[tuple[type[GatewayError], int], ...]] = (
    (IdentityError, 401),
    (ScopeMissingError, 403),
    (NumberError, 422),
    (BodyError, 400),
    (TooLargeError, 413),
    (FieldInvalidError, 422),
    (AgentUnknownError, 422),
    (PurposeUnknownError, 422),
    (ModelUnknownError, 422),
    (ContextStarvationError, 422),
    (EntityDataEmptyError, 422),
    (RequestRefusedError, 403),
    (BudgetOverflowError, 422),
    (NotFoundError, 404),
    (RequestError, 400),
    (BundleInvalidError, 422),
    (ObligationError, 500),
    (SourceError, 502),
)

_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


class Busy:
    """Counts requests under way, and refuses more than the limit before any work is done."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._now = 0

    def __enter__(self) -> None:
        if self._now >= self._most:
            raise OverloadedError("too many requests are under way")
        self._now += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._now -= 1


def status_of(error: GatewayError) -> int:
    """The HTTP status for an error."""
    if error.retryable:
        return 503
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def trace_id_of(request: Request) -> str | None:
    """The trace id of a W3C traceparent header, if there is a valid one."""
    match = _TRACEPARENT.fullmatch(request.headers.get("traceparent", ""))
    return match.group(1) if match else None


def problem(error: GatewayError, request: Request) -> JSONResponse:
    """The problem document for an error."""
    status = status_of(error)
    document: dict[str, Any] = {
        "type": f"urn:ctxgate:error:{error.code}",
        "title": title_of(type(error)),
        "status": status,
        "code": error.code,
        "detail": error.detail,
        "instance": request.url.path,
        "trace_id": trace_id_of(request),
    }
    if error.fields:
        document["errors"] = [{"field": name, "message": message} for name, message in error.fields]
    if error.reasons:
        document["reasons"] = list(error.reasons)
    headers = {"Retry-After": "1"} if error.retryable else {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(document, status, headers, media_type="application/problem+json")


def title_of(kind: type[GatewayError]) -> str:
    """The first line of an error's docstring, without its full stop."""
    return (kind.__doc__ or "").strip().splitlines()[0].rstrip(".")
