"""Stores beside the ledger, whose contents can be erased: reviews, what tokens stand for, answers, sessions, artifacts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gateway.model.base import RecordProof
from gateway.model.policy_input import OriginFacts, ReviewFacts
from gateway.model.review import ReviewAct, ReviewScope
from gateway.model.session import SessionState


@dataclass(frozen=True, slots=True)
class Secret:
    """What a token stands for."""

    entity: str
    purpose: str
    """For which purpose the token was made."""

    value: str = field(repr=False)
    origin: OriginFacts | None = None
    """The request that it was made for; None where that was not kept."""


@dataclass(frozen=True, slots=True)
class QuarantinedItem:
    """Content that was quarantined for review."""

    id: str
    tenant: str
    digest: str
    """Keyed digest of the content, in hex."""

    scope: ReviewScope
    item_id: str
    decision_id: str
    """The ruling that quarantined it last."""

    findings: tuple[str, ...]
    """Types of the signs that were found."""

    at: str
    content: str = field(repr=False, default="")
    person: str = ""
    """Keyed name of who brought it last, as it is kept."""

    seen: int = 1
    """How often it was quarantined."""

    proposed: ReviewAct | None = None
    verdict: ReviewAct | None = None
    """What two officers agreed on."""


@dataclass(frozen=True, slots=True)
class KeptReview:
    """What two officers are said to have agreed on: to be believed only with its proof."""

    facts: ReviewFacts
    proof: RecordProof | None


class Reviews(Protocol):
    """Keeps quarantined content, and what reviewers said of it."""

    async def known(self, tenant: str, digests: Sequence[str]) -> Mapping[str, Sequence[KeptReview]]:
        """
        What two officers are said to have agreed on before, by keyed digest.

        Raises:
            StoreError: it cannot be told.
        """

    async def quarantine(self, held: Sequence[QuarantinedItem]) -> None:
        """
        Keep content for review, durably.

        Raises:
            StoreError: it is not durable, so nothing may be released.
        """

    async def quarantined(self, tenant: str) -> Sequence[QuarantinedItem]:
        """All that a tenant has in quarantine, newest first, with its content."""

    async def judge(self, held: QuarantinedItem, act: ReviewAct, *, final: bool) -> None:
        """Keep an act, as a proposal or as the verdict."""

    async def erase(self, tenant: str, decision_ids: Sequence[str]) -> int:
        """
        Forget what was quarantined by these decisions; how many contents that were.

        Raises:
            StoreError: it is not known to be forgotten.
        """

    async def forget_officer(self, tenant: str, person: str, stands_for: str) -> int:
        """
        Forget who judged, and in which words: verdicts stay, proposals that wait for another officer go.

        Args:
            tenant: whose.
            person: the officer, by `sub`.
            stands_for: what is kept in the place of the name.

        Returns:
            How many acts of the officer there were.

        Raises:
            StoreError: it is not known to be forgotten.
        """


class Vault(Protocol):
    """Keeps what tokens stand for."""

    async def keep(self, tenant: str, purpose: str, values: Mapping[str, tuple[str, str]], origin: OriginFacts) -> None:
        """
        Make entity types and values durable by token, with the request they were made for; a token that is there stays as it is.

        Raises:
            StoreError: they are not durable, so nothing may be released.
        """

    async def look_up(self, tenant: str, tokens: Sequence[str]) -> Mapping[str, Secret]:
        """
        What tokens of a tenant stand for; unknown ones are left out.

        Raises:
            StoreError: it cannot be told.
        """


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request under an idempotency key: what it was, when it came first, and what was answered."""

    digest: str
    """Keyed digest of everything that makes it this request."""

    at: str
    trace_id: str | None
    body: str | None = None
    """The answer; None while there is none."""


class Answers(Protocol):
    """Keeps answers under idempotency keys."""

    async def reserve(self, tenant: str, name: str, entry: KeyedRequest, oldest: str) -> KeyedRequest | None:
        """
        Durably take a name for a request; the request that has it, if there is one.  Those before *oldest* are forgotten.

        Raises:
            StoreError: it is not known to be taken.
        """

    async def answer(self, tenant: str, name: str, body: str) -> None:
        """
        Keep the answer.

        Raises:
            StoreError: it is not durable.
        """

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete what is kept under a person's mark; how many answers that were.

        Raises:
            StoreError: it is not known to be gone.
        """

    async def free(self, tenant: str, name: str) -> None:
        """
        Free a name that has no answer.

        Raises:
            StoreError: it is not known to be free.
        """


class Sessions(Protocol):
    """Keeps sessions."""

    async def before(self, tenant: str, name: str, turn: int) -> SessionState | None:
        """
        The session after its last turn before this one; None if there was none.

        Raises:
            StoreError: it cannot be told.
        """

    async def keep(self, tenant: str, name: str, state: SessionState, at: str) -> None:
        """
        Keep a session after a turn, durably.

        Raises:
            StoreError: it is not durable, so nothing may be released.
        """

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete what sessions under a person's mark hold; how many turns that were.

        Raises:
            StoreError: it is not known to be gone.
        """


class Artifacts(Protocol):
    """Keeps artifacts by marks of tenant and person."""

    async def put(self, tenant: str, person: str, name: str, value: str) -> None:
        """
        Keep a value durably.

        Raises:
            StoreError: it is not durable.
        """

    async def get(self, tenant: str, person: str, name: str) -> str | None:
        """
        A value; None if there is none.

        Raises:
            StoreError: it cannot be told.
        """

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete what is kept of a person; how many artifacts that were.

        Raises:
            StoreError: it is not known to be gone.
        """
