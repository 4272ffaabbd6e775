"""
The documents in one SQLite file, for all processes of one machine.

Rules held here: a version is found only from one transaction on, in which the version before it stops being found; what is deleted
leaves no text in the file or its journal; tenants never meet in a question.
"""

import fcntl
import sqlite3
import time

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from adapters.knowledge import writes
from adapters.knowledge.schema import (
    CHUNK,
    FROM_VERSIONS,
    SCHEMA,
    VERSION,
    chunk_of,
    indexed_of,
    kept_of,
    labels_of,
    version_of,
)
from gateway.errors import StoreError
from gateway.model.knowledge.document import Chunk
from gateway.model.knowledge.version import KnownChunk
from gateway.ports.documents import KeptVersion, NewVersion, Origin
from gateway.ports.knowledge import Indexed, LabelTuple
from ledger.sqlite.connection import connect, lay_out, require_durability
from ledger.sqlite.purge import purge, rewrite_all

_T = TypeVar("_T")

_WAIT_SECONDS: Final = 30
_AT_ONCE: Final = 500
"""Chunks that one statement reads."""


class SqliteDocuments:
    """`gateway.ports.documents.KnowledgeStore` in a file; safe to share between threads and processes."""

    def __init__(self, path: Path) -> None:
        """
        Open or create the file.

        Raises:
            StoreError: it cannot be opened.
        """
        self._path = path
        self._writer, self._reader = Lock(), Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write = connect(path)
            require_durability(self._write)
            self._write.execute("PRAGMA foreign_keys=ON")
            lay_out(self._write, SCHEMA)
            self._read = connect(path)
            self._read.execute("PRAGMA query_only=ON")
        except (sqlite3.Error, OSError) as error:
            raise StoreError("the store of documents cannot be opened") from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        with (self._path.parent / "writing.lock").open("ab") as file:
            deadline = time.monotonic() + _WAIT_SECONDS
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError as error:
                    if time.monotonic() > deadline:
                        raise StoreError("another process is changing the documents") from error
                    time.sleep(0.05)
            yield

    @property
    def epoch(self) -> int:
        return int(self._rows("SELECT value FROM counters WHERE name = 'epoch'")[0][0])

    def tuples(self, tenant: str) -> list[LabelTuple]:
        found = self._rows(
            "SELECT t.id, t.labels, o.verified_at FROM tuples t JOIN origins o ON o.id = t.origin"
            " WHERE t.tenant = ? AND EXISTS (SELECT 1 FROM chunks c JOIN versions v ON v.id = c.version"
            " WHERE c.tuple = t.id AND v.status = 'accepted') ORDER BY t.id",
            tenant,
        )
        return [LabelTuple(id_, tenant, labels_of(labels, at)) for id_, labels, at in found]

    def chunks(self, ids: Sequence[int]) -> dict[int, KnownChunk]:
        found: dict[int, KnownChunk] = {}
        for start in range(0, len(ids), _AT_ONCE):
            some = [int(one) for one in ids[start : start + _AT_ONCE]]
            marks = ", ".join("?" * len(some))
            rows = self._rows(
                f"SELECT {CHUNK}, {VERSION} FROM chunks c JOIN versions v ON v.id = c.version"  # noqa: S608 - marks alone
                f" JOIN origins o ON o.id = v.origin WHERE c.id IN ({marks}) AND v.status = 'accepted'",
                *some,
            )
            found |= {row[0]: chunk_of(row, version_of(row[9:])) for row in rows}
        return found

    def findable(self) -> Iterator[Indexed]:
        last = 0
        while rows := self._rows(
            "SELECT c.id, c.tuple, c.text, c.path, v.title FROM chunks c JOIN versions v ON v.id = c.version"
            " WHERE c.id > ? AND v.status = 'accepted' ORDER BY c.id LIMIT ?",
            last,
            _AT_ONCE,
        ):
            yield from map(indexed_of, rows)
            last = rows[-1][0]

    def current(self, tenant: str, corpus: str, document: str) -> KeptVersion | None:
        found = self._kept(
            "v.tenant = ? AND v.corpus = ? AND v.document = ? AND v.status = 'accepted'", tenant, corpus, document
        )
        return found[0] if found else None

    def versions(
        self, tenant: str, corpus: str | None = None, document: str | None = None, *, history: bool = False
    ) -> list[KeptVersion]:
        return self._kept(
            "v.tenant = ? AND (? IS NULL OR v.corpus = ?) AND (? IS NULL OR v.document = ?) AND v.status != 'staged'"
            " AND (? OR v.status IN ('accepted', 'set_aside'))",
            *(tenant, corpus, corpus, document, document, history),
        )

    def of_origin(self, tenant: str, corpus: str, origin: Origin) -> dict[str, KeptVersion]:
        found = self._kept(
            "v.tenant = ? AND v.corpus = ? AND o.kind = ? AND o.name = ? AND v.status = 'accepted' AND v.place NOT NULL",
            *(tenant, corpus, origin.kind, origin.name),
        )
        return {str(one.place): one for one in found}

    def put(self, new: NewVersion, chunks: Sequence[Chunk], codes: Sequence[str] | None = None) -> int:
        return self._changed(lambda db: writes.put(db, new, chunks, codes))

    def indexed(self, version: int) -> list[Indexed]:
        rows = self._rows(
            "SELECT c.id, c.tuple, c.text, c.path, v.title FROM chunks c JOIN versions v ON v.id = c.version"
            " WHERE v.id = ? ORDER BY c.id",
            version,
        )
        return [indexed_of(row) for row in rows]

    def publish(self, version: int, at: str) -> list[int]:
        return self._changed(lambda db: writes.publish(db, version, at))

    def withdraw(self, versions: Sequence[int], at: str) -> list[int]:
        return self._changed(lambda db: writes.withdraw(db, versions, at))

    def purge(self, versions: Sequence[int]) -> int:
        count = self._changed(lambda db: writes.purge_texts(db, versions))
        if count:
            with self._writer:
                purge(self._write, self._path.name, rewrite_all)
        return count

    def over(self, tenant: str, corpus: str, before: str) -> list[int]:
        found = self._rows(
            "SELECT id FROM versions WHERE tenant = ? AND corpus = ? AND NOT purged AND ended_at < ?",
            tenant,
            corpus,
            before,
        )
        return [id_ for (id_,) in found]

    def moved(self, version: int, origin: Origin, place: str | None, at: str) -> list[int]:
        return self._changed(lambda db: writes.move(db, version, origin, place, at))

    def verified(self, tenant: str, corpus: str, origin: Origin, at: str) -> None:
        self._changed(lambda db: writes.verify(db, tenant, corpus, origin, at))

    def forget_staged(self) -> list[int]:
        return self._changed(writes.forget_staged)

    def withdrawn(self, tenant: str, named: Sequence[tuple[str, str | None]]) -> list[bool]:
        return [self._is_withdrawn(tenant, source, version) for source, version in named]

    def _is_withdrawn(self, tenant: str, source: str, version: str | None) -> bool:
        found = self._rows(
            "SELECT count(*), sum(status = 'accepted') FROM versions"
            " WHERE tenant = ? AND source_id = ? AND named_version IS ? AND status != 'staged'",
            *(tenant, source, version),
        )
        return found[0][0] > 0 and not found[0][1]

    def screenings(self) -> list[str]:
        return [name for (name,) in self._rows("SELECT DISTINCT screening FROM findings ORDER BY screening")]

    def unscreened(self, screening: str, detector: str, most: int) -> list[tuple[str, str, str]]:
        return self._rows(
            "SELECT DISTINCT v.tenant, c.content, c.text FROM chunks c JOIN versions v ON v.id = c.version"
            " WHERE v.status = 'accepted' AND NOT EXISTS (SELECT 1 FROM findings f WHERE f.tenant = v.tenant"
            " AND f.digest = c.content AND f.screening = ? AND f.detector = ?) LIMIT ?",
            *(screening, detector, most),
        )

    def found(self, keys: Sequence[tuple[str, str, str, str]]) -> Mapping[tuple[str, str, str, str], str]:
        """What is kept of findings, as JSON, by tenant, content digest, screening and version of the detector."""
        kept: dict[tuple[str, str, str, str], str] = {}
        for key in keys:
            rows = self._rows(
                "SELECT found FROM findings WHERE tenant = ? AND digest = ? AND screening = ? AND detector = ?", *key
            )
            kept |= {key: rows[0][0]} if rows else {}
        return kept

    def keep_findings(self, found: Mapping[tuple[str, str, str, str], str]) -> None:
        """Keep findings, durably and all at once."""
        rows = [(*key, text) for key, text in found.items()]
        self._changed(lambda db: db.executemany("INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?)", rows))

    def close(self) -> None:
        with self._writer, self._reader:
            self._write.close()
            self._read.close()

    def _kept(self, where: str, *values: object) -> list[KeptVersion]:
        rows = self._rows(
            f"SELECT {VERSION}, (SELECT count(*) FROM chunks c WHERE c.version = v.id) {FROM_VERSIONS}"  # noqa: S608 - constants alone
            f" WHERE {where} ORDER BY v.corpus, v.document, v.id",
            *values,
        )
        return [kept_of(row) for row in rows]

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._reader:
                return self._read.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError("the store of documents did not answer") from error

    def _changed(self, act: Callable[[sqlite3.Connection], _T]) -> _T:
        """What an act answers, in one durable transaction."""
        try:
            with self._writer:
                self._write.execute("BEGIN IMMEDIATE")
                try:
                    answer = act(self._write)
                    self._write.execute("COMMIT")
                except BaseException:
                    if self._write.in_transaction:
                        self._write.execute("ROLLBACK")
                    raise
                return answer
        except sqlite3.Error as error:
            raise StoreError("the store of documents did not answer") from error
