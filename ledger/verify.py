"""
Verification of a whole ledger from storage, believing nothing but the keys and the pin.

Rules checked, each of which would show some alteration:

1. every entry is a record of the format in canonical form, of this origin, and stands once, without gaps;
2. every lane runs from 0 without gaps, and each record names the leaf hash of the one before;
3. every index column, and every code looked for by, equals what the record says;
4. no decision id stands twice;
5. every `pack.sealed` names the Merkle root over exactly the rulings of its request, and packs only
   items that those rulings released (`ledger.checks.decisions`);
6. the tiles and the head are those of the entries, and so is every checkpoint that was published;
7. every checkpoint carries a signature of the log by a key whose turn it was, one of each span is kept, and those from outside
   the log who are believed say the same (`ledger.checkpoints.vouched`);
8. every decision that follows another names one that is there, in all its records (`ledger.checks.repeats`);
9. records outside the log continue their lanes, in runs that the log signed, or are set aside by a record that
   says so; there are no others, and the tables of lanes, of runs and of ranges say of the records what these
   say of themselves;
10. what is pinned is there and unchanged;
11. where that is asked for, what is kept beside the log fits it (`ledger.checks.beside`).

Memory does not grow with the records: what must be remembered of each lies in a temporary file (`ledger.checks.scratch`).  Of
lanes and persons there are few beside them, and what is remembered of these is in memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from ledger.checkpoints.vouched import NO_TRUST, Times, Trust, Vouched, vouched
from ledger.checks.beside import Beside
from ledger.checks.decisions import Decisions
from ledger.checks.repeats import RepeatedDecisions
from ledger.checks.scratch import Scratch
from ledger.errors import LedgerCorruptError, RecordInvalidError, RollbackError
from ledger.intake.accounting import Outside
from ledger.pin import NOTHING_PINNED, Pinned, check_pinned
from ledger.query import project
from ledger.record import Record, parse_record
from ledger.store import Head, Store, StoredRow
from ledger.tlog.merkle import ZERO_HASH, leaf_hash
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
    """By how much the times of a lane go back at most: a clock did, or a repeat is dated at its first try."""

    vouched: Vouched | None = None
    """The newest checkpoint that enough witnesses vouch for, where a trust policy asks for any."""

    aside: int = 0
    """Records that were set aside, and are in no log."""


@dataclass(slots=True)
class _Seen:
    """What is remembered: of each lane in memory, of each record on disk."""

    decisions: Decisions
    repeats: RepeatedDecisions
    heads: dict[_Position, tuple[int, bytes, str]] = field(default_factory=dict)
    skew: timedelta = timedelta(0)
    times: Times = field(default_factory=Times)
    checkpoints: int = 0
    """How many there are, those of one size counted once."""

    covered: int = 0
    """The size of the newest of them."""

    beside: Beside | None = None


def verify(
    store: Store,
    *,
    origin: str,
    pin: Pinned = NOTHING_PINNED,
    keys: Sequence[Verifier] = (),
    trust: Trust = NO_TRUST,
    beside: Beside | None = None,
) -> Verified:
    """
    Check the rules above over the whole ledger.

    Args:
        store: where the records are.
        origin: the name of the log they must belong to.
        pin: what was seen before, from outside the store; without it a cut tail cannot be seen.
        keys: the log's; without them checkpoints are compared with the entries, but their signatures are not checked.
        trust: who is believed from outside.
        beside: holds what is kept beside the log against it; without it, that is not looked at.

    Raises:
        LedgerCorruptError: names the first record that does not hold, and why.
    """
    check_pinned(store, pin)
    with Scratch() as scratch:
        seen = _Seen(Decisions(scratch), RepeatedDecisions(scratch), times=Times(trust.late), beside=beside)
        return _verified(store, origin, pin, keys=keys, trust=trust, seen=seen)


def _verified(
    store: Store, origin: str, pin: Pinned, *, keys: Sequence[Verifier], trust: Trust, seen: _Seen
) -> Verified:
    head = _check_log(store, origin, seen, vouched(store, origin, keys, trust))
    seen.times.require_witnessed(trust)
    _check_head(head, store.head())
    outside = Outside(store, origin, keys)
    waiting, aside = _check_waiting(outside, origin, seen), outside.aside()
    seen.decisions.require_once()
    outside.check_recorded(seen.decisions, max((at for _, _, at in seen.heads.values()), default=""))
    if store.count() != head.size + waiting + aside:
        accounted = head.size + waiting + aside
        raise LedgerCorruptError("the records", f"{store.count()} are stored, {accounted} are accounted for")
    _check_maps(store, seen, outside.lanes)
    seen.decisions.check_packs()
    seen.repeats.check()
    if seen.beside is not None:
        seen.beside.close()
    known = pin.checkpoint is not None or pin.lane is not None
    skew = seen.skew.total_seconds()
    return Verified(
        head.size,
        waiting,
        len(seen.heads),
        seen.decisions.packs,
        seen.checkpoints,
        known,
        skew,
        seen.times.newest,
        aside,
    )


def _check_log(store: Store, origin: str, seen: _Seen, checkpoints: Iterator[Vouched]) -> Head:
    head, leaves = Head(), list[bytes]()
    ahead, positions = next(checkpoints, None), _places(store)
    for row in store.scan():
        expected = head.size + len(leaves)
        if row.index != expected:
            raise LedgerCorruptError(f"entry {expected}", "it is gone")
        leaves.append(_check_row(row, origin, seen, next(positions, None)))
        if len(leaves) == _BATCH or (ahead is not None and expected + 1 == ahead.checkpoint.size):
            head, leaves = _grown(store, head, leaves), []
            while ahead is not None and ahead.checkpoint.size == head.size:
                _check_root(ahead, head, seen)
                ahead = next(checkpoints, None)
    head = _grown(store, head, leaves)
    if head.size and not seen.checkpoints:
        raise LedgerCorruptError("the checkpoints", "there are entries and none is under a checkpoint")
    if next(positions, None) is not None:
        raise LedgerCorruptError("the ranges", "they name more entries than there are")
    if ahead is not None:
        raise RollbackError(
            "the log", f"a checkpoint of {ahead.checkpoint.size} entries was published, there are {head.size}"
        )
    return head


def _grown(store: Store, head: Head, leaves: list[bytes]) -> Head:
    edge, full = grow(head.size, head.edge, leaves)
    for tile in full:
        if store.tile(tile.level, tile.number) != tile.hashes:
            raise LedgerCorruptError(f"tile {tile.level}/{tile.number}", "it does not hold the hashes of its entries")
    size = head.size + len(leaves)
    return Head(size, edge_root(size, edge), edge)


def _check_root(one: Vouched, head: Head, seen: _Seen) -> None:
    if one.checkpoint.root != head.root:
        raise LedgerCorruptError(f"entry {head.size - 1} or one before", "a published checkpoint has another root")
    seen.checkpoints += seen.covered != head.size
    seen.covered = head.size
    seen.times.meet(one)


def _check_head(computed: Head, stored: Head) -> None:
    if stored.size > computed.size:
        raise LedgerCorruptError(f"entry {computed.size}", "it is gone")
    if stored != computed:
        raise LedgerCorruptError("the head", "it is not that of the entries")


def _check_waiting(outside: Outside, origin: str, seen: _Seen) -> int:
    count = 0
    for run in outside.waiting():
        for seq, body in enumerate(run.bodies, run.first):
            where = f"record {seq} of lane {run.lane}/{run.epoch}"
            _check_record(where, body, origin, seen)
            count += 1
    return count


def _check_maps(store: Store, seen: _Seen, aside: set[_Position]) -> None:
    """Lanes and runs: what finding the records that wait relies on; of what was set aside they say more."""
    ends = {position: seq + 1 for position, (seq, _, _) in seen.heads.items() if position not in aside}
    if not ends.keys() <= set(store.lanes()):
        raise LedgerCorruptError("the lanes", "one that has records is gone")
    if _joined(row for row in store.runs() if row[:2] not in aside) != ends:
        raise LedgerCorruptError("the runs", "they are not those of the records")


def _places(store: Store) -> Iterator[tuple[str, int, int]]:
    """Lane, epoch and seq of each entry in order, as the ranges say, which finding an entry by its record relies on."""
    index = 0
    for lane, epoch, first, end, start in store.ranges():
        if start != index:
            raise LedgerCorruptError(f"the range at entry {start}", f"the one before ends at entry {index}")
        yield from ((lane, epoch, seq) for seq in range(first, end))
        index += max(0, end - first)


def _joined(rows: Iterable[tuple[str, int, int, int]]) -> dict[_Position, int]:
    """Where the rows of each lane end, if they follow one another from 0; none of a lane whose rows do not."""
    ends: dict[_Position, int] = {}
    for lane, epoch, first, end in rows:
        follows = ends.get((lane, epoch), 0) == first and end > first
        ends[lane, epoch] = end if follows else -1
    return ends


def _check_row(row: StoredRow, origin: str, seen: _Seen, position: tuple[str, int, int] | None) -> bytes:
    where = f"entry {row.index}"
    record, leaf = _check_record(where, row.body, origin, seen)
    seen.times.take(row.index, record["at"])
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
        Record.model_validate_json(body)
    except RecordInvalidError as error:
        raise LedgerCorruptError(where, str(error)) from error
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise LedgerCorruptError(where, f"its {place} is not one of the format") from error
    leaf = leaf_hash(body)
    if record["origin"] != origin:
        raise LedgerCorruptError(where, "it belongs to another origin")
    _check_chain(where, record, leaf, seen)
    seen.decisions.see(where, record, leaf)
    seen.repeats.see(where, record)
    if seen.beside is not None:
        seen.beside.take(where, record)
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
        try:
            seen.skew = max(seen.skew, datetime.fromisoformat(at) - datetime.fromisoformat(record["at"]))
        except ValueError as error:
            raise LedgerCorruptError(where, "it, or the one before it, is dated on a day that there is not") from error
