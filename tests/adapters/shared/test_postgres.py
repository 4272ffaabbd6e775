"""The pool: what a database must keep, and how its errors are told."""

import threading

from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.shared.postgres import Pool
from ledger.errors import DecisionTakenError, LedgerUnavailableError, SubjectErasedError, UnsafeDurabilityError
from tests.support.postgres import own_postgres
from tests.support.strategies import uid
from tools.loopback import free_port


@pytest.fixture(scope="module")
def pool(postgres):
    """A pool on an empty database."""
    name = f"pool_{uid().replace('-', '')}"
    postgres.sql("postgres", f"CREATE DATABASE {name}")
    made = Pool(postgres.url(name))
    yield made
    made.close()


@pytest.fixture(scope="module")
def server():
    """A server of our own, to be started with bad settings."""
    with own_postgres() as made:
        yield made


@pytest.mark.parametrize("setting", ["fsync=off", "full_page_writes=off"])
def test_a_server_that_would_lose_records_is_refused(server, setting):
    """
    A gateway does not start on a database that acknowledges what a power cut would take.
    """
    server.stop()
    server.start(setting)
    with pytest.raises(UnsafeDurabilityError, match=setting.partition("=")[0]):
        Pool(server.url("postgres"))


@pytest.mark.parametrize(("server_has", "session_has"), [("off", "on"), ("remote_apply", "remote_apply")])
def test_a_session_says_how_durable_its_commits_are(server, server_has, session_has):
    """
    Whatever the server is set to, this session waits for the disk, and for more where the server asks for more; also once a
    connection was given back.
    """
    server.stop()
    server.start(f"synchronous_commit={server_has}")
    pool = Pool(server.url("postgres"))
    for _ in range(2):
        assert pool.run(lambda c: c.fetchval("SELECT current_setting('synchronous_commit')")) == session_has
    pool.close()


class TestErrors:
    """What the driver raises is translated at this edge: a caller hears of the ledger, never of the driver."""

    def test_a_server_that_is_not_there(self):
        """
        A pool without a server is an error at once, and leaves no thread behind.
        """
        before = threading.active_count()
        with pytest.raises(LedgerUnavailableError, match="did not answer"):
            Pool(f"postgresql://nobody@127.0.0.1:{free_port()}/nothing")
        assert threading.active_count() == before

    @pytest.mark.parametrize(
        ("table", "error"),
        [("records_1", DecisionTakenError), ("records", DecisionTakenError), ("others", LedgerUnavailableError)],
    )
    def test_a_key_that_is_taken(self, pool, table, error):
        """
        A decision id that is in the store already is told from any other collision.
        """
        pool.run(lambda c: c.execute(f"CREATE TABLE {table} (id integer PRIMARY KEY)"))
        insert = f"INSERT INTO {table} VALUES (1)"
        pool.run(lambda c: c.execute(insert))
        with pytest.raises(LedgerUnavailableError) as caught:
            pool.run(lambda c: c.execute(insert))
        pool.run(lambda c: c.execute(f"DROP TABLE {table}"))
        assert type(caught.value) is error

    @pytest.mark.parametrize(("table", "error"), [("asides", SubjectErasedError), ("others", LedgerUnavailableError)])
    def test_a_person_who_is_gone(self, pool, table, error):
        """
        A sealed side for a token that is no more says so.
        """
        pool.run(lambda c: c.execute("CREATE TABLE persons (token text PRIMARY KEY)"))
        pool.run(lambda c: c.execute(f"CREATE TABLE {table} (token text REFERENCES persons)"))
        with pytest.raises(LedgerUnavailableError) as caught:
            pool.run(lambda c: c.execute(f"INSERT INTO {table} VALUES ('gone')"))
        pool.run(lambda c: c.execute(f"DROP TABLE {table}, persons"))
        assert type(caught.value) is error

    @pytest.mark.parametrize("statement", ["SELECT nonsense", "SELEC 1", "SELECT * FROM nothing"])
    def test_a_statement_that_the_server_refuses(self, pool, statement):
        """
        Whatever the server refuses is an error that is not its text, and the next statement has a connection.
        """
        with pytest.raises(LedgerUnavailableError, match="did not answer"):
            pool.run(lambda c: c.execute(statement))
        assert pool.run(lambda c: c.fetchval("SELECT 1")) == 1

    def test_a_transaction_is_all_or_nothing(self, pool):
        """
        Of an act that fails half-way nothing is left.
        """
        pool.run(lambda c: c.execute("CREATE TABLE halves (one integer)"))

        async def half(connection):
            await connection.execute("INSERT INTO halves VALUES (1)")
            raise LedgerUnavailableError("meanwhile")

        with pytest.raises(LedgerUnavailableError, match="meanwhile"):
            pool.transaction(half)
        assert pool.run(lambda c: c.fetchval("SELECT count(*) FROM halves")) == 0
        pool.run(lambda c: c.execute("DROP TABLE halves"))

    def test_many_threads_share_it(self, pool):
        """
        Callers on any thread get their own answers, more of them at once than there are connections.
        """
        with ThreadPoolExecutor(20) as threads:
            answers = threads.map(lambda n: pool.run(lambda c: c.fetchval("SELECT $1::integer", n)), range(60))
        assert list(answers) == list(range(60))
