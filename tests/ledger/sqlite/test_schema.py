"""The tables: what they refuse, and what questions are answered by an index."""

import sqlite3

from contextlib import closing

import pytest

from ledger.query import PROJECTED, Filter, search
from ledger.sqlite.schema import SCHEMA, WAITING
from tests.support.tampering import COLUMNS

RUN = "INSERT INTO runs (lane, epoch, first, next, signature) VALUES (?, ?, ?, ?, zeroblob(68))"


def test_records_cannot_be_changed_by_accident(ledger):
    """
    The store itself refuses to update or delete what was written.
    """
    path, _ = ledger
    with sqlite3.connect(path) as connection:
        for table in COLUMNS.keys() - {"head", "lanes", "newest"}:
            for statement in (f"UPDATE {table} SET {COLUMNS[table][0]} = 1", f"DELETE FROM {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    connection.execute(statement)
    connection.close()


@pytest.fixture
def connection():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        made.execute("PRAGMA foreign_keys=ON")
        made.executescript(SCHEMA)
        yield made


def test_it_may_be_laid_again(connection):
    """
    A store that is opened again lays its tables again, which changes nothing.
    """
    before = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    connection.executescript(SCHEMA)
    assert connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall() == before


@pytest.mark.parametrize("column", sorted(set(PROJECTED) - {"tenant", "purpose", "at"}))
def test_a_question_of_a_tenant_is_answered_by_an_index(connection, column):
    """
    Whatever an auditor looks for, the entries are found by an index in the order of the log, never by reading them all.
    """
    source, values = search(Filter(tenant="gfm", **{column: "x"}), lambda position: f"?{position}")
    asked = f"EXPLAIN QUERY PLAN SELECT e.idx FROM {source} ORDER BY e.idx LIMIT 10"
    [plan] = [row[3] for row in connection.execute(asked, values)]
    assert plan.startswith("SEARCH e USING"), plan
    assert f"entries_{column} (tenant=? AND {column}=?" in plan


def test_what_waits_is_told_from_what_is_in_the_log(connection):
    """
    Of every lane the records after those in the log wait, lanes in order of id and epoch.
    """
    for lane, epoch in (("b", 1), ("a", 1), ("a", 2), ("c", 1)):
        connection.execute("INSERT INTO lanes VALUES (?, ?)", (lane, epoch))
    connection.executemany(RUN, [("b", 1, 0, 5), ("b", 1, 5, 7), ("a", 2, 0, 3), ("a", 1, 0, 4)])
    connection.executemany("INSERT INTO ranges VALUES (?, ?, ?, ?, ?)", [("b", 1, 0, 5, 0), ("a", 1, 0, 4, 5)])
    assert connection.execute(WAITING).fetchall() == [("a", 2, 0, 3), ("b", 1, 5, 7)]


@pytest.mark.parametrize("run", [("a", 1, 5, 7), ("a", 1, 0, 0), ("a", 1, 0, 5), ("z", 1, 0, 1)])
def test_a_run_must_follow_the_one_before(connection, run):
    """
    A run that leaves a gap, is empty, overlaps another or is of a lane that was never opened is refused by the table itself.
    """
    connection.execute("INSERT INTO lanes VALUES ('a', 1)")
    connection.execute(RUN, ("a", 1, 0, 3))
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(RUN, run)


HERE = "(SELECT size FROM head)"
NONSENSE = {
    "a checkpoint of what is not there": "INSERT INTO checkpoints (size, at, note) VALUES (900000000000, '', 'x')",
    "a head further on": "UPDATE head SET size = size + 5",
    "no head": "DELETE FROM head",
    "a tile not there yet": "INSERT INTO tiles VALUES (0, 1, zeroblob(8192))",
    "a tile of no level": "INSERT INTO tiles VALUES (60, 0, zeroblob(8192))",
    "an entry not there yet": f"INSERT INTO entries (idx, lane, epoch, seq) VALUES ({HERE} + 1, 'x', 1, 1)",
    "a code more": "INSERT INTO codes VALUES ('X-001', 3)",
    "a range further on": f"INSERT INTO ranges VALUES ('x', 1, 0, 5, {HERE} + 5)",
    "a run that nobody signed": "INSERT INTO runs (lane, epoch, first, next) VALUES ('00000000-0000-4000-8000-000000000001', 1, 285, 286)",
    "a record of no run": "INSERT INTO records (lane, epoch, seq, decision_id, body) VALUES ('x', 1, 0, 'd', x'7b7d')",
    "an epoch that is not the next": "INSERT INTO lanes VALUES ('00000000-0000-4000-8000-000000000001', 9000000000)",
}


@pytest.mark.parametrize("statement", NONSENSE.values(), ids=NONSENSE)
def test_what_cannot_be_is_refused(ledger, statement):
    """
    Rows of the log that do not follow from what is there are refused by the tables themselves.
    """
    with closing(sqlite3.connect(ledger[0])) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
