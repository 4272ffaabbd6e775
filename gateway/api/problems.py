"""Errors as RFC 9457 problem documents, and the one table from code to HTTP status."""

import json
import re

from http import HTTPStatus
from typing import Any, Final

from fastapi import Request
from fastapi.responses import JSONResponse

from gateway.api.headers import ALWAYS, NOT_KEPT
from gateway.errors import (
    AgentUnknownError,
    BodyError,
    BudgetOverflowError,
    BundleExpiredError,
    BundleInvalidError,
    CasesRemovedError,
    ContextStarvationError,
    DeadlineExceededError,
    EntityDataEmptyError,
    EntityJurisdictionsError,
    EntityUnresolvedError,
    EvidenceErasedError,
    ExportFailedError,
    FieldInvalidError,
    GatewayError,
    IdempotencyError,
    IdentityError,
    ModelUnknownError,
    NotFoundError,
    NumberError,
    ObligationError,
    PackDiffersError,
    PackIncompleteError,
    PolicyLimitError,
    PurposeUnknownError,
    RateLimitedError,
    RepeatDiffersError,
    ReportFormError,
    RequestError,
    RequestRefusedError,
    RequestTooSlowError,
    ScopeMissingError,
    ScreeningTooCostlyError,
    SourceError,
    TooLargeError,
    ToolNotAskableError,
    UnanchoredError,
    UnknownFieldError,
)

_STATUS: Final[tuple[tuple[type[GatewayError], int], ...]] = (
    (IdentityError, 401),
    (ScopeMissingError, 403),
    (NumberError, 422),
    (BodyError, 400),
    (TooLargeError, 413),
    (ScreeningTooCostlyError, 413),
    (FieldInvalidError, 422),
    (AgentUnknownError, 422),
    (PurposeUnknownError, 422),
    (ModelUnknownError, 422),
    (EntityUnresolvedError, 422),
    (ContextStarvationError, 422),
    (EntityDataEmptyError, 422),
    (EntityJurisdictionsError, 422),
    (RequestRefusedError, 403),
    (BudgetOverflowError, 422),
    (EvidenceErasedError, 410),
    (NotFoundError, 404),
    (IdempotencyError, 409),
    (RateLimitedError, 429),
    (RequestError, 400),
    (BundleExpiredError, 503),
    (CasesRemovedError, 409),
    (BundleInvalidError, 422),
    (PolicyLimitError, 413),
    (ObligationError, 500),
    (PackIncompleteError, 500),
    (PackDiffersError, 500),
    (RepeatDiffersError, 409),
    (UnanchoredError, 500),
    (ExportFailedError, 500),
    (ReportFormError, 500),
    (ToolNotAskableError, 422),
    (SourceError, 502),
)


def title_of(kind: type[GatewayError]) -> str:
    """The first line of an error's docstring, without its full stop."""
    return (kind.__doc__ or "").strip().splitlines()[0].rstrip(".")


PROBLEM: Final[dict[int | str, dict[str, Any]]] = {
    "default": {
        "description": "A problem document (RFC 9457) with a stable code; docs/errors.md has them all.",
        "content": {
            "application/problem+json": {
                "schema": {
                    "type": "object",
                    "required": ["type", "title", "status", "code", "detail", "remedy", "instance", "retryable"],
                    "properties": {
                        "type": {"type": "string", "description": "urn:ctxgate:error: and the code."},
                        "title": {"type": "string", "description": "What the code means."},
                        "status": {"type": "integer", "description": "The HTTP status."},
                        "code": {"type": "string", "description": "Stable; never another meaning."},
                        "detail": {"type": "string", "description": "What was wrong this time; never an item's text."},
                        "remedy": {"type": "string", "description": "What to do about it; the same for each code."},
                        "instance": {"type": "string", "description": "The path."},
                        "retryable": {"type": "boolean", "description": "Whether the same request may succeed later."},
                        "trace_id": {"type": ["string", "null"], "description": "Of the W3C traceparent header."},
                        "errors": {"type": "array", "description": "Fields at fault.", "items": {"type": "object"}},
                        "reasons": {"type": "array", "description": "Codes of rules.", "items": {"type": "string"}},
                    },
                },
                "example": {
                    "type": f"urn:ctxgate:error:{UnknownFieldError.code}",
                    "title": title_of(UnknownFieldError),
                    "status": 422,
                    "code": UnknownFieldError.code,
                    "detail": "items.0.trust_class: Extra inputs are not permitted",
                    "remedy": UnknownFieldError.remedy,
                    "instance": "/v1/packs",
                    "retryable": False,
                    "trace_id": None,
                },
            }
        },
    }
}
"""Every operation may answer with a problem."""

_LATER: Final = frozenset({429, 503})
"""Statuses that say when to come back."""

MEDIA_TYPE: Final = "application/problem+json"

_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


def status_of(error: GatewayError) -> int:
    """The HTTP status for an error."""
    if isinstance(error, DeadlineExceededError):
        return 504
    if isinstance(error, RequestTooSlowError):
        return 408
    if error.retryable:
        return 503
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def trace_id_of(request: Request) -> str | None:
    """The trace id of a W3C traceparent header, if there is a valid one."""
    match = _TRACEPARENT.fullmatch(request.headers.get("traceparent", ""))
    return match.group(1) if match else None


def document_of(error: GatewayError, status: int, instance: str, trace_id: str | None = None) -> dict[str, Any]:
    """The problem document for an error."""
    document: dict[str, Any] = {
        "type": f"urn:ctxgate:error:{error.code}",
        "title": title_of(type(error)),
        "status": status,
        "code": error.code,
        "detail": error.detail,
        "remedy": error.remedy,
        "instance": instance,
        "retryable": error.retryable or status in _LATER,
        "trace_id": trace_id,
    }
    if error.fields:
        document["errors"] = [{"field": name, "message": message} for name, message in error.fields]
    if error.reasons:
        document["reasons"] = list(error.reasons)
    return document


def problem(
    error: GatewayError, request: Request, *, status: int | None = None, headers: dict[str, str] | None = None
) -> JSONResponse:
    """
    The problem document for an error, with the status that the table has for it unless another is given.

    A route whose callers expect members of their own puts them into `request.state.problem_members` (RFC 9457, section 3.2).
    """
    status = status or status_of(error)
    document = document_of(error, status, request.url.path, trace_id_of(request))
    document |= getattr(request.state, "problem_members", {})
    headers = {**(headers or {}), **({"Retry-After": "1"} if status in _LATER else {})}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(document, status, headers, media_type=MEDIA_TYPE)


def raw_problem(error: GatewayError, status: int | None = None) -> bytes:
    """A whole HTTP answer with the problem document, for bytes that never became a request; the connection ends with it."""
    status = status or status_of(error)
    body = json.dumps(document_of(error, status, "")).encode()
    named = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
        *([(b"retry-after", b"1")] if status in _LATER else []),
        *ALWAYS,
        NOT_KEPT,
    ]
    lines = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode()), *(b": ".join(one) for one in named)]
    return b"\r\n".join([*lines, b"", body])
