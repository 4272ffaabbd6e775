"""
What a call may raise.

    CtxgateError
    ├── ProblemError      the gateway refused, with a stable code (RFC 9457)
    └── UnansweredError   nothing that the gateway says came back
"""

from typing import Final

import httpx

from pydantic import BaseModel, ConfigDict, ValidationError

MEDIA_TYPE: Final = "application/problem+json"


class CtxgateError(Exception):
    """A call did not give what it was asked for; nothing was released."""

    retryable: bool = False
    """Whether the same call may succeed later."""

    trace_id: str | None = None
    """To look the call up by, at whoever runs the gateway."""


class UnansweredError(CtxgateError):
    """No answer of the gateway came: it was not reached, or something before it answered."""

    retryable = True

    def __init__(self, detail: str, trace_id: str | None = None) -> None:
        super().__init__(detail)
        self.trace_id = trace_id


class FieldProblem(BaseModel):
    """A field at fault."""

    field: str
    message: str


class Problem(BaseModel):
    """A problem document."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str
    title: str
    status: int
    code: str
    detail: str
    remedy: str
    instance: str
    retryable: bool = False
    trace_id: str | None = None
    errors: tuple[FieldProblem, ...] = ()
    reasons: tuple[str, ...] = ()


class ProblemError(CtxgateError):
    """The gateway refused the call; `code` is stable, `remedy` says what to do, `errors` which fields are at fault."""

    def __init__(self, problem: Problem, trace_id: str) -> None:
        super().__init__(f"{problem.code} {problem.detail}")
        self.problem = problem
        self.code = problem.code
        self.status = problem.status
        self.detail = problem.detail
        self.remedy = problem.remedy
        self.errors = problem.errors
        self.reasons = problem.reasons
        self.retryable = problem.retryable
        self.trace_id = problem.trace_id or trace_id


def raised_of(response: httpx.Response, trace_id: str) -> CtxgateError:
    """The error that an answer other than 2xx stands for."""
    if response.headers.get("content-type", "").partition(";")[0] == MEDIA_TYPE:
        try:
            return ProblemError(Problem.model_validate_json(response.content), trace_id)
        except ValidationError:
            pass
    error = UnansweredError(f"an answer of status {response.status_code} that is no problem document", trace_id)
    # A proxy that is overloaded says so with these; whatever else it says, it would say again.
    error.retryable = response.status_code in {429, 502, 503, 504}
    return error


def unreached(error: httpx.HTTPError, trace_id: str) -> UnansweredError:
    """The error for a call to which no answer came."""
    return UnansweredError(f"the gateway did not answer: {type(error).__name__}", trace_id)
