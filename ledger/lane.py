"""
The chain that one process writes.

Rules held here: every record names the leaf hash of the one before; a lane is taken anew, with a higher
epoch, at every start and after every failed write, so that nobody ever extends a chain whose end is not
known; a decision id that is in the ledger already is the same decision, or an error.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat

from ledger.errors import DecisionTakenError, DuplicateDecisionError, LedgerError
from ledger.record import Draft, GatewayPart, Lane, Record
from ledger.store import Entry, Erasure, Store
from ledger.tlog.merkle import ZERO_HASH, leaf_hash


@dataclass(frozen=True, slots=True)
class Submission:
    """Drafts that belong together, with the sealed side of each, and the persons forgotten with them."""

    drafts: Sequence[Draft]
    sealed: Sequence[bytes] = ()
    erasures: Sequence[Erasure] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A record that is durable, and its leaf hash."""

    record: Record
    leaf: bytes


@dataclass(slots=True)
class LaneWriter:
    """Writes records at the end of one lane.  One thread at a time."""

    store: Store
    origin: str
    gateway: GatewayPart
    _epoch: int = 0
    _seq: int = 0
    _prev: bytes = field(default=ZERO_HASH)

    def commit(self, submissions: Sequence[Submission]) -> list[list[Written] | LedgerError]:
        """
        Make the submissions durable in one transaction and answer for each, in order.

        A submission that repeats stored decisions is answered with what is stored.

        Raises:
            LedgerUnavailableError: nothing was acknowledged; the lane is left behind.
        """
        try:
            return self._commit(submissions, {})
        except DecisionTakenError:
            # Rare, so that nothing is looked up before it is known to be there.
            known = self.store.stored([draft.decision_id for one in submissions for draft in one.drafts])
            return self._commit(submissions, known)

    def _commit(self, submissions: Sequence[Submission], known: dict[str, bytes]) -> list[list[Written] | LedgerError]:
        if not self._epoch:
            self._take_epoch()
        end = self._seq, self._prev
        entries: list[Entry] = []
        erasures: list[Erasure] = []
        answers: list[list[Written] | LedgerError] = []
        for submission in submissions:
            try:
                answers.append(self._position(submission, known, entries))
                erasures += submission.erasures
            except LedgerError as error:
                answers.append(error)
        try:
            self.store.append(entries, erasures)
        except DecisionTakenError:
            self._seq, self._prev = end
            raise
        except BaseException:
            self._epoch = 0
            raise
        return answers

    @property
    def position(self) -> tuple[str, int, int, str] | None:
        """The newest place of the lane that is durable: replica, epoch, seq and leaf hash in hex."""
        if not self._epoch or not self._seq:
            return None
        return self.gateway.replica, self._epoch, self._seq - 1, self._prev.hex()

    def _take_epoch(self) -> None:
        self._epoch = self.store.open_lane(self.gateway.replica)
        self._seq, self._prev = 0, ZERO_HASH

    def _position(self, submission: Submission, known: dict[str, bytes], entries: list[Entry]) -> list[Written]:
        before = (self._seq, self._prev, len(entries))
        try:
            return [
                self._place_one(draft, sealed, known, entries)
                for draft, sealed in zip(submission.drafts, submission.sealed or repeat(b""), strict=False)
            ]
        except BaseException:
            self._seq, self._prev = before[:2]
            del entries[before[2] :]
            raise

    def _place_one(self, draft: Draft, sealed: bytes, known: dict[str, bytes], entries: list[Entry]) -> Written:
        body = known.get(draft.decision_id)
        if body is not None:
            return Written(_same_decision(draft, Record.decode(body)), leaf_hash(body))
        lane = Lane(id=self.gateway.replica, epoch=self._epoch, seq=self._seq, prev=self._prev.hex())
        record = draft.placed(origin=self.origin, lane=lane, gateway=self.gateway)
        body = record.encode()
        leaf = leaf_hash(body)
        entries.append(Entry(record, body, leaf, sealed))
        known[draft.decision_id] = body
        self._seq, self._prev = self._seq + 1, leaf
        return Written(record, leaf)


def _same_decision(draft: Draft, stored: Record) -> Record:
    """Salted commitments differ between tries; what was decided may not."""
    decided = {"kind", "request_id", "tenant", "subject", "agent", "outcome", "codes", "obligations"}
    if draft.model_dump(include=decided) != stored.model_dump(include=decided):
        msg = f"decision {draft.decision_id} is in the ledger and says something else"
        raise DuplicateDecisionError(msg)
    return stored
