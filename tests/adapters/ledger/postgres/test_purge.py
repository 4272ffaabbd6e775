"""What was deleted is driven out of the files of PostgreSQL, or what is in the way is named."""

import asyncio
import os

import asyncpg
import pytest

from adapters.ledger.postgres.purge import PostgresPurge, archives
from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerUnavailableError
from ledger.lane import LaneWriter, Submission
from ledger.store import Erasure
from tests.support.strategies import ORIGIN, REPLICA, ruling, signer, uid

NAME = "zelda.quaxleigh"
KEY = bytes(range(40))


@pytest.fixture
def database(postgres):
    return postgres.new_ledger()


@pytest.fixture
def erased(postgres, database):
    """A person who was erased, and whose salt is known."""
    store = PostgresStore(postgres.url(database, "eraser"))
    person = store.person("gfm", NAME, KEY)
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    lane.commit([Submission([ruling(uid())], erasures=(Erasure("gfm", NAME),))])
    store.close()
    return person


def told(postgres, database, telling):
    """Files of the database that hold any of it."""
    postgres.sql(database, "CHECKPOINT")
    folder = postgres.folder / "data/base"
    return [path for path in folder.rglob("*") if path.is_file() and any(one in path.read_bytes() for one in telling)]


def test_no_file_of_the_database_holds_it(postgres, database, erased):
    """
    A deleted row stands in the files until its table is written anew; then name, key and salt are in none of them.
    """
    telling = [NAME.encode(), KEY, erased.salt]
    assert told(postgres, database, telling)
    postgres.sql(database, "VACUUM subjects")
    assert told(postgres, database, telling), "plain VACUUM leaves the bytes, which is why it is not enough"
    assert list(PostgresPurge(postgres.url(database))(rewrite=True)) == []
    assert told(postgres, database, telling) == []


async def test_an_open_transaction_is_named(postgres, database, erased):
    """
    Whoever still sees the database as it was before the erasure is named, and nothing is written anew until they leave.
    """
    reader = await asyncpg.connect(postgres.url(database))
    await reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    await reader.fetchval("SELECT count(*) FROM head")
    purge = PostgresPurge(postgres.url(database))
    # The session of before is older than the first transaction of the purge.
    postgres.sql(database, "SELECT pg_current_xact_id()")
    [left] = await asyncio.to_thread(purge, rewrite=True)
    assert (left.store, left.kind, left.rewrite) == ("postgresql", "sessions", True)
    await reader.execute("COMMIT")
    await reader.close()
    assert await asyncio.to_thread(purge, rewrite=True) == []
    assert told(postgres, database, [NAME.encode(), KEY, erased.salt]) == []


async def test_a_locked_table_is_named(postgres, database):
    """
    Nobody is waited for with a table locked: it is named, and tried again.
    """
    holder = await asyncpg.connect(postgres.url(database))
    await holder.execute("BEGIN")
    await holder.execute("LOCK TABLE held IN ACCESS SHARE MODE")
    left = await asyncio.to_thread(PostgresPurge(postgres.url(database)), rewrite=True)
    await holder.close()
    assert [one.kind for one in left] == ["table held"]


def test_who_does_not_own_the_tables(postgres, database):
    """
    Without an owner, and with a role that is none, every table is named: the server skips them with a warning alone.
    """
    [left] = PostgresPurge(None)(rewrite=True)
    assert "CTXGATE_LEDGER_OWNER_URL" in left.why
    exists = postgres.sql("postgres", "SELECT 1 FROM pg_roles WHERE rolname = 'watcher'")
    if not exists:
        postgres.sql("postgres", "CREATE ROLE watcher LOGIN", "GRANT pg_monitor TO watcher")
    left = PostgresPurge(postgres.url(database, "watcher"))(rewrite=True)
    assert {"table subjects", "table held"} <= {one.kind for one in left}
    [blind] = PostgresPurge(postgres.url(database, "gateway"))(rewrite=True)
    assert blind.kind == "snapshots"


def test_a_replica_that_is_away_is_named(postgres, database):
    """
    A physical slot whose replica is not connected holds the erasure up: nobody knows what its files hold.
    """
    slot = f"away_{os.getpid()}"
    postgres.sql(database, f"SELECT pg_create_physical_replication_slot('{slot}')")
    try:
        left = PostgresPurge(postgres.url(database))(rewrite=True)
    finally:
        postgres.sql(database, f"SELECT pg_drop_replication_slot('{slot}')")
    assert [one.store for one in left] == [f"replica {slot}"]


def test_a_server_that_is_away(postgres, database):
    """
    Whether the server archives its log is asked of it; one that is away is an error.
    """
    assert archives(postgres.url(database)) is False
    with pytest.raises(LedgerUnavailableError):
        archives("postgresql://nobody@127.0.0.1:1/none")
