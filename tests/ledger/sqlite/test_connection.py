"""Connections that keep what they acknowledge."""

import sqlite3

from contextlib import closing

import pytest

from ledger.errors import DecisionTakenError, LedgerUnavailableError, SubjectErasedError, UnsafeDurabilityError
from ledger.sqlite.connection import connect, forget, put_erasables, put_records, require_durability, translated
from ledger.sqlite.schema import SCHEMA
from ledger.sqlite.store import SqliteStore
from ledger.store import Erasure


def test_unsafe_durability_is_refused(tmp_path, monkeypatch):
    """
    A store that would lose acknowledged records is not opened.
    """
    real = sqlite3.connect

    class Careless:
        def __init__(self, *args, **kwargs):
            self._connection = real(*args, **kwargs)

        def execute(self, statement, *args):
            return self._connection.execute(statement.replace("FULL", "OFF"), *args)

        def __getattr__(self, name):
            return getattr(self._connection, name)

    monkeypatch.setattr(sqlite3, "connect", Careless)
    with pytest.raises(UnsafeDurabilityError):
        SqliteStore(tmp_path / "ledger.sqlite")


@pytest.fixture
def connection(tmp_path):
    made = connect(tmp_path / "ledger.sqlite")
    made.execute("PRAGMA foreign_keys=ON")
    made.executescript(SCHEMA)
    made.execute("INSERT INTO lanes VALUES ('l', 1)")
    made.execute("INSERT INTO runs (lane, epoch, first, next, signature) VALUES ('l', 1, 0, 2, zeroblob(68))")
    made.execute(
        "INSERT INTO subjects VALUES ('gfm', 'ann', 'token-1', x'00', x'01'), ('gfm', 'ben', 'token-2', x'00', x'02')"
    )
    yield made
    made.close()


def test_every_commit_reaches_the_disk(connection):
    """
    The settings that durability rests on are the connection's: WAL, FULL, and nothing deleted stays readable.
    """
    require_durability(connection)
    values = [
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "secure_delete")
    ]
    assert values == ["wal", 2, 1]


def test_a_database_without_a_log_is_refused():
    """
    A database in memory has no write-ahead log, so nothing in it is durable.
    """
    with closing(sqlite3.connect(":memory:")) as memory, pytest.raises(UnsafeDurabilityError, match="memory"):
        require_durability(memory)


def test_a_decision_that_is_there_is_told_from_a_place_that_is_taken(connection):
    """
    A second record with the same decision id says so; a second record at the same place is another error.
    """
    put_records(connection, [("l", 1, 0, "d1", b"")])
    with pytest.raises(DecisionTakenError):
        put_records(connection, [("l", 1, 1, "d1", b"")])
    with pytest.raises(sqlite3.IntegrityError):
        put_records(connection, [("l", 1, 0, "d2", b"")])


def test_nothing_is_sealed_for_a_token_that_is_no_more(connection):
    """
    The sealed side of a record needs the person whose key it is sealed under.
    """
    put_erasables(connection, [("d1", "token-1", b"sealed")])
    with pytest.raises(SubjectErasedError):
        put_erasables(connection, [("d2", "token-9", b"sealed")])


def test_a_person_is_forgotten_and_nobody_else(connection):
    """
    With a person goes all that is sealed under their key, and nothing of another person or tenant.
    """
    connection.execute("INSERT INTO subjects VALUES ('other', 'ann', 'token-3', x'00', x'03')")
    put_erasables(connection, [(f"d{n}", f"token-{n}", b"sealed") for n in (1, 2, 3)])
    forget(connection, Erasure("gfm", "ann"))
    forget(connection, Erasure("gfm", "nobody"))
    for table in ("asides", "subjects"):
        assert [row[0] for row in connection.execute(f"SELECT token FROM {table} ORDER BY 1")] == ["token-2", "token-3"]


def test_what_sqlite_raises_is_translated_and_nothing_else():
    """
    A caller hears that the store did not answer, with SQLite's words as the cause; other errors pass as they are.
    """
    with pytest.raises(LedgerUnavailableError) as caught, translated():
        raise sqlite3.OperationalError("disk I/O error")
    assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
    with pytest.raises(KeyError), translated():
        raise KeyError("x")


def test_a_file_from_before_is_brought_up_to_date(tmp_path):
    """
    Persons of a file that knew no salts have one each after it was opened, and keep it.
    """
    path = tmp_path / "ledger.sqlite"
    with closing(connect(path)) as made:
        made.executescript(SCHEMA)
        made.execute("ALTER TABLE subjects DROP COLUMN salt")
        made.execute("INSERT INTO subjects VALUES ('gfm', 'ann', 'token-1', x'00'), ('gfm', 'ben', 'token-2', x'00')")
    salts = []
    for _ in range(2):
        store = SqliteStore(path)
        salts.append([store.known_person("gfm", name).salt for name in ("ann", "ben")])
        store.close()
    assert salts[0] == salts[1]
    assert [len(salt) for salt in salts[0]] == [32, 32]
    assert len(set(salts[0])) == 2
