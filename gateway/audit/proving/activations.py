"""Which bundles the log says have decided: what a desk that forgot, or was made to, is held against."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gateway.audit.parts import SYSTEM_TENANT
from ledger.query import Filter
from ledger.record import parse_record
from ledger.store import Store


@dataclass(frozen=True, slots=True)
class Activations:
    """Records of bundles that began to decide."""

    store: Store
    replica: str
    """Whose desk it is: each replica has one of its own."""

    def newest(self) -> list[Mapping[str, Any]]:
        """
        The last two of this replica, older first; fewer where there were fewer.

        Raises:
            LedgerError: the ledger did not answer, or one of them is not whole.
        """
        found: list[Mapping[str, Any]] = []
        after: int | None = 0
        while after is not None:
            page = self.store.query(Filter(tenant=SYSTEM_TENANT, kind="bundle.activated", after=after, limit=1000))
            own = (record for record in map(parse_record, page.records) if record["lane"]["id"] == self.replica)
            found = [*found, *own][-2:]
            after = page.next
        return found

    def of(self, revision: str) -> Mapping[str, Any] | None:
        """
        The first record, of any replica, that says a bundle began to decide; None if it never did.

        Raises:
            LedgerError: as `newest`.
        """
        wanted = Filter(tenant=SYSTEM_TENANT, kind="bundle.activated", policy_revision=revision, limit=1)
        return next(map(parse_record, self.store.query(wanted).records), None)
