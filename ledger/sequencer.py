"""
From lanes to one log: puts records in order under the Merkle tree, and signs what the tree has become.

Rules held here: lanes in the order of their ids and epochs, whole runs as their lanes signed them; the head moves by
compare-and-swap in the transaction of the entries and tiles, so that of two sequencers one loses and changes nothing; a run
that may not enter is set aside, under a signature, and the others go on; what is signed is the head that this sequencer
computed, which it proves to continue the last one that it signed, and never the one that is stored; what it remembers of
lanes counts only at its own place, and is forgotten with every error.
"""

import time

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from ledger.checkpoints.kept import crosses, in_one_step
from ledger.checks.rotation import require_turn
from ledger.errors import KeyReplacedError, LedgerCorruptError, RollbackError
from ledger.intake import reasons
from ledger.intake.following import Follower, Lap
from ledger.intake.reading import Taken
from ledger.intake.refusing import Aside, fresh_decision_id
from ledger.intake.signing import Keyring, KeysNow
from ledger.intake.sorting import sort_runs
from ledger.intake.trees import continues, head_of
from ledger.store import Extension, Head, Published, SetAside, Store
from ledger.tlog.checkpoint import Checkpoint, read_checkpoint
from ledger.tlog.merkle import ZERO_HASH
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
    keys: KeysNow
    """The log's, those that signed before included."""

    seen: Callable[[], str | None] = field(default=lambda: None)
    """The checkpoint that is pinned: the last that was signed here before this start."""

    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    _ends: dict[tuple[str, int], tuple[int, bytes]] = field(default_factory=dict)
    """By lane and epoch: the next sequence number and the leaf before it, as this sequencer left them."""

    _head: Head | None = None
    """The log as this sequencer knows it to be."""

    _signed: Checkpoint | None = None
    """The last that was signed here; never forgotten."""

    _newest: tuple[Published, Checkpoint] | None = None
    _aside: Aside | None = None
    _sound: set[Published] = field(default_factory=set)
    _lap: Lap = field(default_factory=Lap)

    def run(self) -> Published | None:
        """
        Put everything that waits into the log, and sign a checkpoint if there is news or the last one is old.

        Returns:
            The newest checkpoint; None while the log is empty.

        Raises:
            LedgerCorruptError: the log is not what was signed, and nothing more is signed.

            LedgerUnavailableError: the store did not answer; the next call goes on from there.

            KeyReplacedError: another key signs the log now.
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
        Put everything that waits into the log, and sign no more than the checkpoint that each span of sizes has.

        Raises:
            LedgerCorruptError, LedgerUnavailableError: as `run`.
        """
        while self.step():
            pass

    @property
    def aside(self) -> Aside:
        """What was set aside, here and by others."""
        if self._aside is None:
            self._aside = Aside(self.store, Keyring(self.origin, self.keys), self.signers)
        return self._aside

    @contextmanager
    def _remembering(self) -> Iterator[None]:
        """Whatever fails, the next call believes nothing that was remembered of the store."""
        try:
            yield
        except BaseException:
            self._forget()
            raise

    def _forget(self) -> None:
        self._ends.clear()
        self._head = self._newest = None

    def step(self) -> int:
        """
        Put some of what waits into the log.

        Returns:
            How many entries; 0 if nothing waits, or if another sequencer was faster.

        Raises:
            LedgerCorruptError, LedgerUnavailableError: as `run`.
        """
        with self._remembering():
            taken = None
            while taken is None:
                old = self._known_head()
                taken = self._next_runs(old)
            if not taken:
                return 0
            taken = taken[: in_one_step(len(one.leaves) for one in taken)]
            if crosses(old.size, old.size + sum(len(one.leaves) for one in taken)):
                # The log leaves a span, and whoever came to it may have ended before it signed.
                self._sign_span(old)
            added = self._extend(old, taken)
            with suppress(KeyReplacedError):
                # What has just entered may say so: then whoever signs from here on comes to this span as above.
                self._sign_span(self._head or Head())
            return added

    def _sign_span(self, head: Head) -> None:
        """See that there is a checkpoint in the span of sizes that the log has come to."""
        if head.size and crosses(self._newest[1].size if self._newest else 0, head.size):
            self.sign_head()

    def _next_runs(self, old: Head) -> list[Taken] | None:
        """Runs that may enter the log; those that may not are set aside on the way; None if another moved the log meanwhile."""
        limit = self.store.step
        while True:
            self.aside.refresh()
            runs = self.store.waiting(limit, self.aside.lanes)
            found = sort_runs(runs, old.size, self.store, self.aside.keyring, self._leaf_before)
            # What stands before it in its lane enters first: nothing of a lane enters after it is set aside.
            entering = {(one.run.lane, one.run.epoch) for one in found.taken}
            refused = {lane: why for lane, why in found.refused.items() if lane not in entering}
            if sum(run.next - run.first for run in runs) >= limit:
                # What the held wait for may come after these.
                limit *= 4
            elif not found.taken:
                # Rulings are durable before their pack is: if these are all that wait, there are none.
                refused |= {lane: (run, reasons.PACK) for lane, run in found.held.items()}
            # What another put into the log in between waits no more, and is not yet among what these were held against.
            if refused and self.store.head() != old:
                return None
            self._refuse([(run.lane, run.epoch, run.first, run.next, code) for run, code in refused.values()])
            if found.taken or not runs:
                return found.taken

    def _refuse(self, refused: Sequence[tuple[str, int, int, int, str]]) -> None:
        now = self.clock()
        self.aside.put([SetAside(*one, decision_id=fresh_decision_id(now), signature=b"") for one in refused])

    def _extend(self, old: Head, taken: Sequence[Taken]) -> int:
        # The tree grows from the head that is known here, so that its root never depends on what is stored of it.
        leaves = [leaf for one in taken for leaf in one.leaves]
        records = [record for one in taken for record in one.records]
        edge, full = grow(old.size, old.edge, leaves)
        size = old.size + len(leaves)
        new = Head(size, edge_root(size, edge), edge)
        step = Extension(old, new, [one.run for one in taken], records, full)
        try:
            extended = self.store.extend(step)
        except LedgerCorruptError:
            self._rewind(old, old)
            extended = self.store.extend(step)
        if not extended:
            self._forget()
            return 0
        self._head = new
        for one in taken:
            self._ends[one.run.lane, one.run.epoch] = one.run.next, one.leaves[-1]
        return len(leaves)

    def _leaf_before(self, lane: str, epoch: int, first: int) -> bytes | None:
        if first == 0:
            return ZERO_HASH
        # Another sequencer may have gone on from where this one stopped, so what is remembered counts only at its own place.
        seq, end = self._ends.get((lane, epoch), (-1, b""))
        if seq == first:
            return end
        leaf = self.store.leaf_at(lane, epoch, first - 1)
        return bytes.fromhex(leaf) if leaf else None

    # ── the head ──
    def _known_head(self) -> Head:
        """
        The log as it is: what this sequencer knows, and what others did since.

        Raises:
            LedgerCorruptError: it is not what was signed.
        """
        stored = self.store.head()
        if self._head is not None and stored == self._head:
            return stored
        follower = self._look()
        self._head = self._signed_head()
        if stored != self._head:
            try:
                follower.follow(self._head, stored)
                self._head = stored
            except LedgerCorruptError:
                # Another may have gone on in the middle of this.
                if self.store.head() == stored:
                    self._rewind(stored, self._head)
        return self._head

    def _look(self) -> Follower:
        """See which checkpoint is the newest that the log signed."""
        follower = Follower(self.store, self.aside.keyring, self._leaf_before, self._discard, self._sound, self._lap)
        if self._newest is None or self.store.published() != self._newest[0]:
            self._newest = follower.newest()
        return follower

    def _signed_head(self) -> Head:
        """What is known of the log, or what the newest checkpoint is over, if that is more."""
        known = self._head or Head()
        if self._newest is None or self._newest[1].size <= known.size:
            return known
        ahead = head_of(self.store, self._newest[1])
        if not continues(self.store, Checkpoint(self.origin, known.size, known.root), ahead):
            raise LedgerCorruptError("the log", f"a checkpoint does not continue the {known.size} entries known here")
        return ahead

    def _rewind(self, found: Head, head: Head) -> None:
        last = self._last_signed()
        if last is not None and last.size > head.size:
            raise RollbackError("the log", f"{last.size} entries were signed here, and {head.size} are left of them")
        # What is remembered of the log may be gone from it too.
        head_of(self.store, Checkpoint(self.origin, head.size, head.root))
        if self.store.rewind(found, head):
            self._ends.clear()
            self._refuse([("log", 0, head.size, max(found.size, head.size), reasons.REWOUND)])

    def _discard(self, published: Published) -> None:
        self.store.discard(published)
        size = published.size if isinstance(published.size, int) else 0
        self._refuse([("checkpoint", 0, size, size, reasons.CHECKPOINT)])

    def _last_signed(self) -> Checkpoint | None:
        if self._signed is None and (note := self.seen()) is not None:
            self._signed = read_checkpoint(note)
        return self._signed

    def sign_head(self) -> Published | None:
        """
        The newest checkpoint, signed anew if the head has moved or the last one is old.

        Raises:
            LedgerCorruptError, LedgerUnavailableError: as `run`.
        """
        with self._remembering():
            # The checkpoint first: another sequencer may be at work, and the head only grows.
            self._look().clear()
            head, now = self._known_head(), self.clock()
            if not head.size:
                return None
            if self._newest is not None:
                last, checkpoint = self._newest
                if last.size > head.size or (last.size == head.size and checkpoint.root != head.root):
                    raise RollbackError("the head", f"a checkpoint of {last.size} entries was published over others")
                if last.size == head.size and _fresh(last.at, now):
                    return last
            return self._sign(head, now)

    def _sign(self, head: Head, now: datetime) -> Published:
        require_turn(self.store, self.signers, head.size)
        last = self._last_signed()
        if last is not None and not continues(self.store, last, head):
            raise RollbackError("the log", f"it does not continue the {last.size} entries that were signed here")
        checkpoint = Checkpoint(self.origin, head.size, head.root)
        published = Published(head.size, _instant(now), sign(str(checkpoint), self.signers))
        if not self.store.publish(checkpoint, published.at, published.note):
            # Another was faster and has come further: theirs is the newest, and this one is nobody's.
            self._look()
            return self._newest[0] if self._newest else published
        self._signed, self._newest = checkpoint, (published, checkpoint)
        return published


def _fresh(at: str, now: datetime) -> bool:
    """Whether a checkpoint need not be signed anew yet; its time stands beside it, where anybody may have written it."""
    try:
        return timedelta(0) <= now - datetime.fromisoformat(at) < RESIGNED_EVERY
    except (ValueError, TypeError):
        return False


def _instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
