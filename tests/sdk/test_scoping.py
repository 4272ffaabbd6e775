"""The scoping middleware: no query without an entity and jurisdictions."""

import asyncio
import inspect
import json
import sqlite3

import pytest

from ctxgate_source import ScopedQueries, ScopeError, scope_in_force, scoped

SQL = """
SELECT name FROM projects WHERE id = :entity AND place IN (SELECT value FROM json_each(:jurisdictions)) ORDER BY name
"""


@pytest.fixture
def queries():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.executescript(
        "CREATE TABLE projects (id, place, name); INSERT INTO projects VALUES (1, 'SG', 'a'), (1, 'HK', 'b'), (2, 'SG', 'c')"
    )
    asked = []

    def execute(sql, parameters):
        asked.append((sql, parameters))
        return [dict(row) for row in connection.execute(sql, parameters)]

    told = ScopedQueries(execute)
    told.asked = asked
    yield told
    connection.close()


def tool_of(queries, sql=SQL, **more):
    @scoped(entity="number", known={"SG", "HK"})
    def names(number, jurisdictions, *, shout=False):
        """Names."""
        return [row["name"] for row in queries.rows(sql, **more)]

    return names


def test_a_query_within_its_scope(queries):
    """
    A tool keeps its name and words; its query gives the rows of the entity in the jurisdictions, and of no other.
    """
    tool = tool_of(queries)
    assert (tool.__name__, tool.__doc__) == ("names", "Names.")
    assert tool(1, ["SG"]) == ["a"]
    assert tool(number=1, jurisdictions=["SG", "HK"], shout=True) == ["a", "b"]
    assert tool(3, ["SG"]) == []


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "entity"),
        ({"number": None, "jurisdictions": ["SG"]}, "entity"),
        ({"number": "", "jurisdictions": ["SG"]}, "entity"),
        ({"number": " ", "jurisdictions": ["SG"]}, "entity"),
        ({"number": "x" * 201, "jurisdictions": ["SG"]}, "entity"),
        ({"number": 0, "jurisdictions": ["SG"]}, "entity"),
        ({"number": -1, "jurisdictions": ["SG"]}, "entity"),
        ({"number": True, "jurisdictions": ["SG"]}, "entity"),
        ({"number": [1], "jurisdictions": ["SG"]}, "entity"),
        ({"number": 1}, "jurisdictions"),
        ({"number": 1, "jurisdictions": None}, "jurisdictions"),
        ({"number": 1, "jurisdictions": []}, "jurisdictions"),
        ({"number": 1, "jurisdictions": "SG"}, "jurisdictions"),
        ({"number": 1, "jurisdictions": ["SG"] * 65}, "jurisdictions"),
        ({"number": 1, "jurisdictions": ["SG", "XX"]}, "jurisdiction that is none"),
        ({"number": 1, "jurisdictions": [None]}, "jurisdiction that is none"),
    ],
)
def test_calls_without_a_scope(queries, given, why):
    """
    A call that does not say about whom or where is refused, and the database hears of none.
    """
    with pytest.raises(ScopeError, match=why):
        tool_of(queries)(**given)
    assert queries.asked == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM projects",
        "SELECT name FROM projects WHERE id = :entity",
        "SELECT name FROM projects WHERE place IN (SELECT value FROM json_each(:jurisdictions))",
        "SELECT name FROM projects WHERE id = :entity_id AND place = :jurisdictions_of",
        "SELECT name FROM projects -- :entity :jurisdictions",
        "SELECT name FROM projects /* :entity * :jurisdictions */",
        "SELECT name, ':entity :jurisdictions' AS x FROM projects",
        "SELECT name::entity FROM projects WHERE place::jurisdictions = 1",
    ],
)
def test_queries_that_do_not_use_it(queries, sql):
    """
    A statement that binds not both is refused, also where it only speaks of them.
    """
    with pytest.raises(ScopeError, match="does not use"):
        tool_of(queries, sql)(1, ["SG"])
    assert queries.asked == []


def test_queries_beside_a_tool(queries):
    """
    Without a tool there is no scope, also after one was called or failed; and no query may set another.
    """
    with pytest.raises(ScopeError, match="scope of a tool"):
        queries.rows(SQL)
    tool_of(queries)(1, ["SG"])
    with pytest.raises(ScopeError, match="alone says :entity"):
        tool_of(queries, entity=2)(1, ["SG"])
    with pytest.raises(ScopeError):
        scope_in_force()


async def test_async_tools_do_not_share_one(queries):
    """
    Two calls at a time ask each within its own scope; the tool stays one that is awaited.
    """

    @scoped(entity="number")
    async def names(number, jurisdictions):
        await asyncio.sleep(0)
        return [row["name"] for row in queries.rows(SQL)]

    assert inspect.iscoroutinefunction(names)
    assert await asyncio.gather(names(1, ["SG"]), names(2, ["SG"]), names(1, ["HK"])) == [["a"], ["c"], ["b"]]


def test_what_is_bound(queries):
    """
    The entity is bound as it came, the jurisdictions as one JSON list.
    """
    tool_of(queries)(1, ("SG",))
    [(_, parameters)] = queries.asked
    assert parameters["entity"] == 1
    assert json.loads(parameters["jurisdictions"]) == ["SG"]


def test_a_tool_without_the_parameters():
    """
    A function that cannot be told its scope is refused where it is written.
    """
    with pytest.raises(ScopeError, match="project_id"):
        scoped(entity="project_id")(lambda jurisdictions: None)
