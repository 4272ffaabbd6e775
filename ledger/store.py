"""
What a ledger needs from the place that keeps it.

Two things are kept.  *Records* stand in lanes, one lane for each start of a writer, and are durable as
soon as they are acknowledged.  The *log* puts the records of all lanes into one order, a little later,
under one Merkle tree; its index columns are what auditors' questions are answered with.
"""

import json

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from ledger.errors import LedgerCorruptError
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


LONGEST_RUN: Final = 1 << 14
"""Records in one transaction of a lane, at most."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one transaction of a lane wrote, as found in storage: none of it is believed."""

    lane: str
    epoch: int
    first: int
    """Number of the first of its records in the lane."""

    next: int
    """Number after the last of them."""

    bodies: tuple[bytes, ...]
    """Those of its records that are there, in order."""

    names: tuple[str, ...] = ()  # decision ids that they are kept under
    signature: bytes | None = None
    """See `ledger.intake.signing`; None of what was written before there were any."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A run that was set aside, and with it all that follows in its lane; or another thing that could not stay."""

    lane: str
    epoch: int
    first: int
    next: int
    code: str
    """Of the reason: see `ledger.intake.reasons`."""

    decision_id: str
    """Of the `record.refused` record that says so in the log."""

    signature: bytes
    """Of the log, since whoever could set runs aside could keep them out of the log."""


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
        """Where the records of the runs stand, those that follow one another in a lane together: lane, epoch, first number, number after the last, first index."""
        rows: list[tuple[str, int, int, int, int]] = []
        start = self.old.size
        for run in self.runs:
            if rows and rows[-1][:2] == (run.lane, run.epoch) and rows[-1][3] == run.first:
                rows[-1] = (*rows[-1][:3], run.next, rows[-1][4])
            else:
                rows.append((run.lane, run.epoch, run.first, run.next, start))
            start += run.next - run.first
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
class Named:
    """Who stands behind a token, without the key: what a verifier needs."""

    tenant: str
    subject: str
    token: str
    salt: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person who is to be forgotten, with the same transaction that records it."""

    tenant: str
    subject: str


@dataclass(frozen=True, slots=True)
class Remnant:
    """What may still hold something that was deleted: a place, never what it is."""

    store: str
    """Such as `ledger.sqlite`."""

    kind: str
    """What of it, such as `write-ahead log`."""

    why: str
    """In words, for whoever runs the gateway."""

    rewrite: bool = False
    """Whether what is left has still to be written anew."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The sealed side of a record, and the wrapped key that opens it."""

    body: bytes
    key: bytes = field(repr=False)


def named_origin(body: bytes) -> str:
    """
    The log that a stored record says it belongs to, for a store from before it held the name of its log.

    Raises:
        LedgerCorruptError: it is not a record.
    """
    try:
        return str(json.loads(body)["origin"])
    except (ValueError, KeyError, TypeError) as error:
        raise LedgerCorruptError("the first record", "it does not say which log it belongs to") from error


