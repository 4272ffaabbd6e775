"""
Where the embedded index keeps its chunks: one SQLite file.

Rules held here: a change is one transaction that has reached the disk when the call returns; every row has a digest of what stands in
it; what is taken out is overwritten; a file made with another embedder, or by another way of cutting words, holds nothing.
"""

import hashlib
import sqlite3

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Final

from adapters.knowledge.segment import IndexEntry
from gateway.errors import IndexUnavailableError

FORMAT: Final = "1"
"""Raised whenever words are cut, or rows written, in another way."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS made_with (embedder TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS chunk (
    id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, tuple_id INTEGER NOT NULL, length INTEGER NOT NULL,
    terms BLOB NOT NULL, times BLOB NOT NULL, vector BLOB NOT NULL, digest BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS chunk_stamp ON chunk (id, stamp);
"""


class IndexFile:
    """The chunks of an index, on disk; several processes may hold it."""

    def __init__(self, path: Path, embedder: str) -> None:
        """
        Args:
            path: the file; it is made where there is none.
            embedder: name of the one that the vectors are of.

        Raises:
            IndexUnavailableError: the file cannot be opened.
        """
        self._made_with = f"{FORMAT}:{embedder}"
        self._lock = RLock()
        with _translated():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
                self._database.execute(f"PRAGMA {pragma}")
            with self._transaction():
                for statement in _TABLES.split(";"):
                    self._database.execute(statement)
                self._begin()

    def version(self) -> int:
        """Another number than before where another connection has changed the file."""
        with _translated(), self._lock:
            return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def stamps(self) -> dict[int, int]:
        """
        All chunks, each with a number that changes whenever it is written.

        Raises:
            IndexUnavailableError: it cannot be read, or is made with another embedder by now.
        """
        with _translated(), self._lock:
            if self._database.execute("SELECT embedder FROM made_with").fetchall() != [(self._made_with,)]:
                raise IndexUnavailableError("the index was made anew with another embedder.")
            return dict(self._database.execute("SELECT id, stamp FROM chunk"))

    def entries(self, ids: Iterable[int]) -> list[IndexEntry]:
        """
        Some chunks, of those that are there.

        Raises:
            IndexUnavailableError: it cannot be read, or a row is not what was written.
        """
        wanted, found = list(ids), []
        with _translated(), self._lock:
            for start in range(0, len(wanted), 500):
                some = wanted[start : start + 500]
                marks = ",".join("?" * len(some))
                query = f"SELECT id, tuple_id, length, terms, times, vector, digest FROM chunk WHERE id IN ({marks})"  # noqa: S608 - marks alone
                for *fields, digest in self._database.execute(query, some):
                    entry = IndexEntry(*fields)
                    if _digest(entry) != digest:
                        raise IndexUnavailableError(f"chunk {entry.id} of the index is damaged.")
                    found.append(entry)
        return found

    def replace(self, gone: Sequence[int], added: Sequence[IndexEntry]) -> dict[int, int]:
        """
        Take chunks out and in; all of them and their numbers after that.

        Raises:
            IndexUnavailableError: it is not known to be durable.
        """
        with _translated(), self._lock:
            with self._transaction():
                stamp = self._database.execute("SELECT coalesce(max(stamp), 0) + 1 FROM chunk").fetchone()[0]
                self._database.executemany("DELETE FROM chunk WHERE id = ?", [(one,) for one in gone])
                self._database.executemany(
                    "INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    [(entry.id, stamp, *entry[1:], _digest(entry)) for entry in added],
                )
                stamps = self.stamps()
            if gone:
                # What was deleted also stands in the log of changes, until that is emptied; a reader may stand in the way of it.
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return stamps

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _begin(self) -> None:
        if self._database.execute("SELECT embedder FROM made_with").fetchall() != [(self._made_with,)]:
            self._database.execute("DELETE FROM chunk")
            self._database.execute("DELETE FROM made_with")
            self._database.execute("INSERT INTO made_with VALUES (?)", (self._made_with,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")


def _digest(entry: IndexEntry) -> bytes:
    whole = hashlib.blake2b(f"{entry.id} {entry.tuple_id} {entry.length} {len(entry.terms)} ".encode(), digest_size=16)
    for part in (entry.terms, entry.times, entry.vector):
        whole.update(part)
    return whole.digest()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise IndexUnavailableError(f"the file of the index: {error}.") from error
