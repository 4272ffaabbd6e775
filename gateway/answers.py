"""The port to answers that are kept under idempotency keys."""

import hashlib
import hmac
import json

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Claim:
    """A request under an idempotency key: what it was, when it came first, and what was answered."""

    digest: str
    """Keyed digest of everything that makes it this request."""

    at: str
    trace_id: str | None
    body: str | None = None
    """The answer; None while there is none."""


def mark(secret: bytes, *parts: str) -> str:
    """A name for what must not be told from it: HMAC-SHA-256 in hex."""
    return hmac.new(secret, json.dumps(["idempotency", *parts]).encode(), hashlib.sha256).hexdigest()


def name_of(secret: bytes, subject: str, key: str) -> str:
    """The name that a person's idempotency key has; all of one person begin with that person's mark."""
    return f"{mark(secret, subject)}:{mark(secret, subject, key)}"


class Answers(Protocol):
    """Keeps answers under idempotency keys."""

    async def claim(self, tenant: str, name: str, claim: Claim, oldest: str) -> Claim | None:
        """
        Durably take a name for a request; the claim that has it, if there is one.  Claims before *oldest* are forgotten.

        Raises:
            AsideError: it is not known to be taken.
        """

    async def answer(self, tenant: str, name: str, body: str) -> None:
        """
        Keep the answer.

        Raises:
            AsideError: it is not durable.
        """

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete what is kept under a person's mark; how many answers that were.

        Raises:
            AsideError: it is not known to be gone.
        """

    async def let_go(self, tenant: str, name: str) -> None:
        """
        Free a name that has no answer.

        Raises:
            AsideError: it is not known to be free.
        """
