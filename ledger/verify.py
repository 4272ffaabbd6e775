"""
Verification of a whole ledger from storage, believing nothing but the keys and the pin.

Rules checked, each of which would show some alteration:

1. every entry is a record in canonical form, of this origin, and stands once, without gaps;
2. every lane runs from 0 without gaps, and each record names the leaf hash of the one before;
3. every index column, and every code looked for by, equals what the record says;
4. no decision id stands twice;
5. every `pack.sealed` names the Merkle root over exactly the rulings of its request, and packs only
   items that those rulings released;
6. the tiles and the head are those of the entries, and so is every checkpoint that was published;
7. every checkpoint carries a signature of the log;
8. records outside the log continue their lanes, there are no others, and the tables of lanes, of runs and
   of ranges say of the records what these say of themselves;
9. what is pinned is there and unchanged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ledger.errors import LedgerCorruptError, NoteInvalidError, RecordInvalidError, RollbackError
from ledger.pin import NOTHING_PINNED, Pinned, check_pinned
from ledger.query import project
from ledger.record import parse_record
from ledger.store import Head, Published, Store, StoredRow
from ledger.tlog.checkpoint import open_checkpoint, read_checkpoint
from ledger.tlog.merkle import ZERO_HASH, leaf_hash, root_hash
from ledger.tlog.note import Verifier
from ledger.tlog.tiles import edge_root, grow

_Position = tuple[str, int]
_BATCH = 4096


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked."""

    records: int
    """Entries of the log."""

    waiting: int
    """Records that are not in the log yet."""

    lanes: int
    packs: int
    checkpoints: int
    pinned: bool
    skew_seconds: float
    """By how much the clock of a lane went backwards at most; order never depends on it."""


@dataclass(frozen=True, slots=True)
class _Ruling:
    decision_id: str
    usable: bool
    leaf: bytes


@dataclass(slots=True)
class _Seen:
    heads: dict[_Position, tuple[int, bytes, str]] = field(default_factory=dict)
    decisions: set[str] = field(default_factory=set)
    rulings: dict[str, list[_Ruling]] = field(default_factory=dict)
    packs: list[dict[str, Any]] = field(default_factory=list)
    skew: timedelta = timedelta(0)


def verify(store: Store, *, origin: str, pin: Pinned = NOTHING_PINNED, keys: Sequence[Verifier] = ()) -> Verified:
    """
    Check the rules above over the whole ledger.

    Args:
        store: where the records are.
        origin: the name of the log they must belong to.
        pin: what was seen before, from outside the store; without it a cut tail cannot be seen.
        keys: the log's; without them checkpoints are compared with the entries, but their signatures are not checked.

    Raises:
        LedgerCorruptError: names the first record that does not hold, and why.
    """
    check_pinned(store, pin)
    checkpoints = _signed(store, origin, keys)
    seen = _Seen()
    head = _check_log(store, origin, seen, checkpoints)
    _check_head(head, store.head())
    waiting = _check_waiting(store, origin, seen)
    if store.count() != head.size + waiting:
        raise LedgerCorruptError("the records", f"{store.count()} are stored, {head.size + waiting} are accounted for")
    _check_maps(store, seen)
    for sealed in seen.packs:
        _check_pack(sealed, seen.rulings.get(sealed["request_id"], []))
    known = pin.checkpoint is not None or pin.lane is not None
    skew = seen.skew.total_seconds()
    return Verified(head.size, waiting, len(seen.heads), len(seen.packs), len(checkpoints), known, skew)


def _signed(store: Store, origin: str, keys: Sequence[Verifier]) -> list[Published]:
    """All checkpoints, those of the same size once, their signatures checked."""
    last: dict[int, Published] = {}
    for published in store.checkpoints():
        where = f"the checkpoint of {published.size} entries"
        try:
            checkpoint = open_checkpoint(published.note, keys)[0] if keys else read_checkpoint(published.note)
        except NoteInvalidError as error:
            raise LedgerCorruptError(where, str(error)) from error
        if (checkpoint.origin, checkpoint.size) != (origin, published.size):
            raise LedgerCorruptError(where, "it is another's, or kept under another size")
        if published.size in last and read_checkpoint(last[published.size].note) != checkpoint:
            raise LedgerCorruptError(where, "there are two, with different roots")
        last[published.size] = published
    return [last[size] for size in sorted(last)]


def _check_log(store: Store, origin: str, seen: _Seen, checkpoints: list[Published]) -> Head:
    head, leaves = Head(), list[bytes]()
    ahead, positions = checkpoints[::-1], _places(store)
    for row in store.scan():
        expected = head.size + len(leaves)
        if row.index != expected:
            raise LedgerCorruptError(f"entry {expected}", "it is gone")
        leaves.append(_check_row(row, origin, seen, next(positions, None)))
        due = ahead[-1].size if ahead else 0
        if len(leaves) == _BATCH or expected + 1 == due:
            head, leaves = _grown(store, head, leaves), []
            if head.size == due:
                _check_root(ahead.pop(), head)
    head = _grown(store, head, leaves)
    if head.size and not checkpoints:
        raise LedgerCorruptError("the checkpoints", "there are entries and none is under a checkpoint")
    if next(positions, None) is not None:
        raise LedgerCorruptError("the ranges", "they name more entries than there are")
    if ahead:
        raise RollbackError("the log", f"a checkpoint of {ahead[0].size} entries was published, there are {head.size}")
    return head


