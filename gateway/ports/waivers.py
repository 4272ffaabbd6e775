"""
Exceptions on request: what two officers agree on while a bundle decides, and where that is kept.

Rule held here: what decides, which is the scope, the codes, the end and who agreed by role and department, is what the records of
the acts commit to; names and words of officers are kept beside it, and can be erased without it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Protocol

from pydantic import AfterValidator, Field

from gateway.model.base import Instant, Model, Name, RecordProof, person_of
from gateway.model.policy_input import ExceptionFacts, ExceptionOfficerFacts
from gateway.model.request import Subject

ASKED: Final = "ASKED"
APPROVED: Final = "APPROVED"
REVOKED: Final = "REVOKED"
"""Codes of the records of the three acts."""

State = Literal["asked", "approved", "revoked"]


class WaiverScope(Model):
    """What an exception is limited to; all that is named must be so."""

    agent: Name | None = None
    """The agent that the request names."""

    purpose: Name | None = None
    """The purpose that the request names."""

    role: Name | None = None
    """Of the requester."""

    department: Name | None = None
    """Of the requester."""

    source_id: Name | None = None
    """Of the item's source."""

    source_type: Name | None = None
    """What the item is taken as."""

    domain: Name | None = None
    """The line of business that the item belongs to."""

    entity_id: Name | None = None
    """The entity that the item belongs to."""

    jurisdiction: Name | None = None
    """Of the item."""

    classification: Name | None = None
    """Of the item."""


class WaiverTrigger(Model):
    """What ends an exception before its expiry."""

    max_uses: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    """How many items it may let through."""

    until: Instant | None = None
    """An earlier time, such as that of a decision that makes it needless."""

    while_bundle: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    """The bundle that must decide."""


def _each_once(codes: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(codes)) != len(codes):
        msg = "each code is named once"
        raise ValueError(msg)
    return codes


WaivedCodes = Annotated[tuple[Name, ...], Field(min_length=1, max_length=20), AfterValidator(_each_once)]
"""Refusals that an exception waives, each named once."""


class OfficerAct(Model):
    """What one officer did about an exception."""

    officer: Name
    person: str | None
    """What the officer is compared by; null once the officer was erased."""

    token: str
    """Stands for the officer in records."""

    role: Name
    department: Name
    at: str
    reason: str
    proof: RecordProof

    def facts(self) -> ExceptionOfficerFacts:
        """What policy is told of the officer."""
        return {"role": self.role, "department": self.department}

    def said(self) -> dict[str, str]:
        """What records commit to of the officer: never the name."""
        return {"token": self.token, "role": self.role, "department": self.department}

    def is_of(self, officer: Subject) -> bool:
        """Whether this officer did it."""
        return self.person == officer.person or person_of(self.officer) in {officer.person, person_of(officer.sub)}

    def is_by(self, who: str) -> bool:
        """Whether a person did it, by the identity without its spelling; never once the name is erased."""
        return who in {self.person, person_of(self.officer)}

    def nameless(self, stands_for: str) -> "OfficerAct":
        """The same of an officer who is forgotten."""
        return self.model_copy(update={"officer": stands_for, "person": None, "reason": "The reason was erased."})


