"""The erasable sides of past decisions, opened again."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.errors import PersonKeysError, RecordError
from ledger.erasable import Erasable, Sealer
from ledger.errors import KeyServiceError, LedgerError
from ledger.store import Sealed, Store


@dataclass(frozen=True, slots=True)
class Evidence:
    """Opens the sealed sides of records."""

    store: Store
    sealer: Sealer

    def opened(self, decision_ids: Sequence[str]) -> dict[str, Erasable | ValueError]:
        """
        By decision id what was kept, or why it does not open; those that were erased, or have nothing aside, are left out.

        Raises:
            RecordError: the store did not answer.
        """
        try:
            sealed = self.store.sealed(decision_ids)
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error
        return {name: self._open(name, one) for name, one in sealed.items()}

    def _open(self, name: str, sealed: Sealed) -> Erasable | ValueError:
        try:
            return self.sealer.open(sealed.body, key=sealed.key, location=name)
        except KeyServiceError as error:
            raise PersonKeysError("what keeps the keys of persons did not answer") from error
        except ValueError as error:
            return error

    def erasables(self, decision_ids: Sequence[str]) -> dict[str, Erasable]:
        """
        By decision id; those that were erased, or have nothing aside, are left out.

        Raises:
            RecordError: the store did not answer, or something is there but does not open.
        """
        sides: dict[str, Erasable] = {}
        for name, side in self.opened(decision_ids).items():
            if isinstance(side, ValueError):
                raise RecordError("the erasable side of a record does not decrypt") from side
            sides[name] = side
        return sides

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
