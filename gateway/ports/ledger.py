"""Where decisions are made durable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gateway.model.base import RecordProof
from gateway.model.policy_answer import ReleaseMode
from ledger.erasable import Erasable
from ledger.lane import Written
from ledger.record import Draft, Kind


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """What something beside the ledger says, and must be on record as."""

    tenant: str
    kind: Kind
    code: str
    """One that the record must have."""

    said: Mapping[str, Any]
    """What the record must commit to."""

    proof: RecordProof | None
    """Which record it is; None where nothing names one."""

    until: frozenset[str] = frozenset()
    """Codes of later records about the same thing that put an end to what this one said."""


class Proofs(Protocol):
    """Believes what is kept beside the ledger by its own record alone."""

    async def require(self, claims: Sequence[KeptClaim]) -> Sequence[Mapping[str, Any]]:
        """
        The members of the records that prove all of the claims, in order: in the log, under a signed checkpoint.

        Raises:
            UnprovedError: one of them is not proved, so nothing may follow from it.

            RecordError: the ledger did not answer.
        """

    async def in_log(self, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        """
        The members of the records of these decision ids, in order: each of them in the log, under a signed checkpoint.

        Raises:
            UnprovedError: one of them is not.

            RecordError: the ledger did not answer.
        """


class Ledger(Protocol):
    """Makes decisions durable."""

    async def append(self, drafts: Sequence[Draft], erasables: Sequence[Erasable] = ()) -> Sequence[Written]:
        """
        Return once all are durable; *erasables* holds the erasable side of each, or is empty.

        Raises:
            RecordError: they are not, so nothing may be released.

            RecordBusyError: too many records wait.

            RepeatDiffersError: the ledger holds another decision under the id of one of them, or some of them alone.
        """

    async def kept(self, repeated: Sequence[Written]) -> Sequence[Erasable]:
        """
        The erasable sides of records that were there before, in order; empty ones for those that have none.

        Raises:
            RepeatDiffersError: one does not open, so nothing can be compared with it.

            RecordError: the store did not answer.
        """

    async def settled(self, written: Sequence[Written], mode: ReleaseMode) -> None:
        """
        Return once durable records are as sure as the mode asks.

        Raises:
            RecordError: they did not become so in time, so nothing may be released.
        """

    async def subject_token(self, tenant: str, subject: str) -> str:
        """The token that stands for a person in this tenant's records."""

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        """The signed receipt for a `pack.sealed` record."""
