"""
Records in one SQLite file: the default store, for a laptop, tests and a single node.

Rules held here: write-ahead log with synchronous=FULL, or the store refuses to open; one transaction
per group of requests; triggers that refuse any update or delete of a record.
"""

import sqlite3
import uuid

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock

from ledger.aside import Aside
from ledger.errors import LedgerUnavailableError, UnsafeDurabilityError
from ledger.query import PROJECTED, Filter, Page, project
from ledger.store import Entry, StoredRow

_COLUMNS = ", ".join(PROJECTED)

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    lane TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    leaf TEXT NOT NULL, body BLOB NOT NULL,
    {", ".join(f"{name} TEXT" for name in PROJECTED)},
    UNIQUE (lane, epoch, seq), UNIQUE (decision_id)
);
CREATE TABLE IF NOT EXISTS codes (
    code TEXT NOT NULL, position INTEGER NOT NULL REFERENCES records, PRIMARY KEY (code, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lanes (lane TEXT PRIMARY KEY, epoch INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS heads (
    lane TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, leaf TEXT NOT NULL,
    PRIMARY KEY (lane, epoch)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asides (
    decision_id TEXT PRIMARY KEY, item_salt BLOB, released_salt BLOB, input_salt BLOB, input BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS subjects (
    tenant TEXT NOT NULL, subject TEXT NOT NULL, token TEXT NOT NULL UNIQUE, PRIMARY KEY (tenant, subject)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS records_keep BEFORE UPDATE ON records
    BEGIN SELECT RAISE(ABORT, 'records are append-only'); END;
CREATE TRIGGER IF NOT EXISTS records_stay BEFORE DELETE ON records
    BEGIN SELECT RAISE(ABORT, 'records are append-only'); END;
"""

_INDEXED = (
    "trace_id",
    "request_id",
    "subject",
    "agent",
    "item_id",
    "source_id",
    "outcome",
    "policy_revision",
    "pack_id",
    "at",
)


class SqliteStore:
    """A `ledger.store.Store` in one file.  Safe to share between threads."""

    def __init__(self, path: Path) -> None:
        """
        Open or create the file.

        Raises:
            LedgerUnavailableError: the file cannot be opened or is not a ledger.

            UnsafeDurabilityError: the file system does not give the durability that is promised.
        """
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            _require_durability(self._connection)
            self._connection.executescript(_SCHEMA)
            for column in _INDEXED:
                self._connection.execute(
                    f"CREATE INDEX IF NOT EXISTS records_{column} ON records (tenant, {column}, position)"
                )
        except (sqlite3.Error, OSError) as error:
            msg = f"the ledger at {path} cannot be opened"
            raise LedgerUnavailableError(msg) from error

    def open_lane(self, replica: str) -> int:
        take = "INSERT INTO lanes VALUES (?, 1) ON CONFLICT (lane) DO UPDATE SET epoch = epoch + 1 RETURNING epoch"
        with self._lock, _translated(), self._connection:
            return int(self._connection.execute(take, (replica,)).fetchone()[0])

    def append(self, entries: Sequence[Entry]) -> None:
        with self._lock, _translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for entry in entries:
                    self._insert(entry)
                if entries:
                    self._move_head(entries[-1])
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _insert(self, entry: Entry) -> None:
        record = entry.record
        position = self._connection.execute(
            f"INSERT INTO records (lane, epoch, seq, leaf, body, {_COLUMNS})"  # noqa: S608 - constant names
            f" VALUES (?, ?, ?, ?, ?, {', '.join('?' * len(PROJECTED))})",
            (
                record.lane.id,
                record.lane.epoch,
                record.lane.seq,
                entry.leaf.hex(),
                entry.body,
                *project(record).values(),
            ),
        ).lastrowid
        self._connection.executemany("INSERT INTO codes VALUES (?, ?)", [(code, position) for code in record.codes])
        aside = entry.aside
        if aside != Aside():
            self._connection.execute(
                "INSERT INTO asides VALUES (?, ?, ?, ?, ?)",
                (record.decision_id, aside.item_salt, aside.released_salt, aside.input_salt, aside.input),
            )

    def _move_head(self, newest: Entry) -> None:
        lane = newest.record.lane
        self._connection.execute(
            "INSERT INTO heads VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, leaf = excluded.leaf",
            (lane.id, lane.epoch, lane.seq, newest.leaf.hex()),
        )

    def stored(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        return self._by_decision("SELECT decision_id, body FROM records WHERE", decision_ids)

    def inputs(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        return self._by_decision("SELECT decision_id, input FROM asides WHERE input NOTNULL AND", decision_ids)

    def _by_decision(self, select: str, decision_ids: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        with self._lock, _translated():
            for start in range(0, len(decision_ids), 500):
                some = decision_ids[start : start + 500]
                marks = ", ".join("?" * len(some))
                found.update(self._connection.execute(f"{select} decision_id IN ({marks})", some).fetchall())
        return found

    def subject_token(self, tenant: str, subject: str) -> str:
        with self._lock, _translated(), self._connection:
            self._connection.execute(
                "INSERT INTO subjects VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (tenant, subject, str(uuid.uuid4())),
            )
            return str(
                self._connection.execute(
                    "SELECT token FROM subjects WHERE tenant = ? AND subject = ?", (tenant, subject)
                ).fetchone()[0]
            )

    def scan(self) -> Iterator[StoredRow]:
        cut = 0
        while True:
            with self._lock, _translated():
                rows = self._connection.execute(
                    f"SELECT position, body, lane, epoch, seq, leaf, {_COLUMNS} FROM records"  # noqa: S608 - constant
                    " WHERE position > ? ORDER BY position LIMIT 1000",
                    (cut,),
                ).fetchall()
            if not rows:
                return
            for position, body, *columns in rows:
                names = ("lane", "epoch", "seq", "leaf", *PROJECTED)
                yield StoredRow(position, body, dict(zip(names, columns, strict=True)))
            cut = rows[-1][0]

    def query(self, wanted: Filter) -> Page:
        conditions: list[str] = ["position > ?"]
        values: list[object] = [wanted.after]
        for column, value in wanted.equalities().items():
            conditions.append(f"{column} = ?")
            values.append(value)
        for mark, moment in (("at >= ?", wanted.since), ("at < ?", wanted.until)):
            if moment is not None:
                conditions.append(mark)
                values.append(moment)
        if wanted.code is not None:
            conditions.append("position IN (SELECT position FROM codes WHERE code = ?)")
            values.append(wanted.code)
        statement = (
            f"SELECT position, body FROM records WHERE {' AND '.join(conditions)}"  # noqa: S608 - constant names
            " ORDER BY position LIMIT ?"
        )
        with self._lock, _translated():
            rows = self._connection.execute(statement, (*values, wanted.limit + 1)).fetchall()
        return Page.of(rows, wanted.limit)

    def aside(self, decision_id: str) -> Aside | None:
        with self._lock, _translated():
            row = self._connection.execute(
                "SELECT item_salt, released_salt, input_salt, input FROM asides WHERE decision_id = ?",
                (decision_id,),
            ).fetchone()
        if row is None:
            return None
        return Aside(item_salt=row[0], released_salt=row[1], input_salt=row[2], input=row[3])

    def heads(self) -> list[tuple[str, int, int, str]]:
        with self._lock, _translated():
            return self._connection.execute("SELECT lane, epoch, seq, leaf FROM heads ORDER BY lane, epoch").fetchall()

    def leaf_at(self, lane: str, epoch: int, seq: int) -> str | None:
        with self._lock, _translated():
            row = self._connection.execute(
                "SELECT leaf FROM records WHERE lane = ? AND epoch = ? AND seq = ?", (lane, epoch, seq)
            ).fetchone()
        return row and str(row[0])

    def close(self) -> None:
        with self._lock, closing(self._connection):
            pass


def _require_durability(connection: sqlite3.Connection) -> None:
    journal = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    connection.execute("PRAGMA synchronous=FULL")
    synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
    if journal != "wal" or synchronous < 2:
        msg = f"SQLite gave journal_mode={journal}, synchronous={synchronous}; WAL and FULL are required"
        raise UnsafeDurabilityError(msg)


class _translated:  # noqa: N801 - reads as a word in `with`
    """Turn what SQLite raises into what the port promises."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            msg = "the ledger's store did not answer"
            raise LedgerUnavailableError(msg) from error
