"""
Records in one SQLite file: the default store, for a laptop, tests and a single node.

Rules held here: write-ahead log with synchronous=FULL, or the store refuses to open; one transaction
per group of requests, and one per step of the sequencer; triggers that refuse any update or delete.
"""

import sqlite3
import uuid

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple
from pathlib import Path
from threading import Lock
from typing import Any

from ledger.erasable import fresh_salt
from ledger.errors import LedgerUnavailableError
from ledger.query import Filter, Page, Series, order, search
from ledger.sql import (
    BEFORE_ALL,
    ENTRY,
    KEPT_LAST,
    NEWEST,
    NEWEST_CHECKPOINTS,
    PUBLISHED,
    codes_between,
    codes_by_index,
    count_by,
    kept_after,
    ranges_after,
    runs_after,
)
from ledger.sqlite import log as moves
from ledger.sqlite.connection import (
    batches,
    claim_log,
    connect,
    connect_reader,
    forget,
    placeholder,
    placeholders,
    position_of,
    prepare,
    put_checkpoint,
    put_erasables,
    put_records,
    translated,
)
from ledger.sqlite.purge import purge, rewrite_persons
from ledger.sqlite.schema import JOINED, REFUSE, UNSIGNED
from ledger.store import (
    Entry,
    Erasure,
    Extension,
    Head,
    Named,
    Person,
    Published,
    Remnant,
    Run,
    Sealed,
    SetAside,
    StoredRow,
)
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
            prepare(self._connection)
            self._reader = connect_reader(path)
        except (sqlite3.Error, OSError) as error:
            raise LedgerUnavailableError(f"the ledger at {path} cannot be opened") from error

    # ── lanes ──
    def open_lane(self, replica: str) -> int:
        take = "INSERT INTO lanes SELECT ?, coalesce(max(epoch), 0) + 1 FROM lanes WHERE lane = ? RETURNING epoch"
        with self._transaction() as connection:
            return int(connection.execute(take, (replica, replica)).fetchone()[0])

    def append(self, entries: Sequence[Entry], erasures: Sequence[Erasure] = (), signature: bytes = b"") -> None:
        if not entries:
            return
        rows = [(*position_of(entry), entry.record.decision_id, entry.body) for entry in entries]
        erasables = [(e.record.decision_id, e.record.subject, e.sealed) for e in entries if e.sealed]
        lane, epoch, first = position_of(entries[0])
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO runs (lane, epoch, first, next, signature) VALUES (?, ?, ?, ?, ?)",
                (lane, epoch, first, first + len(rows), signature),
            )
            put_records(connection, rows)
            put_erasables(connection, erasables)
            for erasure in erasures:
                forget(connection, erasure)

    def purge(self, *, rewrite: bool) -> list[Remnant]:
        """Drive what was deleted out of the file; see `ledger.sqlite.purge`."""
        with self._writing, translated():
            return purge(self._connection, "ledger.sqlite", rewrite_persons if rewrite else None)

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
        row = (tenant, subject, str(uuid.uuid4()), new_key, fresh_salt())
        with self._transaction() as connection:
            connection.execute("INSERT INTO subjects VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
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

    def who(self, tenant: str, subject: str) -> Named | None:
        rows = self._read("SELECT token, salt FROM subjects WHERE tenant = ? AND subject = ?", tenant, subject)
        return Named(tenant, subject, *rows[0]) if rows else None

    def named(self) -> Iterator[Named]:
        select, token = (
            "SELECT tenant, subject, token, salt FROM subjects WHERE token > ? ORDER BY token LIMIT 1000",
            "",
        )
        while rows := self._read(select, token):
            yield from (Named(*row) for row in rows)
            token = rows[-1][2]

    def beside(self, decision_ids: Sequence[str]) -> dict[str, str]:
        return dict(self._by_many("SELECT decision_id, token FROM asides WHERE decision_id IN ({})", decision_ids))

    # ── the log ──
    step = 256

    def claim(self, origin: str) -> str:
        with self._transaction() as connection:
            return claim_log(connection, origin)

    def head(self) -> Head:
        return Head(*self._read("SELECT size, root, edge FROM head")[0])

    def waiting(self, limit: int, without: Collection[tuple[str, int]] = ()) -> list[Run]:
        return moves.read_waiting(self._read, limit, without)

    def batches(self, lane: str, epoch: int, first: int, end: int) -> list[Run]:
        return moves.read_batches(self._read, lane, epoch, first, end)

    def unsigned(self) -> list[Run]:
        return [
            run for lane, epoch, first in self._read(UNSIGNED) for run in self.batches(lane, epoch, first, first + 1)
        ]

    def accept(self, run: Run, signature: bytes) -> None:
        sign = "UPDATE runs SET signature = ? WHERE lane = ? AND epoch = ? AND first = ? AND signature IS NULL"
        with self._transaction() as connection:
            connection.execute(sign, (signature, run.lane, run.epoch, run.first))

    def extend(self, step: Extension) -> bool:
        with self._transaction() as connection:
            return moves.extend_log(connection, step)

    def rewind(self, found: Head, head: Head) -> bool:
        with self._transaction() as connection:
            return moves.rewind_log(connection, found, head)

    def refuse(self, refusals: Sequence[SetAside]) -> None:
        with self._transaction() as connection:
            connection.executemany(REFUSE, map(astuple, refusals))

    def refused(self, after: int = 0) -> list[tuple[int, SetAside]]:
        rows = self._read("SELECT * FROM refused WHERE place > ? ORDER BY place", after)
        return [(place, SetAside(*row)) for place, *row in rows]

    def discard(self, published: Published) -> None:
        with self._transaction() as connection:
            moves.unlock(connection)
            for table in ("checkpoints", "newest"):
                where = (published.size, published.note)
                connection.execute(f"DELETE FROM {table} WHERE size = ? AND note = ?", where)  # noqa: S608 - constant
            moves.lock(connection)

    def rulings(self, tenant: str, request_ids: Sequence[str], end: int) -> list[tuple[str, str, str, str | None]]:
        return moves.read_rulings(self._read, tenant, request_ids, end)

    def publish(self, checkpoint: Checkpoint, at: str, note: str) -> bool:
        with self._transaction() as connection:
            return put_checkpoint(connection, Published(checkpoint.size, at, note))

    def published(self) -> Published | None:
        return next((Published(*row) for row in self._read(PUBLISHED)), None)

    def checkpoints(self) -> Iterator[Published]:
        cursor = (-1, 0)
        while rows := self._read(kept_after(placeholder), *cursor, _MANY):
            yield from (Published(size, at, note) for size, _, at, note in rows)
            cursor = rows[-1][:2]

    def kept(self, after: tuple[int, int], limit: int) -> list[tuple[int, Published]]:
        rows = self._read(kept_after(placeholder), *after, limit)
        return [(place, Published(size, at, note)) for size, place, at, note in rows]

    def kept_last(self) -> list[Published]:
        return [Published(*row) for row in self._read(KEPT_LAST)]

    def newest(self) -> list[Published]:
        return [Published(*row) for row in self._read(NEWEST_CHECKPOINTS)]

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
    def scan(self, start: int = 0) -> Iterator[StoredRow]:
        columns = ", ".join(f"e.{name}" for name in ENTRY)
        select = f"SELECT e.idx, r.body, r.lane, r.epoch, r.seq, {columns} {JOINED} WHERE e.idx >= ? ORDER BY e.idx LIMIT 1000"
        listed, cut = codes_between(placeholder), start
        while rows := self._read(select, cut):
            codes = codes_by_index(self._read(listed, rows[0][0], rows[-1][0]))
            for index, body, lane, epoch, seq, *indexed in rows:
                in_index = dict(zip(ENTRY, indexed, strict=True))
                yield StoredRow(index, body, (lane, epoch, seq), in_index, codes.get(index, ()))
            cut = rows[-1][0] + 1

    def lanes(self) -> list[tuple[str, int]]:
        return self._read("SELECT lane, epoch FROM lanes ORDER BY 1, 2")

    def runs(self) -> Iterator[tuple[str, int, int, int]]:
        cursor = BEFORE_ALL
        while rows := self._read(runs_after(placeholder), *cursor, _MANY):
            yield from rows
            cursor = rows[-1][:3]

    def ranges(self, start: int = 0) -> Iterator[tuple[str, int, int, int, int]]:
        cursor = (start, *BEFORE_ALL)
        while rows := self._read(ranges_after(placeholder), *cursor, _MANY):
            yield from rows
            cursor = (rows[-1][4], *rows[-1][:3])

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
