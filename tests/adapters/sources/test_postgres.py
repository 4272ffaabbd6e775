"""Named queries of a PostgreSQL server."""

import uuid

from contextlib import asynccontextmanager

import pytest

from adapters.sources.postgres import PostgresToolbox
from gateway.errors import (
    SourceChangedError,
    SourceMalformedError,
    SourceOffError,
    SourceTooLargeError,
    SourceUnavailableError,
)
from gateway.model import SourceEntry
from gateway.model.sources.connections import SqlConnection
from gateway.model.sources.queries import NamedQuery
from gateway.ports.sources import Call
from tests.support.records_bank import asking, query
from tests.support.toolboxes import NOW, ToolboxContract

TABLES = (
    "CREATE TABLE projects (project_id text PRIMARY KEY, title text, jurisdictions jsonb)",
    "INSERT INTO projects VALUES ('P-1', 'SECRET of the project', '[\"SG\"]'), ('P-2', 'Another', '[\"HK\"]')",
)

QUERIES = {
    "honest": query("SELECT project_id, title FROM projects WHERE project_id = :project"),
    "listed": query("SELECT jurisdictions FROM projects WHERE project_id = :project"),
    "many": query(
        "SELECT i, now()::date - now()::date AS n FROM generate_series(1, 30) i WHERE :project <> '' ORDER BY i DESC",
        answers="rows",
        most_rows=30,
    ),
    "of a list": query(
        "SELECT project_id FROM projects WHERE project_id IN (SELECT jsonb_array_elements_text(:project::jsonb))",
        parameters={"project": "list"},
    ),
    "hung": query("SELECT pg_sleep(60) WHERE :project <> ''"),
    "no table": query("SELECT * FROM none_such WHERE x = :project"),
    "two rows": query("SELECT project_id FROM projects WHERE :project <> ''"),
    "too large": query("SELECT repeat(:project, 1000000) AS t"),
    "twice": query("SELECT project_id, title AS project_id FROM projects WHERE project_id = :project"),
    "writes": query("WITH gone AS (DELETE FROM projects RETURNING *) SELECT * FROM gone WHERE project_id = :project"),
    "makes": query("SELECT nextval('numbers') WHERE :project <> ''"),
}


@pytest.fixture(scope="module")
def database(postgres):
    name = f"records_{uuid.uuid4().hex[:12]}"
    postgres.sql("postgres", f"CREATE DATABASE {name}")
    postgres.sql(name, *TABLES, "CREATE SEQUENCE numbers", "CREATE ROLE reader LOGIN", "CREATE ROLE writer LOGIN")
    postgres.sql(name, "GRANT SELECT ON projects TO reader", "GRANT SELECT, INSERT ON projects TO writer")
    postgres.sql(name, "GRANT USAGE ON SEQUENCE numbers TO reader")
    yield name
    postgres.sql("postgres", f"DROP DATABASE {name} WITH (FORCE)", "DROP ROLE reader", "DROP ROLE writer")


@pytest.fixture
def opened(postgres, database):
    @asynccontextmanager
    async def box(role="reader", url=None):
        entry = SourceEntry.model_validate({"id": "s", "kind": "sql", "timeout_seconds": 5.0})
        queries = {name: NamedQuery.model_validate({"id": name, **row}) for name, row in QUERIES.items()}
        at = SqlConnection.model_validate({"kind": "sql", "postgres": url or postgres.url(database, role)})
        made = PostgresToolbox(entry, at, queries, clock=lambda: NOW, most_bytes=100_000)
        yield made
        await made.aclose()

    return box


class TestPostgresToolbox(ToolboxContract):
    row = {"project_id": "P-1", "title": "SECRET of the project"}
    arguments = {"project": "P-1"}
    other_row = {"project_id": "P-2", "title": "Another"}
    other_arguments = {"project": "P-2"}
    pinned = False
    faults = {
        "no table": SourceUnavailableError,
        "two rows": SourceTooLargeError,
        "too large": SourceTooLargeError,
        "twice": SourceMalformedError,
        "writes": SourceUnavailableError,
        "makes": SourceUnavailableError,
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
        A query that the server cannot prepare is told before a request asks it.
        """
        async with self.opened() as made:
            with pytest.raises(SourceMalformedError, match="none_such"):
                await made.offered()

    async def test_rows_lists_and_nothing(self):
        """
        Rows come whole and in their order, JSON as what it says, lists are bound; where there is no row there is nothing.
        """
        async with self.opened() as made:
            many = await made.call(Call(asking("many"), self.arguments))
            assert [row["i"] for row in many.content["rows"]] == list(range(30, 0, -1))
            assert (await made.call(Call(asking("listed"), self.arguments))).content == {"jurisdictions": ["SG"]}
            assert (await made.call(Call(asking("of a list"), {"project": ["P-2", "x"]}))).content == {
                "project_id": "P-2"
            }
            assert (await made.call(Call(asking("honest"), {"project": "' OR 1=1 --"}))).content == {}

    @pytest.mark.parametrize("role", ["owner", "writer"])
    async def test_a_role_that_may_write_is_not_used(self, role):
        """
        An owner, or whoever may change one table, is refused before anything is asked.
        """
        async with self.opened(role) as made:
            with pytest.raises(SourceOffError, match="may write"):
                await made.call(Call(asking("honest"), self.arguments))

    async def test_no_server(self):
        """
        A server that does not answer is a source that does not.
        """
        async with self.opened(url="postgresql://reader@127.0.0.1:1/none") as made:
            with pytest.raises(SourceUnavailableError):
                await made.call(Call(asking("honest"), self.arguments))
