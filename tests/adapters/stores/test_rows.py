"""Small tables: the same statements on both databases, durable when the call returns."""

import random
import sqlite3
import threading

import pytest

from adapters.stores.rows import SqliteRows
from gateway.errors import StoreError

USE = "INSERT INTO used_tokens (name, until) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"


def names(rows):
    return [name for (name,) in rows.read("SELECT name FROM used_tokens ORDER BY name")]


class TestBoth:
    def test_values_are_never_part_of_the_statement(self, rows):
        """
        Whatever a value holds, marks of values too, it is stored and found as it is.
        """
        hostile = "'; DROP TABLE used_tokens; -- ? $1"
        assert rows.write(USE, [(hostile, "2026")]) == 1
        assert rows.read("SELECT until FROM used_tokens WHERE name = ? AND until = ?", hostile, "2026") == [("2026",)]

    def test_how_many_changed(self, rows):
        """
        The answer counts rows of the table: not those that were there, and all that a deletion took.
        """
        assert rows.write(USE, [("a", "1"), ("b", "2"), ("c", "3")]) == 3
        assert rows.write(USE, [("a", "9"), ("d", "4")]) == 1
        assert rows.write("DELETE FROM used_tokens WHERE until >= ?", [("2",)]) == 3
        assert rows.write("DELETE FROM used_tokens WHERE until = ?", [("none",)]) == 0
        assert names(rows) == ["a"]

    def test_all_rows_or_none(self, rows):
        """
        Where one row is refused nothing of the call is stored, and the next call goes on.
        """
        with pytest.raises(StoreError):
            rows.write("INSERT INTO used_tokens (name, until) VALUES (?, ?)", [("a", "1"), ("b", "2"), ("a", "3")])
        assert names(rows) == []
        assert rows.write(USE, [("a", "1")]) == 1

    def test_statements_that_the_database_refuses(self, rows):
        """
        What is no statement is an error of what is kept aside, and names no value.
        """
        for act in (
            lambda: rows.read("SELECT nothing FROM nowhere WHERE x = ?", "secret"),
            lambda: rows.write("NO ?", [("secret",)]),
        ):
            with pytest.raises(StoreError) as caught:
                act()
            assert "secret" not in str(caught.value)

    def test_threads_share_it(self, rows):
        """
        Of many threads that claim one name exactly one is told that it was first.
        """
        won = []
        threads = [threading.Thread(target=lambda: won.append(rows.write(USE, [("one", "1")]))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(won) == [0] * 7 + [1]


class TestSqlite:
    def test_what_was_deleted_is_not_in_the_file(self, tmp_path):
        """
        After a deletion the bytes are in neither the database nor its write-ahead log.
        """
        rows = SqliteRows(tmp_path / "aside.sqlite", "CREATE TABLE IF NOT EXISTS t (v TEXT) STRICT;")
        rows.write("INSERT INTO t VALUES (?)", [("a very secret value",)])
        assert b"very secret" in b"".join(path.read_bytes() for path in tmp_path.iterdir())
        rows.write("DELETE FROM t WHERE v LIKE ?", [("a very%",)])
        assert b"very secret" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
        rows.close()

    def test_it_is_durable(self, tmp_path):
        """
        What was written is there for another process when the call returns.
        """
        rows = SqliteRows(tmp_path / "deep/aside.sqlite", "CREATE TABLE IF NOT EXISTS t (v TEXT) STRICT;")
        rows.write("INSERT INTO t VALUES (?)", [("x",)])
        with sqlite3.connect(tmp_path / "deep/aside.sqlite") as other:
            assert other.execute("SELECT v FROM t").fetchall() == [("x",)]
        other.close()
        rows.close()

    def test_a_file_that_is_none(self, tmp_path):
        """
        A file that is no database is refused, and left as it is.
        """
        path = tmp_path / "aside.sqlite"
        path.write_bytes(b"something else" * 100)
        with pytest.raises(StoreError, match="opened"):
            SqliteRows(path, "")
        assert path.read_bytes() == b"something else" * 100

    def test_after_it_was_closed(self, closed_rows):
        """
        A database that is gone is an error for whoever asks, never an empty answer.
        """
        with pytest.raises(StoreError):
            closed_rows.read("SELECT 1")
        with pytest.raises(StoreError):
            closed_rows.write(USE, [("a", "1")])


def test_no_page_keeps_a_copy_of_what_is_gone(tmp_path):
    """
    Overwriting deleted rows is not enough: pages that were split keep copies.  Written anew, the file holds nothing that is gone.
    """
    left: list[tuple[object, ...]] = []
    for seed in range(12):
        chance, path = random.Random(seed), tmp_path / f"{seed}.sqlite"
        rows = SqliteRows(path, "CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        kept = [(f"user{chance.random()}", chance.randbytes(60)) for _ in range(1500)]
        gone = chance.sample(kept, 750)
        rows.write("INSERT INTO kept VALUES (?, ?)", kept)
        assert rows.write("DELETE FROM kept WHERE name = ?", [(name,) for name, _ in gone]) == 750
        assert list(rows.purge(rewrite=False)) == []
        left += [name for name, _ in gone if name.encode() in path.read_bytes()]
        assert list(rows.purge(rewrite=True)) == []
        assert not [name for name, value in gone if name.encode() in path.read_bytes() or value in path.read_bytes()]
        rows.close()
        if left:
            return
    pytest.fail("without writing anew nothing was ever left, so that this test would prove nothing")
