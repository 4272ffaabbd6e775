"""Named queries of a SQLite file."""

import sqlite3

from contextlib import asynccontextmanager

import pytest

from adapters.sources.sqlite import SqliteToolbox
from gateway.errors import SourceChangedError, SourceMalformedError, SourceTooLargeError, SourceUnavailableError
from gateway.model import SourceEntry
from gateway.model.sources.connections import SqlConnection
from gateway.model.sources.queries import NamedQuery
from gateway.ports.sources import Call
from tests.support import records_bank
from tests.support.records_bank import asking, query
from tests.support.toolboxes import NOW, ToolboxContract

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS n FROM n WHERE :project IS NOT NULL"
MANY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT :project AS p, i FROM n"
HUGE = "WITH RECURSIVE n(t) AS (SELECT :project UNION ALL SELECT t || t FROM n) SELECT t FROM n ORDER BY length(t) DESC"


QUERIES = {
    "honest": query("SELECT project_id, title FROM projects WHERE project_id = :project"),
    "listed": query("SELECT jurisdictions FROM projects WHERE project_id = :project", json_columns=["jurisdictions"]),
    "hung": query(ENDLESS),
    "no table": query("SELECT * FROM none_such WHERE x = :project"),
    "two rows": query("SELECT project_id FROM projects WHERE :project IS NOT NULL"),
    "too many": query(MANY, answers="rows", most_rows=10),
    "too large": query(HUGE, answers="rows", most_rows=9),
    "twice": query("SELECT project_id, title AS project_id FROM projects WHERE project_id = :project"),
    "bytes": query("SELECT x'00' AS b WHERE :project IS NOT NULL"),
    "no json": query("SELECT title FROM projects WHERE project_id = :project", json_columns=["title"]),
    "writes": query("WITH a AS (SELECT :project AS p) SELECT load_extension(p) AS x FROM a"),
}


@pytest.fixture
def path(tmp_path):
    return records_bank.records(tmp_path / "a file #1?.sqlite")


@pytest.fixture
def opened(path):
    @asynccontextmanager
    async def box(**changes):
        entry = SourceEntry.model_validate({"id": "s", "kind": "sql", "timeout_seconds": 0.5})
        queries = {name: NamedQuery.model_validate({"id": name, **row}) for name, row in QUERIES.items()}
        at = SqlConnection.model_validate({"kind": "sql", "sqlite": str(path), **changes})
        made = SqliteToolbox(entry, at, queries, clock=lambda: NOW, most_bytes=100_000)
        yield made
        await made.aclose()

    return box


class TestSqliteToolbox(ToolboxContract):
    row = {"project_id": records_bank.PROJECT, "title": "FX target redemption forward"}
    arguments = {"project": records_bank.PROJECT}
    other_row = {"project_id": records_bank.OTHER, "title": "Equity accumulator"}
    other_arguments = {"project": records_bank.OTHER}
    pinned = False
    faults = {
        "hung": SourceUnavailableError,
        "no table": SourceMalformedError,
        "two rows": SourceTooLargeError,
        "too many": SourceTooLargeError,
        "too large": SourceTooLargeError,
        "twice": SourceMalformedError,
        "bytes": SourceMalformedError,
        "no json": SourceMalformedError,
        "writes": SourceMalformedError,
        "no such query": SourceChangedError,
    }

    @pytest.fixture(autouse=True)
    def _opened(self, opened):
        self.opened = opened

    @asynccontextmanager
    async def box(self, way):
        async with self.opened() as made:
            yield made, asking(way)

    async def test_what_is_offered_has_the_pin_that_is_accepted(self):
        """
        A query that cannot be asked, since its tables are not there, is told before a request asks it.
        """
        async with self.opened() as made:
            with pytest.raises(SourceMalformedError, match="no table"):
                await made.offered()

    async def test_lists_and_nothing(self):
        """
        A column of JSON becomes what it says; where there is no row there is nothing.
        """
        async with self.box("listed") as (box, asked):
            found = await box.call(Call(asked, self.arguments))
            none = await box.call(Call(asked, {"project": "NPA-0"}))
        assert (found.content, none.content) == ({"jurisdictions": ["SG"]}, {})

    async def test_nothing_of_an_argument_becomes_sql(self):
        """
        An id that is SQL is an id of which there is no record, and changes nothing.
        """
        async with self.box("honest") as (box, asked):
            for said in ("' OR 1=1 --", "x'; DROP TABLE projects; --", '" OR ""="'):
                assert (await box.call(Call(asked, {"project": said}))).content == {}
            assert (await box.call(Call(asked, self.arguments))).content == self.row

    async def test_no_file_is_made(self, tmp_path):
        """
        A file that is not there is a source that does not answer; none is made in its place.
        """
        async with self.opened(sqlite=str(tmp_path / "none.sqlite")) as made:
            with pytest.raises(SourceUnavailableError):
                await made.call(Call(asking("honest"), self.arguments))
        assert not (tmp_path / "none.sqlite").exists()


def test_nothing_is_written_whatever_a_statement_says(opened, path):
    """
    On a connection as the toolbox opens it no statement changes, attaches or loads anything.
    """
    entry = SourceEntry.model_validate({"id": "s", "kind": "sql"})
    box = SqliteToolbox(entry, SqlConnection(kind="sql", sqlite=path), {}, clock=lambda: NOW, most_bytes=1000)
    before = path.read_bytes()
    database = box._opened()
    for said in (
        "DELETE FROM projects",
        "ATTACH 'other.sqlite' AS other",
        "PRAGMA query_only = OFF",
        "CREATE TEMP TABLE t (x)",
        "SELECT load_extension('x')",
        "VACUUM INTO 'copy.sqlite'",
    ):
        with pytest.raises(sqlite3.DatabaseError):
            database.execute(said)
    database.close()
    assert path.read_bytes() == before
