"""
Moving the log on in SQLite, and taking back what nobody signed.

Rules held here: each function runs within a transaction of its caller; what it writes comes in the order that the triggers
ask for, ranges first and the head last.
"""

import sqlite3

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ledger.errors import LedgerCorruptError
from ledger.query import project
from ledger.sqlite.connection import batches, placeholders, put_rows
from ledger.sqlite.schema import LOCKS, NEW_ENTRY, UNLOCKS, WAITING
from ledger.store import LONGEST_RUN, Extension, Head, Run
from ledger.tlog.tiles import WIDTH

_Read = Callable[..., list[tuple[Any, ...]]]
"""Answers the rows of a statement with its values."""

_RULINGS = (
    "SELECT idx, request_id, kind, decision_id, outcome FROM entries WHERE tenant = ? AND idx < ?"
    " AND request_id IN ({}) AND kind IN ('item.ruled', 'pack.sealed')"
)
_RUNS = (
    "SELECT first, next, signature FROM runs WHERE lane = ? AND epoch = ? AND first >= ? AND first < ? ORDER BY first"
)
_RECORDS = (
    "SELECT seq, decision_id, body FROM records WHERE lane = ? AND epoch = ? AND seq >= ? AND seq < ? ORDER BY seq"
)


def read_batches(read: _Read, lane: str, epoch: int, first: int, end: int, limit: int | None = None) -> list[Run]:  # noqa: PLR0917 - as the store's, with the reader before
    """The runs of a lane that begin within a range; none after they hold *limit* records."""
    runs: list[Run] = []
    for start, after, signature in read(f"{_RUNS} LIMIT ?", lane, epoch, first, end, -1 if limit is None else limit):
        # What is longer than a run may be is no run, and is not read.
        rows = read(_RECORDS, lane, epoch, start, after) if after - start <= LONGEST_RUN else []
        bodies, names = tuple(row[2] for row in rows), tuple(row[1] for row in rows)
        runs.append(Run(lane, epoch, start, after, bodies, names, signature))
        if limit is not None and (limit := limit - len(bodies)) <= 0:
            break
    return runs


def read_waiting(read: _Read, limit: int, without: Collection[tuple[str, int]]) -> list[Run]:
    """As `ledger.store.Store.waiting`."""
    runs: list[Run] = []
    for lane, epoch, first, end in read(WAITING):
        if limit <= 0:
            break
        if (lane, epoch) not in without:
            runs += (more := read_batches(read, lane, epoch, first, end, limit))
            limit -= sum(run.next - run.first for run in more)
    return runs


def read_rulings(
    read: _Read, tenant: str, request_ids: Sequence[str], end: int
) -> list[tuple[str, str, str, str | None]]:
    """As `ledger.store.Store.rulings`."""
    rows: list[tuple[Any, ...]] = []
    for some in batches(request_ids, 500):
        rows += read(_RULINGS.format(placeholders(len(some))), tenant, end, *some)
    return [tuple(row[1:]) for row in sorted(rows)]


def extend_log(connection: sqlite3.Connection, step: Extension) -> bool:
    """
    As `ledger.store.Store.extend`.

    Raises:
        LedgerCorruptError: something stands where the entries would.
    """
    old, new = step.old, step.new
    # Another sequencer was faster: the head is not where this step was computed from, and nothing of it may be written.
    if connection.execute("SELECT size, root FROM head").fetchone() != (old.size, old.root):
        return False
    if any(connection.execute(statement, values).fetchone() for statement, values in _beyond(old.size)):
        raise LedgerCorruptError("the log", "something stands where it would go on")
    places = [
        (*(fields["lane"][name] for name in ("id", "epoch", "seq")), *project(fields).values())
        for fields in step.records
    ]
    codes = [(code, index) for index, fields in enumerate(step.records, old.size) for code in fields["codes"]]
    try:
        put_rows(connection, "INSERT INTO ranges", list(step.ranges()))
        put_rows(connection, NEW_ENTRY, [(index, *place) for index, place in enumerate(places, old.size)])
        put_rows(connection, "INSERT INTO codes", codes, "ON CONFLICT DO NOTHING")
        put_rows(connection, "INSERT INTO tiles", [(tile.level, tile.number, tile.hashes) for tile in step.tiles])
        _move(connection, new)
    except sqlite3.IntegrityError as error:
        raise LedgerCorruptError("the log", "something stands where it would go on") from error
    return True


def rewind_log(connection: sqlite3.Connection, found: Head, head: Head) -> bool:
    """As `ledger.store.Store.rewind`."""
    if connection.execute("SELECT size, root, edge FROM head").fetchone() != (found.size, found.root, found.edge):
        return False
    unlock(connection)
    for table, column in (("entries", "idx"), ("codes", "idx"), ("ranges", "start")):
        connection.execute(f"DELETE FROM {table} WHERE {column} >= ? OR {column} < 0", (head.size,))  # noqa: S608 - constant
    for level in range(7):
        full = head.size // WIDTH ** (level + 1)
        connection.execute("DELETE FROM tiles WHERE level = ? AND (number >= ? OR number < 0)", (level, full))
    connection.execute("DELETE FROM tiles WHERE level NOT BETWEEN 0 AND 6")
    _move(connection, head)
    lock(connection)
    return True


def _beyond(size: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Statements that find whatever stands beyond a size, with their values."""
    yield "SELECT 1 FROM entries WHERE idx >= ? LIMIT 1", (size,)
    yield "SELECT 1 FROM ranges WHERE start >= ? LIMIT 1", (size,)
    yield "SELECT 1 FROM codes WHERE idx >= ? LIMIT 1", (size,)
    for level in range(7):
        yield "SELECT 1 FROM tiles WHERE level = ? AND number >= ? LIMIT 1", (level, size // WIDTH ** (level + 1))


def _move(connection: sqlite3.Connection, head: Head) -> None:
    connection.execute("UPDATE head SET size = ?, root = ?, edge = ?", (head.size, head.root, head.edge))


def unlock(connection: sqlite3.Connection) -> None:
    """Let what follows from the records be taken back, until `lock` in the same transaction."""
    for statement in UNLOCKS:
        connection.execute(statement)


def lock(connection: sqlite3.Connection) -> None:
    """Refuse that again."""
    for statement in LOCKS:
        connection.execute(statement)
