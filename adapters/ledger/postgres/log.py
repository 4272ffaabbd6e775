"""What moves the log on in PostgreSQL: what waits, and a step of a sequencer as the function of the schema takes it."""

import json

from collections.abc import Callable, Collection
from typing import Any, Final

from adapters.shared.postgres import Connection
from ledger.query import project
from ledger.store import LONGEST_RUN, Extension, Run, named_origin

_Read = Callable[..., list[Any]]
"""Answers the rows of a statement with its values."""

EXTEND: Final = "ctxgate_extend($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9::jsonb, $10, $11, $12)"

UNSIGNED: Final = """
SELECT r.lane, r.epoch, r.first FROM runs r WHERE r.signature IS NULL AND r.first >= coalesce(
    (SELECT max(next) FROM ranges g WHERE g.lane = r.lane AND g.epoch = r.epoch), 0)
ORDER BY r.lane, r.epoch, r.first
"""
"""Runs that are not in the log yet and were never signed."""

_WAITING: Final = """
SELECT l.lane, l.epoch, coalesce(g.next, 0) AS first, coalesce(u.first, r.next) AS end
FROM lanes l
CROSS JOIN LATERAL (SELECT max(next) AS next FROM runs r WHERE r.lane = l.lane AND r.epoch = l.epoch) r
CROSS JOIN LATERAL (SELECT max(next) AS next FROM ranges g WHERE g.lane = l.lane AND g.epoch = l.epoch) g
CROSS JOIN LATERAL (SELECT min(first) AS first FROM runs u WHERE u.lane = l.lane AND u.epoch = l.epoch
    AND u.signature IS NULL AND u.first >= coalesce(g.next, 0)) u
WHERE r.next > coalesce(g.next, 0) AND coalesce(u.first, r.next) > coalesce(g.next, 0) ORDER BY l.lane, l.epoch
"""
"""Which records of which lanes are not in the log yet; a lane ends before what was never signed."""

_RUNS: Final = """
SELECT first, next, signature FROM runs WHERE lane = $1 AND epoch = $2 AND first >= $3 AND first < $4 ORDER BY first LIMIT $5
"""
_RECORDS: Final = """
SELECT seq, decision_id, body FROM records WHERE lane = $1 AND epoch = $2 AND seq >= $3 AND seq < $4 ORDER BY seq
"""


def read_batches(read: _Read, lane: str, epoch: int, first: int, end: int, limit: int | None = None) -> list[Run]:  # noqa: PLR0917 - as the store's, with the reader before
    """The runs of a lane that begin within a range; none after they hold *limit* records."""
    rows: list[tuple[int, int, bytes | None]] = []
    for row in map(tuple, read(_RUNS, lane, epoch, first, end, limit)):
        rows.append(row)
        if limit is not None and (limit := limit - (row[1] - row[0])) <= 0:
            break
    # What is longer than a run may be is no run, and is not read.
    kept = [row for row in rows if row[1] - row[0] <= LONGEST_RUN]
    found: dict[int, list[Any]] = {}
    for record in read(_RECORDS, lane, epoch, kept[0][0], kept[-1][1]) if kept else ():
        found.setdefault(record[0], []).append(record)
    runs = []
    for start, after, signature in rows:
        records = [one for seq in range(start, min(after, start + LONGEST_RUN)) for one in found.get(seq, ())]
        names = tuple(str(one[1]) for one in records)
        runs.append(Run(lane, epoch, start, after, tuple(one[2] for one in records), names, signature))
    return runs


def read_waiting(read: _Read, limit: int, without: Collection[tuple[str, int]]) -> list[Run]:
    """As `ledger.store.Store.waiting`."""
    runs: list[Run] = []
    for lane, epoch, first, end in read(_WAITING):
        if limit <= 0:
            break
        if (lane, epoch) not in without:
            more = read_batches(read, lane, epoch, first, end, limit)
            runs += more
            limit -= sum(run.next - run.first for run in more)
    return runs


def extension(step: Extension) -> tuple[object, ...]:
    """The values of `EXTEND` after the proof."""
    old, new = step.old, step.new
    entries = [
        [*(fields["lane"][name] for name in ("id", "epoch", "seq")), *project(fields).values()]
        for fields in step.records
    ]
    # A set, since a record may name a code twice.
    codes = sorted({(code, index) for index, fields in enumerate(step.records, old.size) for code in fields["codes"]})
    return (
        *(old.size, old.root, new.size, new.root, new.edge),
        *map(json.dumps, (step.ranges(), entries, codes)),
        [tile.level for tile in step.tiles],
        [tile.number for tile in step.tiles],
        [tile.hashes for tile in step.tiles],
    )


async def claim_log(connection: Connection, origin: str) -> str:
    """The name of the log of a database: *origin* where there is no record yet and nobody said another."""
    first = await connection.fetchval("SELECT body FROM records LIMIT 1")
    known = origin if first is None else named_origin(first)
    await connection.execute("INSERT INTO log VALUES (1, $1) ON CONFLICT DO NOTHING", known)
    return str(await connection.fetchval("SELECT origin FROM log"))
