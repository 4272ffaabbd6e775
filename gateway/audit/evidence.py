"""The erasable sides of past decisions, opened again."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.errors import RecordError
from ledger.erasable import Erasable, Sealer
from ledger.errors import LedgerError
from ledger.store import Store


@dataclass(frozen=True, slots=True)
class Evidence:
    """Opens the sealed sides of records."""

    store: Store
    sealer: Sealer

    def erasables(self, decision_ids: Sequence[str]) -> dict[str, Erasable]:
        """
        By decision id; those that were erased, or have nothing aside, are left out.

        Raises:
            RecordError: the store did not answer, or something is there but does not open.
        """
        try:
            return {
                name: self.sealer.open(sealed.body, key=sealed.key, location=name)
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
        return {
            name: erasable.input
            for name, erasable in self.erasables(decision_ids).items()
            if erasable.input is not None
        }
