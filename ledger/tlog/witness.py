"""
A witness: cosigns checkpoints of logs it knows, and never two that do not belong together (c2sp.org/tlog-witness).

Rules held here: a checkpoint is signed by the log it names; the old size is the one that this witness cosigned last;
the new tree is shown to begin with the old one; the new head is durable before the cosignature is given, by a
compare-and-swap, so that two requests at once cannot roll a log back.
"""

import sqlite3

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from ledger.errors import LedgerUnavailableError, NoteInvalidError
from ledger.tlog.checkpoint import Checkpoint, decode_hash, open_checkpoint, read_checkpoint
from ledger.tlog.merkle import EMPTY_ROOT, verify_consistency
from ledger.tlog.note import Signer, Verifier, cosign

SIZE_TYPE: Final = "text/x.tlog.size"
_MAX_LINES: Final = 63


@dataclass(frozen=True, slots=True)
class Answer:
    """What a witness answers: a status of HTTP, and a body."""

    status: int
    body: str = ""
    media_type: str = "text/plain; charset=utf-8"


class WitnessState:
    """The newest checkpoint of every log, in one SQLite file."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            LedgerUnavailableError: the file cannot be opened.
        """
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS seen (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL)"
            )
        except (sqlite3.Error, OSError) as error:
            raise LedgerUnavailableError("the witness's state cannot be opened") from error

    def last(self, origin: str) -> Checkpoint:
        """The newest checkpoint of a log; that of the empty log before the first."""
        with self._lock:
            row = self._connection.execute("SELECT size, root FROM seen WHERE origin = ?", (origin,)).fetchone()
        return Checkpoint(origin, *row) if row else Checkpoint(origin, 0, EMPTY_ROOT)

    def move(self, old: Checkpoint, new: Checkpoint) -> bool:
        """Durably go from one checkpoint to the next; False if the old one is not the last any more."""
        with self._lock:
            first = "INSERT INTO seen VALUES (?, 0, ?) ON CONFLICT DO NOTHING"
            swap = "UPDATE seen SET size = ?, root = ? WHERE origin = ? AND size = ? AND root = ?"
            self._connection.execute(first, (old.origin, EMPTY_ROOT))
            done = self._connection.execute(swap, (new.size, new.root, old.origin, old.size, old.root))
            return done.rowcount == 1

    def close(self) -> None:
        """Release the file."""
        with self._lock, closing(self._connection):
            pass


@dataclass(frozen=True, slots=True)
class Witness:
    """Judges submissions."""

    signer: Signer
    logs: Mapping[str, Sequence[Verifier]]
    """Keys of the logs that are known, by origin."""

    state: WitnessState
    clock: Callable[[], int]
    """Seconds since 1970."""

    def add_checkpoint(self, body: str) -> Answer:
        """The answer to a submission."""
        try:
            old, proof, note = _parse(body)
            origin = read_checkpoint(note).origin
        except NoteInvalidError as error:
            return Answer(400, f"{error}\n")
        if origin not in self.logs:
            return Answer(404, "this log is not known here\n")
        try:
            new, _ = open_checkpoint(note, self.logs[origin])
        except NoteInvalidError as error:
            return Answer(403, f"{error}\n")
        if old > new.size:
            return Answer(400, "the old size is larger than the new one\n")
        return self._judge(old, new, proof)

    def head(self, origin: str) -> Answer:
        """The newest checkpoint of a log that this witness saw, cosigned now, for whoever looks whether a log was cut since."""
        last = self.state.last(origin) if origin in self.logs else None
        if last is None or not last.size:
            return Answer(404, "of this log nothing was seen here\n")
        return Answer(200, f"{last}\n{cosign(str(last), self.signer, self.clock())}")

    def _judge(self, old: int, new: Checkpoint, proof: Sequence[bytes]) -> Answer:
        last = self.state.last(new.origin)
        if old != last.size or (old == new.size and last.root != new.root):
            return _conflict(last)
        if not verify_consistency(old, new.size, last.root, new.root, proof):
            return Answer(422, "the proof does not show that the log was only added to\n")
        if not self.state.move(last, new):
            return _conflict(self.state.last(new.origin))
        return Answer(200, cosign(str(new), self.signer, self.clock()))


def _conflict(last: Checkpoint) -> Answer:
    return Answer(409, f"{last.size}\n", SIZE_TYPE)


def _parse(body: str) -> tuple[int, list[bytes], str]:
    head, blank, note = body.partition("\n\n")
    first, *hashes = head.split("\n")
    number = first.removeprefix("old ")
    whole = first.startswith("old ") and number.isascii() and number.isdigit() and str(int(number[:19])) == number
    if not blank or not whole or len(hashes) > _MAX_LINES:
        raise NoteInvalidError("not a submission")
    return int(number), [decode_hash(line) for line in hashes], note
