"""What was kept aside of past decisions, opened again."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.errors import RecordError
from ledger.erasable import Aside, Sealer
from ledger.errors import LedgerError
from ledger.store import Store


@dataclass(frozen=True, slots=True)
class Evidence:
    """Opens the sealed sides of records."""

    store: Store
    sealer: Sealer

    def asides(self, decision_ids: Sequence[str]) -> dict[str, Aside]:
        """
        By decision id; those that were erased, or have nothing aside, are left out.

        Raises:
            RecordError: the store did not answer, or something is there but does not open.
        """
        try:
            return {
                name: self.sealer.open(sealed.body, key=sealed.key, place=name)
                for name, sealed in self.store.sealed(decision_ids).items()
            }
        except (LedgerError, ValueError) as error:
            raise RecordError("the erasable side of a record does not decrypt") from error

    def inputs(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        """
        Policy inputs by decision id; those that were erased, or never kept, are left out.

        Raises:
            RecordError: the store did not answer, or something is there but does not open.
        """
        return {name: aside.input for name, aside in self.asides(decision_ids).items() if aside.input is not None}
