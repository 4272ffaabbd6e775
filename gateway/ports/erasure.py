"""What erasure needs beside the stores: which are under way, traces of a person, and files that hold nothing any more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol

from pydantic import Field

from gateway.model.base import Instant, Model, Name, person_of
from gateway.model.request import Subject
from gateway.ports.waivers import OfficerAct
from ledger.erasable import commit
from ledger.store import Remnant

ASKED: Final = "ASKED"
APPROVED: Final = "APPROVED"
WITHDRAWN: Final = "WITHDRAWN"
"""Codes of the records of what officers say of an erasure."""


class ErasureRequest(Model):
    """An erasure that one officer asked for, and that another has to approve."""

    id: Annotated[str, Field(pattern=r"^ERQ-[0-9a-f]{16}$")]
    tenant: Name
    subject: Name
    """Who is to be forgotten, by `sub`."""

    mark: str
    """The person's mark in the stores beside the ledger."""

    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """What records commit to the person under, so that no record tells anything of the person once this is gone."""

    expires: Instant
    """Until when it may be approved."""

    asked: OfficerAct
    """Who asked, and on what basis."""

    def said(self, act: OfficerAct | None = None) -> dict[str, Any]:
        """What the record of a step commits to: all that is asked for, who asked, and whose step it is where it is another's."""
        return {
            "id": self.id,
            "person": commit(bytes.fromhex(self.salt), self.subject.encode()),
            "basis": self.asked.reason,
            "expires": self.expires,
            "asked": self.asked.said(),
            "step": act.said() if act else None,
        }

    def is_about(self, officer: Subject) -> bool:
        """Whether this very officer would be forgotten."""
        return person_of(self.subject) in {officer.person, person_of(officer.sub)}


class Purge(Protocol):
    """Drives what was deleted out of the files of one database."""

    def __call__(self, *, rewrite: bool) -> Sequence[Remnant]:
        """
        What may still hold something that was deleted.

        Args:
            rewrite: whether to write anew what is left; else only what was in the way of that is looked at again.

        Raises:
            StoreError, LedgerError: the database did not answer.
        """


class PersonKeys(Protocol):
    """Keys of persons, under which all that is kept of them beside the ledger is sealed."""

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete the key of a person by the person's mark, and what outside unwraps it; how many there were.

        Raises:
            StoreError: it is not known to be gone.
        """


class KeptTraces(Protocol):
    """Traces that were kept."""

    async def erase(self, tenant: str, token: str) -> int:
        """
        Delete the traces of a person's requests, by the token that stands for the person; how many that were.

        Raises:
            StoreError: it is not known to be gone.
        """


@dataclass(frozen=True, slots=True)
class PendingErasure:
    """An erasure that has begun and is not proved complete."""

    tenant: str
    token: str
    """What stood for the person in records."""

    person: str
    """The person's mark in the stores beside the ledger; a keyed name, and gone once the erasure is complete."""

    key: str
    """SHA-256 of the wrapped key as it lay in the store, in hex: whoever has a backup knows by it which key of it is meant."""

    outside: str = ""
    """Name of the key outside the database that unwraps it; empty where there is none."""


class Erasures(Protocol):
    """Keeps which erasures are not complete yet, and the certificates of those that are."""

    async def begin(self, erasure: PendingErasure) -> None:
        """
        Keep that an erasure begins, before anything is deleted.

        Raises:
            StoreError: it is not durable.
        """

    async def pending(self, tenant: str | None = None) -> Sequence[PendingErasure]:
        """
        Erasures that are not complete, of one tenant or of all.

        Raises:
            StoreError: it cannot be told.
        """

    async def complete(self, erasure: PendingErasure, at: str, certificate: str) -> None:
        """
        Keep the certificate, and that nothing is left to be done.

        Raises:
            StoreError: it is not durable.
        """

    async def drop(self, erasure: PendingErasure) -> None:
        """
        Keep that an erasure which had begun was not carried out.

        Raises:
            StoreError: it is not durable.
        """

    async def certificate(self, tenant: str | None, token: str) -> str | None:
        """
        The certificate of an erasure, of one tenant or of any; None if there is none.

        Raises:
            StoreError: it cannot be told.
        """


class ErasureRequests(Protocol):
    """Keeps erasures that wait for a second officer."""

    async def keep(self, request: ErasureRequest) -> None:
        """
        Keep a new one, durably.

        Raises:
            StoreError: it is not known to be kept.
        """

    async def all_of(self, tenant: str) -> Sequence[ErasureRequest]:
        """
        Those of a tenant, oldest first; of a great many the oldest alone.

        Raises:
            StoreError: they cannot be told.
        """

    async def about(self, tenant: str, mark: str) -> Sequence[ErasureRequest]:
        """
        Those that are about a person, by the person's mark.

        Raises:
            StoreError: they cannot be told.
        """

    async def drop(self, requests: Sequence[ErasureRequest]) -> int:
        """
        Delete some; how many there were.

        Raises:
            StoreError: they are not known to be gone.
        """

    async def drop_over(self, now: str) -> int:
        """
        Delete those of all tenants whose time is over, since they name persons; how many there were.

        Raises:
            StoreError: they are not known to be gone.
        """
