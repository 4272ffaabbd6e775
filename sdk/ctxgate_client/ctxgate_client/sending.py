"""
One call: its headers, and when it is sent again.

Rules held here: a call is sent again only where its code says that this may help, with the same idempotency key, so that one request
has one set of records however often it is sent; each try carries the same trace, by which the gateway's operator finds it.
"""

import secrets

from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import httpx

from pydantic import BaseModel, ValidationError

from ctxgate_client.problems import CtxgateError, UnansweredError, raised_of

LONGEST_PAUSE: Final = 30.0
"""Seconds; what a `Retry-After` asks for beyond that is not waited for."""

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently a call is sent again."""

    most: int = 2
    """Beyond the first try."""

    first_pause: float = 0.5
    """Seconds before the second try; each further pause is twice as long, and a part of it is drawn."""

    def pause(self, tried: int, response: httpx.Response | None) -> float:
        """Seconds to wait after a number of tries: what the gateway asks for, or more."""
        asked = response.headers.get("retry-after", "") if response is not None else ""
        least = float(asked) if asked.isascii() and asked.isdigit() else 0.0
        # A part is drawn, so that many clients that were turned away at once do not come back at once.
        drawn = self.first_pause * 2.0 ** (tried - 1) * (1 + secrets.randbelow(1000) / 1000) / 2
        return min(max(least, drawn), LONGEST_PAUSE)


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent, the same at each try."""

    method: str
    path: str
    body: Any = None
    key: str | None = None
    trace_id: str = field(default_factory=lambda: secrets.token_hex(16))

    def headers(self, token: str) -> dict[str, str]:
        """Those of this call, for one try."""
        named = {
            "authorization": f"Bearer {token}",
            "accept": "application/json",
            "traceparent": f"00-{self.trace_id}-{secrets.token_hex(8)}-01",
        }
        return {**named, "idempotency-key": self.key} if self.key else named

    def again(self, error: CtxgateError, tried: int, retries: Retries) -> bool:
        """Whether it is sent once more."""
        if isinstance(error, UnansweredError) and self.method != "GET" and self.key is None:
            return False  # it may have been done, and nothing would tell the gateway that this is the same call
        return error.retryable and tried <= retries.most


def decoded(response: httpx.Response, call: Call, shape: type[Answer]) -> Answer:
    """
    The answer to a call.

    Raises:
        CtxgateError: it is a refusal, or nothing that a gateway of this version says.
    """
    if not response.is_success:
        raise raised_of(response, call.trace_id)
    try:
        return shape.model_validate_json(response.content)
    except ValidationError as error:
        lost = UnansweredError("the answer is not one of a gateway of this version", call.trace_id)
        lost.retryable = False
        raise lost from error
