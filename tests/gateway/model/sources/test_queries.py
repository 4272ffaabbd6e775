"""Named queries: SQL that an officer can read."""

import pytest

from pydantic import ValidationError

from gateway.model.sources.queries import NamedQuery


def query(sql, *parameters, **changes):
    row = {"id": "q", "source": "s", "sql": sql, "parameters": dict.fromkeys(parameters, "text"), "owner": "o"}
    return NamedQuery.model_validate({**row, **changes})


@pytest.mark.parametrize(
    ("sql", "parameters"),
    [
        ("SELECT a FROM t WHERE id = :id", ["id"]),
        (" with x as (select 1) select * from x", []),
        (
            "SELECT a::text, ':no' AS b, \":no\" FROM t -- :no; ' \nWHERE /* :no ; */ c = :id AND d = :id_2",
            ["id", "id_2"],
        ),
        ("SELECT 'it''s; $1 ?' AS a", []),
    ],
)
def test_parameters_are_those_that_stand_outside_texts(sql, parameters):
    """
    A colon in a text, a quoted name, a comment or a cast binds nothing.
    """
    made = query(sql, *parameters)
    assert made.with_places(lambda name: f":{name}") == sql
    bound = []
    made.with_places(lambda name: bound.append(name) or "?")
    assert sorted(set(bound)) == sorted(parameters)


@pytest.mark.parametrize(
    ("sql", "parameters"),
    [
        ("DELETE FROM t", []),
        ("SELECTED", []),
        ("SELECT 1; DELETE FROM t", []),
        ("SELECT 1 WHERE a = $1", []),
        ("SELECT 1 WHERE a = ?", []),
        ("SELECT 1 WHERE a = 'open", []),
        ("SELECT 1 /* open", []),
        ("SELECT $$ ; $$", []),
        ("SELECT 1 WHERE a = :id", []),
        ("SELECT 1", ["id"]),
        ("SELECT 1 WHERE a = :Id", ["id"]),
    ],
)
def test_what_is_refused(sql, parameters):
    """
    More than one statement, one that does not begin as a question, other ways to bind, and parameters that are not bound.
    """
    with pytest.raises(ValidationError):
        query(sql, *parameters)


def test_a_row_is_one():
    """
    A query that answers with a row has no limit of rows but one.
    """
    with pytest.raises(ValidationError, match="one at most"):
        query("SELECT 1", most_rows=2)
    assert query("SELECT 1", answers="rows", most_rows=2).most_rows == 2