def _grown(store: Store, head: Head, leaves: list[bytes]) -> Head:
    edge, full = grow(head.size, head.edge, leaves)
    for tile in full:
        if store.tile(tile.level, tile.number) != tile.hashes:
            raise LedgerCorruptError(f"tile {tile.level}/{tile.number}", "it does not hold the hashes of its entries")
    size = head.size + len(leaves)
    return Head(size, edge_root(size, edge), edge)


def _check_root(published: Published, head: Head) -> None:
    if read_checkpoint(published.note).root != head.root:
        raise LedgerCorruptError(f"entry {head.size - 1} or one before", "a published checkpoint has another root")


def _check_head(computed: Head, stored: Head) -> None:
    if stored.size > computed.size:
        raise LedgerCorruptError(f"entry {computed.size}", "it is gone")
    if stored != computed:
        raise LedgerCorruptError("the head", "it is not that of the entries")


def _check_waiting(store: Store, origin: str, seen: _Seen) -> int:
    count = 0
    for run in store.waiting(2**53):
        for seq, body in enumerate(run.bodies, run.first):
            where = f"record {seq} of lane {run.lane}/{run.epoch}"
            _check_record(where, body, origin, seen)
            count += 1
    return count


def _check_maps(store: Store, seen: _Seen) -> None:
    """Lanes and runs: what finding the records that wait relies on."""
    ends = {position: seq + 1 for position, (seq, _, _) in seen.heads.items()}
    if not ends.keys() <= set(store.lanes()):
        raise LedgerCorruptError("the lanes", "one that has records is gone")
    if _joined(store.runs()) != ends:
        raise LedgerCorruptError("the runs", "they are not those of the records")


def _places(store: Store) -> Iterator[tuple[str, int, int]]:
    """Lane, epoch and seq of each entry in order, as the ranges say, which finding an entry by its record relies on."""
    index = 0
    for lane, epoch, first, end, start in sorted(store.ranges(), key=lambda row: row[4]):
        if start != index:
            raise LedgerCorruptError(f"the range at entry {start}", f"the one before ends at entry {index}")
        yield from ((lane, epoch, seq) for seq in range(first, end))
        index += max(0, end - first)


def _joined(rows: Sequence[tuple[str, int, int, int]]) -> dict[_Position, int]:
    """Where the rows of each lane end, if they follow one another from 0; none of a lane whose rows do not."""
    ends: dict[_Position, int] = {}
    for lane, epoch, first, end in rows:
        follows = ends.get((lane, epoch), 0) == first and end > first
        ends[lane, epoch] = end if follows else -1
    return ends


def _check_row(row: StoredRow, origin: str, seen: _Seen, position: tuple[str, int, int] | None) -> bytes:
    where = f"entry {row.index}"
    record, leaf = _check_record(where, row.body, origin, seen)
    if not position == row.position == tuple(record["lane"][name] for name in ("id", "epoch", "seq")):
        raise LedgerCorruptError(where, "it is not kept where its place in its lane is")
    expected = {name: record["lane"].get(label) for name, label in (("lane", "id"), ("epoch", "epoch"), ("seq", "seq"))}
    for name, value in {**expected, **project(record)}.items():
        if row.projections.get(name) != value:
            raise LedgerCorruptError(where, f"its index column {name} does not say what it says")
    if row.codes != tuple(sorted(set(record["codes"]))):
        raise LedgerCorruptError(where, "it is not found by the codes that it has")
    return leaf


def _check_record(where: str, body: bytes, origin: str, seen: _Seen) -> tuple[dict[str, Any], bytes]:
    try:
        record = parse_record(body)
    except RecordInvalidError as error:
        raise LedgerCorruptError(where, str(error)) from error
    leaf = leaf_hash(body)
    if record["origin"] != origin:
        raise LedgerCorruptError(where, "it belongs to another origin")
    _check_chain(where, record, leaf, seen)
    if record["decision_id"] in seen.decisions:
        raise LedgerCorruptError(where, "its decision id stands twice")
    seen.decisions.add(record["decision_id"])
    if record["kind"] == "item.ruled":
        ruling = _Ruling(record["decision_id"], record["outcome"] in {"released", "redacted"}, leaf)
        seen.rulings.setdefault(record["request_id"], []).append(ruling)
    if record["kind"] == "pack.sealed":
        seen.packs.append(record)
    return record, leaf


def _check_chain(where: str, record: dict[str, Any], leaf: bytes, seen: _Seen) -> None:
    lane = record["lane"]
    position = (lane["id"], lane["epoch"])
    seq, prev, at = seen.heads.get(position, (-1, ZERO_HASH, ""))
    if lane["seq"] != seq + 1:
        raise LedgerCorruptError(where, f"it is number {lane['seq']} of its lane, not {seq + 1}")
    if lane["prev"] != prev.hex():
        raise LedgerCorruptError(where, "it does not name the record before it")
    seen.heads[position] = (lane["seq"], leaf, record["at"])
    if record["at"] < at:
        seen.skew = max(seen.skew, datetime.fromisoformat(at) - datetime.fromisoformat(record["at"]))


def _check_pack(sealed: dict[str, Any], rulings: list[_Ruling]) -> None:
    where = f"pack.sealed {sealed['decision_id']}"
    pack = sealed["pack"]
    if pack is None or pack["rulings"] != len(rulings):
        raise LedgerCorruptError(where, f"it counts other rulings than the {len(rulings)} there are")
    if pack["rulings_root"] != root_hash([ruling.leaf for ruling in rulings]).hex():
        raise LedgerCorruptError(where, "its root is not over the rulings of its request")
    released = {ruling.decision_id for ruling in rulings if ruling.usable}
    if not released.issuperset(pack["items"]):
        raise LedgerCorruptError(where, "it packs an item that no ruling released")
