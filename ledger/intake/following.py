"""
What others put into the log since this process looked: believed as far as a key of the log signed it, checked beyond.

Rules held here: the newest checkpoint that the log signed is where everything starts from, and one that it did not sign counts
for nothing; entries beyond it are held against the runs that they came in, as if they had never entered; the stored head is
compared with what they give, and never signed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from ledger.checkpoints.kept import LOOKED_AT
from ledger.errors import LedgerCorruptError, NoteInvalidError, RulingsMissingError, RunRefusedError
from ledger.intake.packs import Requests
from ledger.intake.reading import Taken, read_run
from ledger.intake.signing import Keyring
from ledger.query import project
from ledger.store import Head, Published, Store, StoredRow
from ledger.tlog.checkpoint import Checkpoint, open_checkpoint
from ledger.tlog.note import Verifier
from ledger.tlog.tiles import Tile, edge_root, grow

AT_ONCE: Final = 10
"""How many of the older checkpoints are looked at each time."""

_START: Final = (-1, 0)


@dataclass(slots=True)
class Lap:
    """Where looking at all that is kept, a few at a time, has come to: a size and a place."""

    after: tuple[int, int] = _START


@dataclass(frozen=True, slots=True)
class Follower:
    """Reads what others did at one log."""

    store: Store
    keyring: Keyring
    before: Callable[[str, int, int], bytes | None]
    """Answers the leaf hash before a number of a lane and epoch."""

    discard: Callable[[Published], None]
    """Takes away a checkpoint that the log did not sign."""

    sound: set[Published] = field(default_factory=set)
    """Those among the last that it is known to have signed."""

    lap: Lap = field(default_factory=Lap)

    def newest(self) -> tuple[Published, Checkpoint] | None:
        """
        The newest checkpoint that the log signed; those above it, which it did not, are taken away.

        Raises:
            LedgerCorruptError: this process does not have the keys that the log is signed with.
        """
        while (published := self.store.published()) is not None:
            checkpoint = self._opened(published)
            if checkpoint is not None:
                return published, checkpoint
            self._require_keys()
            self.discard(published)
        return None

    def clear(self) -> None:
        """
        Take away what the log did not sign of the checkpoints that are not the newest: the rule of which are kept reads the last
        of them each time, and whoever verifies all; so the older ones are looked at in turn, a few each time.

        Raises:
            LedgerCorruptError: as `newest`.
        """
        found = {*self.store.kept_last(), *self.store.newest()}
        unsound = self._unsound(found - self.sound) | self._unsound(set(self._older()) - found)
        for published in unsound:
            self._require_keys()
            self.discard(published)
        self.sound.clear()
        self.sound.update(found - unsound)

    def _unsound(self, some: set[Published]) -> set[Published]:
        return {published for published in some if self._opened(published) is None}

    def _older(self) -> list[Published]:
        """Some of those that are kept, another few each time, until all were there."""
        rows = self.store.kept(self.lap.after, AT_ONCE)
        self.lap.after = (rows[-1][1].size, rows[-1][0]) if len(rows) == AT_ONCE else _START
        return [published for _, published in rows]

    def _opened(self, published: Published) -> Checkpoint | None:
        return opened(published, self.keyring.origin, self.keyring.verifiers())

    def _require_keys(self) -> None:
        if not known_log(self.store, self.keyring.origin, self.keyring.verifiers()):
            raise LedgerCorruptError("the checkpoints", "no key that is known here signed any of the first of them")

    def follow(self, head: Head, stored: Head) -> None:
        """
        Hold the entries from one head to another against what is stored of them.

        Raises:
            LedgerCorruptError: they are not what runs, tiles and index give.
        """
        rows = self.store.scan(head.size)
        for lane, epoch, first, end, start in self.store.ranges(head.size):
            if start >= stored.size:
                break
            where = f"the range at entry {start}"
            if start != head.size:
                raise LedgerCorruptError(where, f"the one before ends at entry {head.size}")
            taken = self._read(where, (lane, epoch, first, end), start)
            full, head = _grown(head, [leaf for one in taken for leaf in one.leaves])
            self._check_rows(taken, start, full, rows)
        if head != stored:
            raise LedgerCorruptError("the head", "it is not that of the entries")

    def _read(self, where: str, place: tuple[str, int, int, int], start: int) -> list[Taken]:
        taken: list[Taken] = []
        lane, epoch, first, end = place
        prev, position = self.before(lane, epoch, first), first
        try:
            for run in self.store.batches(lane, epoch, first, end):
                taken.append(read_run(run, prev if run.first == position else None, self.keyring))
                prev, position = taken[-1].leaves[-1], run.next
            requests = Requests(self.store, start, taken)
            for one in taken:
                requests.admit(one)
        except (RunRefusedError, RulingsMissingError) as error:
            raise LedgerCorruptError(where, str(error)) from error
        if position != end:
            raise LedgerCorruptError(where, "it is not made of whole runs")
        return taken

    def _check_rows(self, taken: list[Taken], start: int, full: list[Tile], rows: Iterator[StoredRow]) -> None:
        records = [record for one in taken for record in one.records]
        bodies = [body for one in taken for body in one.run.bodies]
        # As many rows as records, whatever their indexes say: a row too many shows in the one that comes after it.
        found = list(islice(rows, len(records)))
        for index, (record, body) in enumerate(zip(records, bodies, strict=True), start):
            row = found[index - start] if index - start < len(found) else None
            if row is None or row.index != index or not _says(row, record, body):
                raise LedgerCorruptError(f"entry {index}", "it is not indexed as what it is")
        for tile in full:
            if self.store.tile(tile.level, tile.number) != tile.hashes:
                raise LedgerCorruptError(
                    f"tile {tile.level}/{tile.number}", "it does not hold the hashes of its entries"
                )


def opened(published: Published, origin: str, keys: Sequence[Verifier]) -> Checkpoint | None:
    """What a log signed; None if it did not sign it, or signed another size."""
    try:
        checkpoint, _ = open_checkpoint(published.note, keys)
    except (NoteInvalidError, TypeError, AttributeError):
        return None
    return checkpoint if (checkpoint.origin, checkpoint.size) == (origin, published.size) else None


def known_log(store: Store, origin: str, keys: Sequence[Verifier]) -> bool:
    """
    Whether these are keys of the log in a store, by the first checkpoints that it keeps.

    Whoever lacks the keys takes every checkpoint for another's: only who knows one of the first may judge the others.
    """
    return any(opened(one, origin, keys) for one in islice(store.checkpoints(), LOOKED_AT))


def _grown(head: Head, leaves: list[bytes]) -> tuple[list[Tile], Head]:
    edge, full = grow(head.size, head.edge, leaves)
    size = head.size + len(leaves)
    return full, Head(size, edge_root(size, edge), edge)


def _says(row: StoredRow, record: dict[str, Any], body: bytes) -> bool:
    lane = record["lane"]
    place = (lane["id"], lane["epoch"], lane["seq"])
    columns = {**dict(zip(("lane", "epoch", "seq"), place, strict=True)), **project(record)}
    return (
        row.body == body
        and row.position == place
        and all(row.projections.get(name) == value for name, value in columns.items())
        and row.codes == tuple(sorted(set(record["codes"])))
    )
