"""What was deleted, driven out of the files of SQLite."""

import random
import sqlite3

from contextlib import closing

import pytest

from ledger.sqlite.connection import connect, require_durability
from ledger.sqlite.purge import LOG, PAGES, purge, rewrite_all, rewrite_persons
from ledger.sqlite.schema import SCHEMA
from ledger.sqlite.store import SqliteStore
from ledger.store import Erasure

PERSONS = 1500


@pytest.fixture
def database(tmp_path):
    """A ledger's file, and the connection of a writer."""
    with closing(connect(tmp_path / "ledger.sqlite")) as connection:
        require_durability(connection)
        connection.execute("PRAGMA foreign_keys=ON")
        connection.executescript(SCHEMA)
        yield tmp_path / "ledger.sqlite", connection


def filled(connection, seed):
    """Persons who come and go in no order, as in years of use; those who are gone."""
    chance = random.Random(seed)
    rows = [
        ("gfm", f"user{chance.random()}", chance.randbytes(18).hex(), chance.randbytes(40), chance.randbytes(32))
        for _ in range(PERSONS)
    ]
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO subjects VALUES (?, ?, ?, ?, ?)", rows)
    gone = chance.sample(rows, PERSONS // 2)
    connection.executemany("DELETE FROM subjects WHERE subject = ?", [(row[1],) for row in gone])
    connection.execute("COMMIT")
    return rows, gone


def told(path, rows):
    """Which of the rows have a name, token or key in the file or in its log."""
    stored = b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
    return [row for row in rows if row[1].encode() in stored or row[2].encode() in stored or row[3] in stored]


def test_no_page_keeps_a_copy_of_who_is_gone(database):
    """
    Overwriting deleted rows is not enough: pages that were split keep copies.  Written anew, the file holds nobody who is gone,
    and everybody who is not.
    """
    path, connection = database
    left = []
    for seed in range(12):
        rows, gone = filled(connection, seed)
        assert purge(connection, "ledger.sqlite", None) == []
        left += told(path, gone)
        assert purge(connection, "ledger.sqlite", rewrite_persons) == []
        assert told(path, gone) == []
        stay = [row for row in rows if row not in gone]
        assert len(told(path, stay)) == len(stay)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if left:
            break
        connection.execute("DELETE FROM subjects")
    assert left, "without writing anew nothing was ever left, so that this test would prove nothing"


def test_foreign_keys_are_held_after_the_table_was_written_anew(database):
    """
    What is sealed for a person still needs that person.
    """
    _, connection = database
    filled(connection, 1)
    purge(connection, "ledger.sqlite", rewrite_persons)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO asides VALUES ('d', 'nobody', x'00')")


def test_who_reads_is_named_and_waited_for_by_nobody(database):
    """
    While somebody reads in an open transaction the log is not empty, and that is said; when they left it is.
    """
    path, connection = database
    with closing(connect(path)) as reader:
        filled(connection, 2)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM subjects").fetchone()
        [left] = purge(connection, "ledger.sqlite", rewrite_persons)
        assert (left.store, left.kind, left.rewrite) == ("ledger.sqlite", LOG, False)
        assert path.with_name("ledger.sqlite-wal").stat().st_size
        reader.execute("COMMIT")
        assert purge(connection, "ledger.sqlite", None) == []
    assert not path.with_name("ledger.sqlite-wal").stat().st_size


@pytest.mark.parametrize("rewrite", [rewrite_persons, rewrite_all])
def test_who_writes_is_named(database, rewrite):
    """
    While somebody else writes nothing is written anew; that has to be tried again, and the connection waits as long as before.
    """
    path, connection = database
    with closing(connect(path)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        left = purge(connection, "ledger.sqlite", rewrite)
        assert (left[0].kind, left[0].rewrite) == (PAGES, True)
        writer.execute("ROLLBACK")
    assert purge(connection, "ledger.sqlite", rewrite) == []
    assert connection.execute("PRAGMA busy_timeout").fetchone() == (10_000,)
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_store_purges_itself_beside_its_own_reader(tmp_path):
    """
    The store's own idle reader keeps nothing from being emptied.
    """
    store = SqliteStore(tmp_path / "ledger.sqlite")
    person = store.person("gfm", "zelda.quaxleigh", bytes(range(40)))
    assert store.behind("gfm", [person.token])
    assert Erasure("gfm", "zelda.quaxleigh").subject in (tmp_path / "ledger.sqlite-wal").read_bytes().decode("latin-1")
    assert store.purge(rewrite=True) == []
    assert (tmp_path / "ledger.sqlite-wal").stat().st_size == 0
    store.close()


def test_a_database_that_is_gone_is_an_error(database):
    """
    What is no matter of waiting is raised.
    """
    _, connection = database

    def broken(_):
        raise sqlite3.DatabaseError("malformed")

    with pytest.raises(sqlite3.DatabaseError):
        purge(connection, "ledger.sqlite", broken)
