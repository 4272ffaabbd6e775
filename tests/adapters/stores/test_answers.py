"""Answers under idempotency keys: reserved once, sealed, freed, forgotten with their person."""

import pytest

from adapters.stores.answers import AnswerTable
from gateway.errors import StoreError
from gateway.ports.stores import KeyedRequest

AT = "2026-03-01T09:15:00.000000Z"
EARLIER, LATER = "2026-03-01T00:00:00.000000Z", "2026-03-02T00:00:00.000000Z"
MINE = KeyedRequest("digest", AT, "trace")


@pytest.fixture
def table(tables):
    return AnswerTable(tables)


async def test_the_first_has_the_name(table):
    """
    A name is reserved for the request that comes first; whoever comes next learns what that was, and its answer.
    """
    assert await table.reserve("t", "ann:k", MINE, EARLIER) is None
    other = KeyedRequest("other", LATER, None)
    assert await table.reserve("t", "ann:k", other, EARLIER) == MINE
    await table.answer("t", "ann:k", "{}")
    assert await table.reserve("t", "ann:k", other, EARLIER) == KeyedRequest("digest", AT, "trace", "{}")


async def test_names_of_others_are_free(table):
    """
    The same name in another tenant is another name.
    """
    await table.reserve("t", "ann:k", MINE, EARLIER)
    assert await table.reserve("other", "ann:k", MINE, EARLIER) is None


async def test_a_name_without_an_answer_can_be_freed(table):
    """
    What failed frees its name; what was answered keeps it.
    """
    for name in ("ann:failed", "ann:done"):
        await table.reserve("t", name, MINE, EARLIER)
    await table.answer("t", "ann:done", "{}")
    for name in ("ann:failed", "ann:done"):
        await table.free("t", name)
    assert await table.reserve("t", "ann:failed", MINE, EARLIER) is None
    assert await table.reserve("t", "ann:done", MINE, EARLIER) is not None


async def test_old_names_go(table):
    """
    A reservation that is older than the caller asks for is as if it had never been.
    """
    await table.reserve("t", "ann:k", MINE, EARLIER)
    assert await table.reserve("t", "ann:k", MINE, LATER) is None


async def test_a_person_is_forgotten(table):
    """
    All names of one person go, and nobody else's; how many is said.
    """
    for name in ("ann:k", "ann:l", "anna:k"):
        await table.reserve("t", name, MINE, EARLIER)
    assert await table.forget("t", "ann") == 2
    assert await table.reserve("t", "anna:k", MINE, EARLIER) == MINE


async def test_answers_lie_sealed_in_their_place(table, rows):
    """
    An answer is not in the table in the clear, and does not open under another name.
    """
    for name in ("ann:k", "ben:k"):
        await table.reserve("t", name, MINE, EARLIER)
    await table.answer("t", "ann:k", "a secret answer")
    [(sealed,)] = rows.read("SELECT body FROM answers WHERE body IS NOT NULL")
    assert b"secret" not in bytes(sealed)
    rows.write("UPDATE answers SET body = ? WHERE name = ?", [(sealed, "ben:k")])
    with pytest.raises(StoreError):
        await table.reserve("t", "ben:k", MINE, EARLIER)


async def test_where_the_table_does_not_answer(closed_tables):
    """
    A table that does not answer is an error, so that nothing is released.
    """
    with pytest.raises(StoreError):
        await AnswerTable(closed_tables).reserve("t", "ann:k", MINE, EARLIER)