class Waiver(Model):
    """One exception on request, with the acts of its officers."""

    id: Annotated[str, Field(pattern=r"^EXR-[0-9a-f]{16}$")]
    tenant: Name
    codes: WaivedCodes
    scope: WaiverScope
    expires: Instant
    trigger: WaiverTrigger = WaiverTrigger()
    owner: Annotated[str, Field(min_length=3, max_length=200)]
    beneficiary: Name | None = None
    """The only person whom it is for, by `sub`."""

    asked: OfficerAct
    approved: OfficerAct | None = None
    revoked: OfficerAct | None = None

    @property
    def state(self) -> State:
        """Where it stands, whether or not its time is over."""
        if self.revoked is not None:
            return "revoked"
        return "asked" if self.approved is None else "approved"

    def benefits(self, person: Subject) -> bool:
        """Whether it is made for this very person."""
        return self.beneficiary is not None and person_of(self.beneficiary) in {person.person, person_of(person.sub)}

    def is_about(self, agent: str, purpose: str) -> bool:
        """Whether a request for this agent and purpose has to be told of it; whether it applies is for policy to say."""
        return self.scope.agent in {None, agent} and self.scope.purpose in {None, purpose}

    def said(self, step: str) -> dict[str, Any]:
        """What the record of an act commits to: all that decides, and who did it, by role and department."""
        act = self.asked if step == ASKED else self.approved
        decides = self.model_dump(mode="json", include={"id", "codes", "scope", "expires", "trigger", "beneficiary"})
        officers = {"asked": self.asked.said(), "approved": act.said() if act and step != ASKED else None}
        return {**decides, **officers}

    def facts(self, since: datetime, revision: str, *, used: int, requester: Subject | None = None) -> ExceptionFacts:
        """
        What policy is told.

        Args:
            since: from when it lasts, where it is not approved yet.
            revision: the bundle that decides.
            used: how many items it let through.
            requester: whom an item is for; None where it is not about one.
        """
        start = datetime.fromisoformat(self.approved.at) if self.approved else since
        trigger = self.trigger
        return {
            "id": self.id,
            "codes": list(self.codes),
            "scope": self.scope.model_dump(mode="json"),  # type: ignore[typeddict-item]
            "expires": self.expires,
            "until": trigger.until,
            "lasts_seconds": int((datetime.fromisoformat(self.expires) - start).total_seconds() // 1),
            "used_up": trigger.max_uses is not None and used >= trigger.max_uses,
            "while_bundle_decides": None if trigger.while_bundle is None else trigger.while_bundle == revision,
            "names_requester": None if self.beneficiary is None or requester is None else self.benefits(requester),
            "asked_by": self.asked.facts(),
            "approved_by": self.approved.facts() if self.approved else None,
        }


@dataclass(frozen=True, slots=True)
class KeptWaiver:
    """An exception as it is kept: to be believed only with the proof of its acts."""

    waiver: Waiver
    used: int = 0
    """How many items it let through."""

    last_used: str | None = None


class Waivers(Protocol):
    """Keeps exceptions on request."""

    async def keep(self, waiver: Waiver) -> None:
        """
        Keep a new one, durably.

        Raises:
            StoreError: it is not known to be kept.
        """

    async def change(self, waiver: Waiver, before: State) -> bool:
        """
        Keep what became of one that was in a state; False where it is in another by now, and nothing was changed.

        Raises:
            StoreError: it is not known to be kept.
        """

    async def all_of(self, tenant: str) -> Sequence[KeptWaiver]:
        """
        Those of a tenant, newest first; of a great many the newest alone.

        Raises:
            StoreError: they cannot be told.
        """

    async def one_of(self, tenant: str, name: str) -> KeptWaiver | None:
        """
        The one of an id; None where the tenant has none.

        Raises:
            StoreError: it cannot be told.
        """

    async def in_force(self, tenant: str, now: str) -> Sequence[KeptWaiver]:
        """
        Those of a tenant that are approved and not over, in order of their ids.

        Raises:
            StoreError: they cannot be told.
        """

    async def spend(self, tenant: str, uses: Mapping[str, tuple[int, int | None]], at: str) -> bool:
        """
        Count uses by id, each with how many there may be at most; False where one is revoked or would be used more often.

        Raises:
            StoreError: it is not known to be counted.
        """

    async def forget_person(self, tenant: str, person: str, stands_for: str) -> int:
        """
        Forget an officer's name and words; exceptions that the person asked for and nobody approved, and those made for the
        person, are deleted.

        Returns:
            How many of them there were.

        Raises:
            StoreError: it is not known to be forgotten.
        """

    async def counts(self, now: str, soon: str) -> Mapping[str, int]:
        """
        How many of all tenants are asked for, in force, lapse before a time, and are in force and were never used.

        Raises:
            StoreError: it cannot be told.
        """
