"""
The pin: what the ledger was seen to hold, kept outside its store.

A chain alone does not show that its tail was cut off or that an older copy was put back.  The pin does,
as long as whoever holds the store cannot also write the pin.  It names the newest checkpoint, which
covers the log, and the newest place of this writer's lane, which covers what is not in the log yet.
"""

import json
import os
import secrets

from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from ledger.errors import LedgerCorruptError, LedgerError, RollbackError
from ledger.log import LogReader
from ledger.store import Store
from ledger.tlog.checkpoint import encode_hash, read_checkpoint

_FORMAT: Final = "ctxgate-pin/1"

Position = tuple[str, int, int, str]
"""Replica, epoch, seq and leaf hash in hex."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """What was seen before."""

    checkpoint: str | None = None
    """A signed checkpoint."""

    lane: Position | None = None


NOTHING_PINNED: Final = Pinned()


class HeadPin:
    """A small file with the newest checkpoint and the newest place of a lane."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._last: Pinned | None = None

    def read(self) -> Pinned:
        """
        What is pinned; nothing before the first pin.

        Raises:
            LedgerCorruptError: the file is not a pin.
        """
        if not self._path.exists():
            return Pinned()
        try:
            return _decoded(json.loads(self._path.read_bytes()))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, LedgerError) as error:
            raise LedgerCorruptError(str(self._path), "not a head pin") from error

    def write(self, checkpoint: str | None, lane: Position | None) -> None:
        """Pin what the store has now, atomically and durably; what is None stays as it was."""
        with self._lock:
            last = self._last or self.read()
            pinned = Pinned(checkpoint or last.checkpoint, lane or last.lane)
            if pinned != last:
                self._replace({"format": _FORMAT, "checkpoint": pinned.checkpoint, "lane": pinned.lane})
            self._last = pinned

    def _replace(self, document: object) -> None:
        # A gateway and a command may pin at the same moment: each drafts under a name of its own.
        draft = self._path.with_name(f"{self._path.name}.{os.getpid()}-{secrets.token_hex(4)}.new")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("wb") as file:
                file.write(json.dumps(document, indent=1).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path)
        finally:
            draft.unlink(missing_ok=True)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def forget(self) -> None:
        """Drop the pin, once an older state was accepted on purpose."""
        with self._lock:
            self._path.unlink(missing_ok=True)
            self._last = None

    def check(self, store: Store) -> None:
        """
        Refuse a store that is behind the pin.

        Raises:
            RollbackError: a pinned record is missing, or something else stands in its place.
        """
        check_pinned(store, self.read())


def _decoded(document: dict[str, Any]) -> Pinned:
    """What a document pins; one that pins nothing that can be read raises whatever reading it raised."""
    if document["format"] != _FORMAT:
        msg = f"the format is not {_FORMAT}"
        raise ValueError(msg)
    note, lane = document["checkpoint"], document["lane"]
    if note is not None:
        read_checkpoint(note)
    return Pinned(note, None if lane is None else (str(lane[0]), int(lane[1]), int(lane[2]), str(lane[3])))


def check_pinned(store: Store, pinned: Pinned) -> None:
    """
    Refuse a store that is behind what was seen.

    Raises:
        RollbackError: a pinned record is missing, or something else stands in its place.
    """
    if pinned.lane is not None:
        lane, epoch, seq, leaf = pinned.lane
        if store.leaf_at(lane, epoch, seq) != leaf:
            raise RollbackError(f"lane {lane}/{epoch}", f"record {seq} was seen before and is gone")
    if pinned.checkpoint is not None:
        seen = read_checkpoint(pinned.checkpoint)
        size = store.head().size
        if size < seen.size:
            raise RollbackError("the log", f"{seen.size} entries were seen before, there are {size}")
        published = store.published()
        if published is None or published.size < seen.size:
            raise RollbackError("the checkpoints", f"one of {seen.size} entries was seen before and is gone")
        if LogReader(store).root(seen.size) != seen.root:
            raise RollbackError(
                "the log", f"its first {seen.size} entries had the root {encode_hash(seen.root)} before"
            )
