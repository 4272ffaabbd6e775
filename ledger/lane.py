"""
The chain that one process writes.

Rules held here: every record names the leaf hash of the one before; a lane is taken anew, with a higher
epoch, at every start and after every failed write, so that nobody ever extends a chain whose end is not
known; a decision id that is in the ledger already is the same decision, or an error; a submission is in the ledger
as a whole or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from ledger.errors import (
    DecisionTakenError,
    DuplicateDecisionError,
    LedgerError,
    LedgerUnavailableError,
    RecordInvalidError,
)
from ledger.intake.signing import run_message, sign_with
from ledger.record import Draft, GatewayPart, Lane, Record, well_named
from ledger.store import LONGEST_RUN, Entry, Erasure, Run, Store
from ledger.tlog.merkle import ZERO_HASH, leaf_hash
from ledger.tlog.note import Signer


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
    repeated: bool = False
    """Whether it was there before: its commitments are then under the salts of that time."""


@dataclass(slots=True)
class LaneWriter:
    """Writes records at the end of one lane.  One thread at a time."""

    store: Store
    origin: str
    gateway: GatewayPart
    signer: Signer
    """Signs what it writes, for the sequencers: whoever has the store alone writes nothing that enters the log."""

    _left: int = 0
    """The epoch that is not to be gone on with."""

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
        if not self._epoch or self._epoch == self._left:
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
            self.store.append(entries, erasures, self._signature(entries))
        except DecisionTakenError:
            self._seq, self._prev = end
            raise
        except BaseException:
            self._epoch = 0
            raise
        return answers

    def _signature(self, entries: Sequence[Entry]) -> bytes:
        if not entries:
            return b""
        first = entries[0].record.lane.seq
        if len(entries) > LONGEST_RUN:
            raise LedgerUnavailableError("more records at once than a run of a lane may have")
        run = Run(self.gateway.replica, self._epoch, first, first + len(entries), (entries[-1].body,))
        return sign_with(self.signer, run_message(self.origin, run))

    def leave(self, epoch: int) -> None:
        """Write no more in an epoch, since nothing that follows in it can enter the log; callable from any thread."""
        self._left = epoch

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
        _check_repeat(submission.drafts, known)
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
            return Written(Record.decode(body), leaf_hash(body), repeated=True)
        lane = Lane(id=self.gateway.replica, epoch=self._epoch, seq=self._seq, prev=self._prev.hex())
        if not well_named(draft.tenant, draft.codes):
            raise RecordInvalidError("a tenant or a code is none")
        record = draft.placed(origin=self.origin, lane=lane, gateway=self.gateway)
        body = record.encode()
        leaf = leaf_hash(body)
        entries.append(Entry(record, body, leaf, sealed))
        known[draft.decision_id] = body
        self._seq, self._prev = self._seq + 1, leaf
        return Written(record, leaf)


def _check_repeat(drafts: Sequence[Draft], known: dict[str, bytes]) -> None:
    """
    Raises:
        DuplicateDecisionError: the ledger holds another decision under one of the ids, or only a part of this one.
    """
    stored = [Record.decode(known[draft.decision_id]) if draft.decision_id in known else None for draft in drafts]
    for draft, record in zip(drafts, stored, strict=True):
        if record is not None and _said(draft) != _said(record):
            msg = f"decision {draft.decision_id} is in the ledger and says something else"
            raise DuplicateDecisionError(msg, record.request_id if record.kind == "request.opened" else None)
    # The rest, written now, would belong to a decision that was complete without it, and whose pack may be sealed.
    found = [record for record in stored if record is not None]
    if found and len(found) != len(drafts):
        msg = f"of {len(drafts)} decisions {len(found)} are in the ledger, which holds all of a submission or none"
        raise DuplicateDecisionError(msg)


def _said(draft: Draft) -> dict[str, Any]:
    """All that a draft says but for its commitments, which differ between tries by their salts; of each only whether it is there."""
    said = draft.model_dump(include=set(Draft.model_fields), exclude={"item": {"commitment"}})
    policy = (
        {**said["policy"], "input_commitment": bool(said["policy"]["input_commitment"])} if said["policy"] else None
    )
    return {**said, "policy": policy, "released_commitment": bool(said["released_commitment"])}
