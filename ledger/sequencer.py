"""
From lanes to one log: puts records in order under the Merkle tree, and signs what the tree has become.

Rules held here: lanes in the order of their ids and epochs, whole available runs, so that the order
follows from what is stored; the head moves by compare-and-swap in the transaction of the entries and
tiles, so that of two sequencers one loses and changes nothing; a record that was not written by this
format, or does not follow the one before it in its lane, stops the log instead of entering it; a
checkpoint is signed only over a head that is stored, and never for less than was published before.
"""

import time

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ledger.errors import LedgerCorruptError, RecordInvalidError
from ledger.record import parse_record
from ledger.store import Extension, Head, Published, Run, Store
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import ZERO_HASH, leaf_hash
from ledger.tlog.note import Signer, sign
from ledger.tlog.tiles import edge_root, grow

SIGNED_EVERY: Final = 0.5
"""Seconds between checkpoints while there is no end of records."""

RESIGNED_EVERY: Final = timedelta(minutes=10)
"""How old the newest checkpoint of an idle log may become (as public logs do)."""


@dataclass(slots=True)
class Sequencer:
    """Brings the log of one origin up to what its lanes hold.  One thread at a time."""

    store: Store
    origin: str
    signers: Sequence[Signer]
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    _ends: dict[tuple[str, int], tuple[int, bytes]] = field(default_factory=dict)
    """By lane and epoch: the next sequence number and the leaf before it, as this sequencer left them."""

    def run(self) -> Published | None:
        """
        Put everything that waits into the log, and sign a checkpoint if there is news or the last one is old.

        Returns:
            The newest checkpoint; None while the log is empty.

        Raises:
            LedgerCorruptError: what waits cannot be a continuation of its lane.

            LedgerUnavailableError: the store did not answer; the next call goes on from there.
        """
        signed = time.monotonic()
        while self.step():
            # Under load there is always more: checkpoints do not wait for its end.
            if time.monotonic() - signed > SIGNED_EVERY:
                self.sign_head()
                signed = time.monotonic()
        return self.sign_head()

    def catch_up(self) -> None:
        """
        Put everything that waits into the log, and sign nothing.

        Raises:
            LedgerCorruptError, LedgerUnavailableError: as `run`.
        """
        while self.step():
            pass

    def step(self) -> int:
        """
        Put some of what waits into the log.

        Returns:
            How many entries; 0 if nothing waits, or if another sequencer was faster.
        """
        old = self.store.head()
        runs = self.store.waiting(self.store.step)
        if not runs:
            return 0
        records: list[dict[str, Any]] = []
        leaves: list[bytes] = []
        for run in runs:
            self._take(run, records, leaves)
        edge, full = grow(old.size, old.edge, leaves)
        size = old.size + len(leaves)
        new = Head(size, edge_root(size, edge), edge)
        if not self.store.extend(Extension(old, new, runs, records, full)):
            self._ends.clear()
            return 0
        for run in runs:
            self._ends[run.lane, run.epoch] = run.first + len(run.bodies), leaf_hash(run.bodies[-1])
        return len(leaves)

    def _take(self, run: Run, records: list[dict[str, Any]], leaves: list[bytes]) -> None:
        """Add the records of a run, and their hashes, once each is known to follow the one before it."""
        prev = self._before(run)
        for seq, body in enumerate(run.bodies, run.first):
            where = f"record {seq} of lane {run.lane}/{run.epoch}"
            try:
                record = parse_record(body)
            except RecordInvalidError as error:
                raise LedgerCorruptError(where, str(error)) from error
            position = {"id": run.lane, "epoch": run.epoch, "seq": seq, "prev": prev.hex()}
            if record["origin"] != self.origin or record["lane"] != position:
                raise LedgerCorruptError(where, "it does not follow the record before it in this log")
            prev = leaf_hash(body)
            records.append(record)
            leaves.append(prev)

    def _before(self, run: Run) -> bytes:
        if run.first == 0:
            return ZERO_HASH
        # Another sequencer may have gone on from where this one stopped, so what is remembered counts only at its own place.
        seq, end = self._ends.get((run.lane, run.epoch), (-1, b""))
        if seq == run.first:
            return end
        leaf = self.store.leaf_at(run.lane, run.epoch, run.first - 1)
        if leaf is None:
            raise LedgerCorruptError(f"record {run.first} of lane {run.lane}/{run.epoch}", "the one before it is gone")
        return bytes.fromhex(leaf)

    def sign_head(self) -> Published | None:
        """The newest checkpoint, signed anew if the head has moved or the last one is old."""
        # The checkpoint first: another sequencer may be at work, and the head only grows.
        last = self.store.published()
        head, now = self.store.head(), self.clock()
        if not head.size:
            return None
        if last is not None:
            fresh = timedelta(0) <= now - datetime.fromisoformat(last.at) < RESIGNED_EVERY
            if last.size > head.size:
                raise LedgerCorruptError(
                    "the head", f"a checkpoint of {last.size} entries was published, there are {head.size}"
                )
            if last.size == head.size and fresh:
                return last
        checkpoint = Checkpoint(self.origin, head.size, head.root)
        published = Published(head.size, _instant(now), sign(str(checkpoint), self.signers))
        self.store.publish(checkpoint, published.at, published.note)
        return published


def _instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
