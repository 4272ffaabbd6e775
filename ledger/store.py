"""
What a ledger needs from the place that keeps it.

Two things are kept.  *Records* stand in lanes, one lane for each start of a writer, and are durable as
soon as they are acknowledged.  The *log* puts the records of all lanes into one order, a little later,
under one Merkle tree; its index columns are what auditors' questions are answered with.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ledger.query import Filter, Page, Series
from ledger.record import Record
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.tiles import Tile


@dataclass(frozen=True, slots=True)
class Entry:
    """A record ready to be stored: its parsed form, its bytes, its leaf hash and its sealed side."""

    record: Record
    body: bytes
    leaf: bytes
    sealed: bytes = b""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """An entry of the log as found in storage, with the index columns beside it, none of them believed."""

    index: int
    body: bytes
    position: tuple[str, int, int]
    """Lane, epoch and seq that the record is kept under."""

    projections: dict[str, object]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Records that follow one another in a lane."""

    lane: str
    epoch: int
    first: int
    """Number of the first of them in the lane."""

    bodies: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The log as it stands: its size, the root over it, and its partial tiles."""

    size: int = 0
    root: bytes = EMPTY_ROOT
    edge: bytes = b""


@dataclass(frozen=True, slots=True)
class Extension:
    """What one step of the sequencer adds to the log."""

    old: Head
    new: Head
    runs: Sequence[Run]
    records: Sequence[dict[str, Any]]
    """Members of the records of the runs, in order."""

    tiles: Sequence[Tile]

    def ranges(self) -> list[tuple[str, int, int, int, int]]:
        """Where the records of each run stand: lane, epoch, first number, number after the last, first index."""
        rows, start = [], self.old.size
        for run in self.runs:
            rows.append((run.lane, run.epoch, run.first, run.first + len(run.bodies), start))
            start += len(run.bodies)
        return rows


@dataclass(frozen=True, slots=True)
class Published:
    """A checkpoint as it was published."""

    size: int
    at: str
    note: str


@dataclass(frozen=True, slots=True)
class Person:
    """Who stands behind a token, the wrapped key of the erasable sides about them, and the salt of what records commit to."""

    tenant: str
    subject: str
    token: str
    key: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    """32 random bytes; see `ledger.erasable.commit_person`."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person who is to be forgotten, with the same transaction that records it."""

    tenant: str
    subject: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """The sealed side of a record, and the wrapped key that opens it."""

    body: bytes
    key: bytes = field(repr=False)


class Store(Protocol):
    """Keeps records durably, in order, and never changes one.  May be shared between threads."""

    # ── lanes ──
    def open_lane(self, replica: str) -> int:
        """
        Take the next epoch of a replica's lane.

        Raises:
            LedgerUnavailableError: the epoch could not be taken durably.
        """

    def append(self, entries: Sequence[Entry], erasures: Sequence[Erasure] = ()) -> None:
        """
        Make all entries durable in one transaction, and forget the persons named, or neither.

        The entries follow one another in one lane.

        Raises:
            LedgerUnavailableError: they are not durable, or their places are taken.

            DecisionTakenError: one of the decision ids is in the store already.

            SubjectErasedError: an entry has a sealed side for a token that is no more.
        """

    def stored(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        """Bytes of the records that are in the ledger already, by decision id."""

    def heads(self) -> list[tuple[str, int, int, str]]:
        """The newest place of every lane: replica, epoch, seq and leaf hash in hex."""

    def leaf_at(self, lane: str, epoch: int, seq: int) -> str | None:
        """The leaf hash in hex of the record at a place; None if there is none."""

    # ── persons ──
    def person(self, tenant: str, subject: str, new_key: bytes) -> Person:
        """The token and key of a person; made at first use, with *new_key*."""

    def behind(self, tenant: str, tokens: Sequence[str]) -> dict[str, Person]:
        """Who stands behind tokens of a tenant; the erased are left out."""

    def known_person(self, tenant: str, subject: str) -> Person | None:
        """The token and key of a person; None if there is none, or no more."""

    def sealed(self, decision_ids: Sequence[str]) -> dict[str, Sealed]:
        """Sealed sides by decision id; those that were erased, or never were, are left out."""

    # ── the log ──
    @property
    def step(self) -> int:
        """How many records a sequencer should take at a time, so that writers of lanes need not wait long."""

    def head(self) -> Head:
        """The log as it stands."""

    def waiting(self, limit: int) -> list[Run]:
        """Runs of records that are not in the log yet, lanes in order of id and epoch, at most so many records."""

    def extend(self, step: Extension) -> bool:
        """
        Put entries, tiles and the new head in place in one transaction, if the head is still the old one.

        Returns:
            False if another sequencer was faster; then nothing was changed.
        """

    def publish(self, checkpoint: Checkpoint, at: str, note: str) -> None:
        """Keep a signed checkpoint.  The newest of the largest size is the one that is served."""

    def published(self) -> Published | None:
        """The newest checkpoint of the largest size."""

    def checkpoints(self) -> Iterator[Published]:
        """All checkpoints, oldest first."""

    def tile(self, level: int, number: int) -> bytes | None:
        """The hashes of a full tile; None if it is not full."""

    def entries(self, start: int, end: int) -> list[bytes]:
        """Bytes of the entries with these indexes, in order."""

    def index_of(self, decision_id: str) -> int | None:
        """Where a record stands in the log; None if it is not in it yet."""

    # ── questions ──
    def scan(self) -> Iterator[StoredRow]:
        """Every entry of the log in order, as it stands in storage."""

    def lanes(self) -> list[tuple[str, int]]:
        """Every lane that was opened: replica and epoch."""

    def runs(self) -> list[tuple[str, int, int, int]]:
        """What each transaction wrote: lane, epoch, first number, number after the last; in order."""

    def ranges(self) -> list[tuple[str, int, int, int, int]]:
        """What each step put into the log: lane, epoch, first number, number after the last, first index; in order."""

    def count(self) -> int:
        """How many records there are, those outside the log included."""

    def query(self, wanted: Filter) -> Page:
        """Entries that match a filter, in the order of the log, a page at a time."""

    def series(self, wanted: Filter, by: str, period: str | None) -> list[Series]:
        """How many entries match, by a column and, if asked, by time."""

    def close(self) -> None:
        """Release what the store holds."""
