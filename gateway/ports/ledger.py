"""Where decisions are made durable."""

from collections.abc import Sequence
from typing import Any, Protocol

from gateway.model.policy_answer import ReleaseMode
from ledger.erasable import Erasable
from ledger.lane import Written
from ledger.record import Draft


class Ledger(Protocol):
    """Makes decisions durable."""

    async def append(self, drafts: Sequence[Draft], erasables: Sequence[Erasable] = ()) -> Sequence[Written]:
        """
        Return once all are durable; *erasables* holds the erasable side of each, or is empty.

        Raises:
            RecordError: they are not, so nothing may be released.

            RecordBusyError: too many records wait.
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
