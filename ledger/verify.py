"""
Verification of a whole ledger from storage, believing nothing but the pin.

Rules checked, each of which would show some alteration:

1. every stored body is a record in canonical form, of this origin;
2. every lane runs from 0 without gaps, and each record names the leaf hash of the one before;
3. every index column equals what the record says;
4. no decision id stands twice;
5. every `pack.sealed` names the Merkle root over exactly the rulings of its request, and packs only
   items that those rulings released;
6. every pinned record is there and unchanged.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from ledger.errors import LedgerCorruptError, RecordInvalidError, RollbackError
from ledger.merkle import ZERO_HASH, leaf_hash, root_hash
from ledger.query import project
from ledger.record import Record
from ledger.store import Store, StoredRow

_Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked."""

    records: int
    lanes: int
    packs: int
    pinned: int


@dataclass(slots=True)
class _Seen:
    heads: dict[_Place, tuple[int, bytes]] = field(default_factory=dict)
    decisions: set[str] = field(default_factory=set)
    rulings: dict[str, list[tuple[Record, bytes]]] = field(default_factory=lambda: defaultdict(list))
    packs: list[Record] = field(default_factory=list)
    pinned: dict[_Place, tuple[int, str]] = field(default_factory=dict)
    unmet: set[_Place] = field(default_factory=set)


def verify(store: Store, *, origin: str, pin: dict[_Place, tuple[int, str]]) -> Verified:
    """
    Check the rules above over the whole ledger.

    Args:
        store: where the records are.
        origin: the name of the log they must belong to.
        pin: heads seen before, from outside the store; without them a cut tail cannot be seen.

    Raises:
        LedgerCorruptError: names the first record that does not hold, and why.
    """
    seen = _Seen(pinned=pin, unmet=set(pin))
    count = 0
    for row in store.scan():
        _check_row(row, origin, seen)
        count += 1
    for place in sorted(seen.unmet):
        raise RollbackError(f"lane {place[0]}/{place[1]}", f"record {pin[place][0]} was seen before and is gone")
    for sealed in seen.packs:
        _check_pack(sealed, seen.rulings[sealed.request_id])
    return Verified(count, len(seen.heads), len(seen.packs), len(pin))


def _check_row(row: StoredRow, origin: str, seen: _Seen) -> None:
    where = f"record at position {row.position}"
    try:
        record = Record.decode(row.body)
    except RecordInvalidError as error:
        raise LedgerCorruptError(where, str(error)) from error
    leaf = leaf_hash(row.body)
    if record.origin != origin:
        raise LedgerCorruptError(where, "it belongs to another origin")
    _check_chain(where, record, leaf, seen)
    _check_projections(where, record, leaf, row.projections)
    if record.decision_id in seen.decisions:
        raise LedgerCorruptError(where, "its decision id stands twice")
    seen.decisions.add(record.decision_id)
    if record.kind == "item.ruled":
        seen.rulings[record.request_id].append((record, leaf))
    if record.kind == "pack.sealed" and record.pack is not None:
        seen.packs.append(record)


def _check_chain(where: str, record: Record, leaf: bytes, seen: _Seen) -> None:
    place = (record.lane.id, record.lane.epoch)
    seq, prev = seen.heads.get(place, (-1, ZERO_HASH))
    if record.lane.seq != seq + 1:
        raise LedgerCorruptError(where, f"it is number {record.lane.seq} of its lane, not {seq + 1}")
    if record.lane.prev != prev.hex():
        raise LedgerCorruptError(where, "it does not name the record before it")
    seen.heads[place] = (record.lane.seq, leaf)
    if place in seen.pinned and seen.pinned[place][0] == record.lane.seq:
        if seen.pinned[place][1] != leaf.hex():
            raise RollbackError(where, "another record was seen in its place before")
        seen.unmet.discard(place)


def _check_projections(where: str, record: Record, leaf: bytes, columns: dict[str, object]) -> None:
    expected: dict[str, object] = {
        "lane": record.lane.id,
        "epoch": record.lane.epoch,
        "seq": record.lane.seq,
        "leaf": leaf.hex(),
        **project(record),
    }
    for name, value in expected.items():
        if columns.get(name) != value:
            raise LedgerCorruptError(where, f"its index column {name} does not say what it says")


def _check_pack(sealed: Record, rulings: list[tuple[Record, bytes]]) -> None:
    where = f"pack.sealed {sealed.decision_id}"
    pack = sealed.pack
    if pack is None or pack.rulings != len(rulings):
        raise LedgerCorruptError(where, f"it counts other rulings than the {len(rulings)} there are")
    if pack.rulings_root != root_hash([leaf for _, leaf in rulings]).hex():
        raise LedgerCorruptError(where, "its root is not over the rulings of its request")
    released = {r.decision_id for r, _ in rulings if r.outcome in {"released", "redacted"}}
    if not released.issuperset(pack.items):
        raise LedgerCorruptError(where, "it packs an item that no ruling released")
