"""What a ledger needs from the place that keeps it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ledger.aside import Aside
from ledger.query import Filter, Page
from ledger.record import Record


@dataclass(frozen=True, slots=True)
class Entry:
    """A record ready to be stored: its parsed form, its bytes, its leaf hash and its erasable side."""

    record: Record
    body: bytes
    leaf: bytes
    aside: Aside


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A record as found in storage, with the index columns beside it, none of them believed."""

    position: int
    body: bytes
    projections: dict[str, object]


class Store(Protocol):
    """Keeps records durably, in order, and never changes one."""

    def open_lane(self, replica: str) -> int:
        """
        Take the next epoch of a replica's lane.

        Raises:
            LedgerUnavailableError: the epoch could not be taken durably.
        """

    def append(self, entries: Sequence[Entry]) -> None:
        """
        Make all entries durable in one transaction, or none.

        Raises:
            LedgerUnavailableError: they are not durable, or their places are taken.
        """

    def stored(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        """Bytes of the records that are in the ledger already, by decision id."""

    def subject_token(self, tenant: str, subject: str) -> str:
        """The random token that stands for a person in this tenant's records; made at first use."""

    def scan(self) -> Iterator[StoredRow]:
        """Every row, oldest first, as it stands in storage."""

    def query(self, wanted: Filter) -> Page:
        """Records that match a filter, oldest first, a page at a time."""

    def aside(self, decision_id: str) -> Aside | None:
        """The erasable side of a record; None once erased."""

    def inputs(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        """Policy inputs by decision id; those that were erased, or never kept, are left out."""

    def heads(self) -> list[tuple[str, int, int, str]]:
        """The newest place of every lane: replica, epoch, seq and leaf hash in hex."""

    def leaf_at(self, lane: str, epoch: int, seq: int) -> str | None:
        """The leaf hash in hex of the record at a place; None if there is none."""

    def close(self) -> None:
        """Release what the store holds."""
