"""Sessions in a table: turn by turn, sealed, forgotten and aged."""

import pytest

from adapters.stores.sessions import SessionTable
from gateway.errors import StoreError
from gateway.model.session import SessionState
from tests.support.aside import tables_on

AT = "2026-03-01T09:15:00.000000Z"
NEXT_DAY = "2026-03-02T09:15:00.000001Z"


@pytest.fixture
def table(tables):
    return SessionTable(tables, hours=24)


def state(turn, **changes):
    return SessionState(turn=turn, **changes)


async def test_the_newest_turn_before(table):
    """
    A turn finds the newest state before it, not its own, not a later one, and none before the first.
    """
    for turn in (1, 2, 5):
        await table.keep("gfm", "ann:s", state(turn), AT)
    found = [await table.before("gfm", "ann:s", turn) for turn in (1, 2, 4, 6)]
    assert [one and one.turn for one in found] == [None, 1, 2, 5]


async def test_a_turn_that_is_repeated(table):
    """
    A turn that is tried again takes the place of what it kept before.
    """
    await table.keep("gfm", "ann:s", state(1), AT)
    await table.keep("gfm", "ann:s", state(1, erased=True), AT)
    assert (await table.before("gfm", "ann:s", 2)).erased


async def test_tenants_and_sessions_do_not_meet(table):
    """
    Another tenant, person or session of the same name finds nothing.
    """
    await table.keep("gfm", "ann:s", state(1), AT)
    for tenant, name in (("other", "ann:s"), ("gfm", "ben:s"), ("gfm", "ann:t")):
        assert await table.before(tenant, name, 2) is None


async def test_turns_age(table):
    """
    A turn is kept for its hours: what is older goes when the next one is kept.
    """
    await table.keep("gfm", "ann:s", state(1), AT)
    await table.keep("gfm", "ben:s", state(1), NEXT_DAY)
    assert await table.before("gfm", "ann:s", 2) is None
    assert await table.before("gfm", "ben:s", 2) is not None


async def test_a_person_is_forgotten(table):
    """
    Every turn of a person becomes an empty one that says so; it is counted once; others are left as they are.
    """
    for name in ("ann:s", "ann:t", "ben:s"):
        await table.keep("gfm", name, state(1), AT)
    await table.keep("other", "ann:s", state(1), AT)
    assert await table.forget("gfm", "ann") == 2
    assert await table.forget("gfm", "ann") == 0
    assert [(await table.before("gfm", name, 2)).erased for name in ("ann:s", "ann:t", "ben:s")] == [True, True, False]
    assert not (await table.before("other", "ann:s", 2)).erased


async def test_states_lie_sealed_in_their_place(table, rows, cipher):
    """
    A state that was moved to another session or turn, or sealed under another key, is an error and not that session's.
    """
    await table.keep("gfm", "ann:s", state(1), AT)
    [(sealed,)] = rows.read("SELECT state FROM turns")
    assert b"turn" not in bytes(sealed)
    rows.write("UPDATE turns SET name = ? WHERE name = ?", [("ben:s", "ann:s")])
    with pytest.raises(StoreError):
        await table.before("gfm", "ben:s", 2)
    rows.write("UPDATE turns SET name = ?, turn = ? WHERE turn = ?", [("ann:s", 3, 1)])
    with pytest.raises(StoreError):
        await table.before("gfm", "ann:s", 4)
    rows.write("UPDATE turns SET turn = ? WHERE turn = ?", [(1, 3)])
    assert await table.before("gfm", "ann:s", 2) is not None
    with pytest.raises(StoreError):
        await SessionTable(tables_on(rows, b"x" * 32), hours=24).before("gfm", "ann:s", 2)


async def test_where_the_table_does_not_answer(closed_tables):
    """
    Without its table there is no session that looks like a new one.
    """
    with pytest.raises(StoreError):
        await SessionTable(closed_tables, hours=24).before("gfm", "ann:s", 2)