class Store(Protocol):
    """Keeps records durably, in order, and never changes one.  May be shared between threads."""

    # ── lanes ──
    def open_lane(self, replica: str) -> int:
        """
        Take the next epoch of a replica's lane.

        Raises:
            LedgerUnavailableError: the epoch could not be taken durably.
        """

    def append(self, entries: Sequence[Entry], erasures: Sequence[Erasure] = (), signature: bytes = b"") -> None:
        """
        Make all entries durable in one transaction, and forget the persons named, or neither.

        The entries follow one another in one lane; *signature* is over them (`ledger.intake.signing`).

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

    def who(self, tenant: str, subject: str) -> Named | None:
        """The token of a person, for whoever may not have the key; None if there is none, or no more."""

    def named(self) -> Iterator[Named]:
        """Everybody who stands behind a token, in the order of the tokens."""

    def beside(self, decision_ids: Sequence[str]) -> dict[str, str]:
        """The tokens that the sealed sides of these records are kept for, by decision id; none of those that have none."""

    # ── the log ──
    def claim(self, origin: str) -> str:
        """
        The name of the one log that this store holds: *origin*, if there was none before.

        Raises:
            LedgerUnavailableError: it is not known to be.
        """

    @property
    def step(self) -> int:
        """How many records a sequencer should take at a time, so that writers of lanes need not wait long."""

    def head(self) -> Head:
        """The log as it stands."""

    def waiting(self, limit: int, without: Collection[tuple[str, int]] = ()) -> list[Run]:
        """
        Runs that are not in the log yet, lanes in order of id and epoch, none of the lanes and epochs in *without*.

        No run follows when they hold *limit* records.  A lane ends before what was never signed: see `unsigned`.
        """

    def batches(self, lane: str, epoch: int, first: int, end: int) -> list[Run]:
        """The runs of a lane that begin from one number up to, not including, another; in order."""

    def unsigned(self) -> list[Run]:
        """Runs that are not in the log yet and were written before runs were signed."""

    def accept(self, run: Run, signature: bytes) -> None:
        """Sign a run that was never signed; one that was stays as it is."""

    def extend(self, step: Extension) -> bool:
        """
        Put entries, tiles and the new head in place in one transaction, if the head is still the old one.

        Returns:
            False if another sequencer was faster; then nothing was changed.

        Raises:
            LedgerCorruptError: something stands where the entries would; nothing was changed.
        """

    def rewind(self, found: Head, head: Head) -> bool:
        """
        Take back all of the log beyond a head, and touch no record; *found* is the head as it is stored now.

        Returns:
            False if it is not any more; then nothing was changed.
        """

    def refuse(self, refusals: Sequence[SetAside]) -> None:
        """Keep that runs were set aside."""

    def refused(self, after: int = 0) -> list[tuple[int, SetAside]]:
        """What was set aside, in the order that it was kept, each with its place in it; from after a place on."""

    def discard(self, published: Published) -> None:
        """Take away a checkpoint that the log did not sign."""

    def rulings(self, tenant: str, request_ids: Sequence[str], end: int) -> list[tuple[str, str, str, str | None]]:
        """Request id, kind, decision id and outcome of requests' rulings and packs, in the order of the log before an index."""

    def publish(self, checkpoint: Checkpoint, at: str, note: str) -> bool:
        """
        Keep a signed checkpoint: for good where `ledger.checkpoints.kept` says so, otherwise until a newer one takes its place.

        Returns:
            False if there is one of a larger tree; then this one is not kept.
        """

    def published(self) -> Published | None:
        """The newest checkpoint of the largest size."""

    def checkpoints(self) -> Iterator[Published]:
        """The checkpoints that are kept for good, in the order of their sizes."""

    def kept(self, after: tuple[int, int], limit: int) -> list[tuple[int, Published]]:
        """Some of the same with the place of each, after a size and a place, in the order of both."""

    def kept_last(self) -> list[Published]:
        """The `ledger.checkpoints.kept.LOOKED_AT` that were kept for good last."""
        ...

    def newest(self) -> list[Published]:
        """The newest checkpoint with each number of cosignatures, in the order of their sizes."""

    def tile(self, level: int, number: int) -> bytes | None:
        """The hashes of a full tile; None if it is not full."""

    def entries(self, start: int, end: int) -> list[bytes]:
        """Bytes of the entries with these indexes, in order."""

    def index_of(self, decision_id: str) -> int | None:
        """Where a record stands in the log; None if it is not in it yet."""

    # ── questions ──
    def scan(self, start: int = 0) -> Iterator[StoredRow]:
        """Every entry of the log in order from an index on, as it stands in storage."""

    def lanes(self) -> list[tuple[str, int]]:
        """Every lane that was opened: replica and epoch."""

    def runs(self) -> Iterator[tuple[str, int, int, int]]:
        """What each transaction wrote: lane, epoch, first number, number after the last; in order."""

    def ranges(self, start: int = 0) -> Iterator[tuple[str, int, int, int, int]]:
        """What each step put into the log from an index on: lane, epoch, first number, number after the last, first index; by that."""

    def count(self) -> int:
        """How many records there are, those outside the log included."""

    def query(self, wanted: Filter) -> Page:
        """Entries that match a filter, in the order of the log, a page at a time."""

    def series(self, wanted: Filter, by: str, period: str | None) -> list[Series]:
        """How many entries match, by a column and, if asked, by time."""

    def close(self) -> None:
        """Release what the store holds."""
