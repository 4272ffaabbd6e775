"""
Records in one SQLite file: the default store, for a laptop, tests and a single node.

Rules held here: write-ahead log with synchronous=FULL, or the store refuses to open; one transaction
per group of requests, and one per step of the sequencer; triggers that refuse any update or delete.
"""

import sqlite3
import uuid

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from ledger.erasable import fresh_salt
from ledger.errors import LedgerUnavailableError
from ledger.query import Filter, Page, Series, order, project, search
from ledger.sql import ENTRY, NEWEST, codes_between, codes_by_index, count_by
from ledger.sqlite.connection import (
    batches,
    bring_up_to_date,
    connect,
    forget,
    placeholder,
    placeholders,
    put_erasables,
    put_records,
    require_durability,
    translated,
)
from ledger.sqlite.schema import JOINED, NEW_ENTRY, SCHEMA, WAITING
from ledger.store import Entry, Erasure, Extension, Head, Person, Published, Run, Sealed, StoredRow
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import leaf_hash

_MANY = 500
"""Values in one statement."""


class SqliteStore:
    """A `ledger.store.Store` in one file.  Safe to share between threads."""

    def __init__(self, path: Path) -> None:
        """
        Open or create the file.

        Raises:
            LedgerUnavailableError: the file cannot be opened or is not a ledger.

            UnsafeDurabilityError: the file system does not give the durability that is promised.
        """
        self._writing = Lock()
        self._reading = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = connect(path)
            require_durability(self._connection)
            self._connection.execute("PRAGMA foreign_keys=ON")
            self._connection.executescript(SCHEMA)
            bring_up_to_date(self._connection)
            first = "INSERT INTO head VALUES (1, ?, ?, ?) ON CONFLICT DO NOTHING"
            self._connection.execute(first, (0, Head().root, b""))
            self._reader = connect(path)
            for setting in ("query_only=ON", "mmap_size=1073741824", "cache_size=-65536"):
                self._reader.execute(f"PRAGMA {setting}")
        except (sqlite3.Error, OSError) as error:
            msg = f"the ledger at {path} cannot be opened"
            raise LedgerUnavailableError(msg) from error

    # ── lanes ──
    def open_lane(self, replica: str) -> int:
        take = "INSERT INTO lanes SELECT ?, coalesce(max(epoch), 0) + 1 FROM lanes WHERE lane = ? RETURNING epoch"
        with self._transaction() as connection:
            return int(connection.execute(take, (replica, replica)).fetchone()[0])

    def append(self, entries: Sequence[Entry], erasures: Sequence[Erasure] = ()) -> None:
        if not entries:
            return
        rows = [(*_position(entry), entry.record.decision_id, entry.body) for entry in entries]
        erasables = [(e.record.decision_id, e.record.subject, e.sealed) for e in entries if e.sealed]
        lane, epoch, first = _position(entries[0])
        with self._transaction() as connection:
            put_records(connection, rows)
            connection.execute(
                "INSERT INTO runs (lane, epoch, first, next) VALUES (?, ?, ?, ?)",
                (lane, epoch, first, first + len(rows)),
            )
            put_erasables(connection, erasables)
            for erasure in erasures:
                forget(connection, erasure)
        if erasures:
            self._empty_log()

    def _empty_log(self) -> None:
        """What was deleted stands in the write-ahead log until that is emptied."""
        with self._writing, translated():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def stored(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        # On the writer's connection: no long question of an auditor may stand before a request.
        found: dict[str, bytes] = {}
        with self._writing, translated():
            for some in batches(decision_ids, _MANY):
                select = f"SELECT decision_id, body FROM records WHERE decision_id IN ({placeholders(len(some))})"  # noqa: S608
                found.update(self._connection.execute(select, some).fetchall())
        return found

    def heads(self) -> list[tuple[str, int, int, str]]:
        return [(lane, epoch, seq, self.leaf_at(lane, epoch, seq) or "") for lane, epoch, seq in self._read(NEWEST)]

    def leaf_at(self, lane: str, epoch: int, seq: int) -> str | None:
        rows = self._read("SELECT body FROM records WHERE lane = ? AND epoch = ? AND seq = ?", lane, epoch, seq)
        return leaf_hash(rows[0][0]).hex() if rows else None

    # ── persons ──
    def person(self, tenant: str, subject: str, new_key: bytes) -> Person:
        found = self.known_person(tenant, subject)
        if found is not None:
            return found
        make = "INSERT INTO subjects VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        with self._transaction() as connection:
            connection.execute(make, (tenant, subject, str(uuid.uuid4()), new_key, fresh_salt()))
        made = self.known_person(tenant, subject)
        if made is None:
            raise LedgerUnavailableError("the person was erased meanwhile")
        return made

    def known_person(self, tenant: str, subject: str) -> Person | None:
        rows = self._read("SELECT token, key, salt FROM subjects WHERE tenant = ? AND subject = ?", tenant, subject)
        return Person(tenant, subject, *rows[0]) if rows else None

    def behind(self, tenant: str, tokens: Sequence[str]) -> dict[str, Person]:
        people: list[Person] = []
        for some in batches(tokens, _MANY):
            select = f"SELECT tenant, subject, token, key, salt FROM subjects WHERE tenant = ? AND token IN ({placeholders(len(some))})"  # noqa: S608
            people += (Person(*row) for row in self._read(select, tenant, *some))
        return {person.token: person for person in people}

    def sealed(self, decision_ids: Sequence[str]) -> dict[str, Sealed]:
        select = (
            "SELECT a.decision_id, a.body, s.key FROM asides a JOIN subjects s ON s.token = a.token"
            " WHERE a.decision_id IN ({})"
        )
        return {name: Sealed(body, key) for name, body, key in self._by_many(select, decision_ids)}

    # ── the log ──
    step = 256

    def head(self) -> Head:
        return Head(*self._read("SELECT size, root, edge FROM head")[0])

    def waiting(self, limit: int) -> list[Run]:
        runs: list[Run] = []
        for lane, epoch, first, end in self._read(WAITING):
            bodies = self._read(
                "SELECT body FROM records WHERE lane = ? AND epoch = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?",
                *(lane, epoch, first, end, limit),
            )
            runs += [Run(lane, epoch, first, tuple(body for (body,) in bodies))] if bodies else []
            limit -= len(bodies)
            if limit <= 0:
                break
        return runs

    def extend(self, step: Extension) -> bool:
        old, new = step.old, step.new
        entries = [(i, *_lane_of(fields), *project(fields).values()) for i, fields in enumerate(step.records, old.size)]
        with self._transaction() as connection:
            swapped = connection.execute(
                "UPDATE head SET size = ?, root = ?, edge = ? WHERE size = ? AND root = ?",
                (new.size, new.root, new.edge, old.size, old.root),
            )
            # Another sequencer was faster: the head is not where this step was computed from, and nothing of it may be written.
            if swapped.rowcount != 1:
                return False
            connection.executemany(NEW_ENTRY, entries)
            codes = [(code, i) for i, fields in enumerate(step.records, old.size) for code in fields["codes"]]
            connection.executemany("INSERT INTO codes VALUES (?, ?) ON CONFLICT DO NOTHING", codes)
            connection.executemany("INSERT INTO ranges VALUES (?, ?, ?, ?, ?)", step.ranges())
            connection.executemany(
                "INSERT INTO tiles VALUES (?, ?, ?)", [(tile.level, tile.number, tile.hashes) for tile in step.tiles]
            )
        return True

    def publish(self, checkpoint: Checkpoint, at: str, note: str) -> None:
        with self._transaction() as connection:
            connection.execute("INSERT INTO checkpoints (size, at, note) VALUES (?, ?, ?)", (checkpoint.size, at, note))

    def published(self) -> Published | None:
        rows = self._read("SELECT size, at, note FROM checkpoints ORDER BY size DESC, place DESC LIMIT 1")
        return Published(*rows[0]) if rows else None

    def checkpoints(self) -> Iterator[Published]:
        position = 0
        while rows := self._read(
            "SELECT place, size, at, note FROM checkpoints WHERE place > ? ORDER BY place LIMIT ?", position, _MANY
        ):
            yield from (Published(*row[1:]) for row in rows)
            position = rows[-1][0]

    def tile(self, level: int, number: int) -> bytes | None:
        rows = self._read("SELECT hashes FROM tiles WHERE level = ? AND number = ?", level, number)
        return rows[0][0] if rows else None

    def entries(self, start: int, end: int) -> list[bytes]:
        select = f"SELECT r.body {JOINED} WHERE e.idx >= ? AND e.idx < ? ORDER BY e.idx"
        return [body for (body,) in self._read(select, start, end)]

    def index_of(self, decision_id: str) -> int | None:
        rows = self._read(
            "SELECT g.start + r.seq - g.first FROM records r JOIN ranges g ON g.lane = r.lane AND g.epoch = r.epoch"
            " AND g.first <= r.seq AND g.next > r.seq WHERE r.decision_id = ?",
            decision_id,
        )
        return rows[0][0] if rows else None

    # ── questions ──
    def scan(self) -> Iterator[StoredRow]:
        columns = ", ".join(f"e.{name}" for name in ENTRY)
        select = f"SELECT e.idx, r.body, r.lane, r.epoch, r.seq, {columns} {JOINED} WHERE e.idx >= ? ORDER BY e.idx LIMIT 1000"
        listed, cut = codes_between(placeholder), 0
        while rows := self._read(select, cut):
            codes = codes_by_index(self._read(listed, rows[0][0], rows[-1][0]))
            for index, body, lane, epoch, seq, *indexed in rows:
                in_index = dict(zip(ENTRY, indexed, strict=True))
                yield StoredRow(index, body, (lane, epoch, seq), in_index, codes.get(index, ()))
            cut = rows[-1][0] + 1

    def lanes(self) -> list[tuple[str, int]]:
        return self._read("SELECT lane, epoch FROM lanes ORDER BY 1, 2")

    def runs(self) -> list[tuple[str, int, int, int]]:
        return self._read("SELECT lane, epoch, first, next FROM runs ORDER BY 1, 2, 3")

    def ranges(self) -> list[tuple[str, int, int, int, int]]:
        return self._read("SELECT lane, epoch, first, next, start FROM ranges ORDER BY 1, 2, 3")

    def count(self) -> int:
        return int(self._read("SELECT count(*) FROM records")[0][0])

    def query(self, wanted: Filter) -> Page:
        source, values = search(wanted, placeholder)
        select = f"SELECT e.idx FROM {source} ORDER BY {order(wanted)} LIMIT ?"  # noqa: S608 - constant names
        found = [index for (index,) in self._read(select, *values, wanted.limit + 1)]
        marked = f"SELECT e.idx, r.body {JOINED} WHERE e.idx IN ({{}}) ORDER BY e.idx"
        return Page.of(self._by_many(marked, found), wanted.limit)

    def series(self, wanted: Filter, by: str, period: str | None) -> list[Series]:
        select, values = count_by(wanted, by, period, placeholder)
        return [Series(*row) for row in self._read(select, *values)]

    def freeze(self) -> None:
        """Read from now on what is there now, whatever others write meanwhile."""
        with self._reading, translated():
            self._reader.execute("BEGIN")
            self._reader.execute("SELECT size FROM head").fetchone()

    def close(self) -> None:
        with self._writing, self._reading, closing(self._connection), closing(self._reader):
            pass

    # ── the connections ──
    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._reading, translated():
            return self._reader.execute(statement, values).fetchall()

    def _by_many(self, select: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for some in batches(values, _MANY):
            rows += self._read(select.format(placeholders(len(some))), *some)
        return rows

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._writing, translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _position(entry: Entry) -> tuple[str, int, int]:
    return entry.record.lane.id, entry.record.lane.epoch, entry.record.lane.seq


def _lane_of(fields: dict[str, Any]) -> tuple[str, int, int]:
    lane = fields["lane"]
    return lane["id"], lane["epoch"], lane["seq"]
