"""
The pin: the newest heads of the ledger, kept outside its store.

A chain alone does not show that its tail was cut off or that an older copy was put back.  The pin does,
as long as whoever holds the store cannot also write the pin.
"""

import json
import os

from pathlib import Path
from threading import Lock

from ledger.errors import LedgerCorruptError, RollbackError
from ledger.store import Store


class HeadPin:
    """A small file with the newest place of every lane."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()

    def read(self) -> dict[tuple[str, int], tuple[int, str]]:
        """
        Pinned places: (replica, epoch) to (seq, leaf hash in hex); empty before the first pin.

        Raises:
            LedgerCorruptError: the file is not a pin.
        """
        if not self._path.exists():
            return {}
        try:
            lines = json.loads(self._path.read_bytes())["lanes"]
            return {(lane, epoch): (seq, leaf) for lane, epoch, seq, leaf in lines}
        except (ValueError, KeyError, TypeError) as error:
            raise LedgerCorruptError(str(self._path), "not a head pin") from error

    def write(self, store: Store) -> None:
        """Pin the heads the store has now, atomically and durably."""
        with self._lock:
            draft = self._path.with_suffix(".new")
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as file:
                file.write(json.dumps({"lanes": store.heads()}, indent=1).encode())
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path)

    def check(self, store: Store) -> None:
        """
        Refuse a store that is behind the pin.

        Raises:
            RollbackError: a pinned record is missing or another one stands in its place.
        """
        for (lane, epoch), (seq, leaf) in self.read().items():
            if store.leaf_at(lane, epoch, seq) != leaf:
                raise RollbackError(f"lane {lane}/{epoch}", f"record {seq} was seen before and is gone")
