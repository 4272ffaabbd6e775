"""The store in PostgreSQL: kills of the server, and an owner of the database who changes what is stored."""

import contextlib
import time

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerCorruptError, LedgerUnavailableError, UnsafeDurabilityError
from ledger.lane import LaneWriter
from tests.support.crashing import Writer, acknowledged_is_stored
from tests.support.oracle import check_store
from tests.support.postgres import own_postgres
from tests.support.strategies import ORIGIN, REPLICA, keys, ruling, sequencer, signer, uid, write, write_request
from tests.support.tampering import CASES, RECORDS, changed, check


class TestTampering:
    @pytest.mark.parametrize(("table", "column"), CASES)
    def test_any_changed_column_is_found(self, copy, postgres, table, column):
        """
        The same in PostgreSQL, by the owner of the database with its constraints switched off.
        """
        name, pin = copy
        value = changed(column, "decode(repeat('00', 8192), 'hex')" if column == "hashes" else "'{}'::bytea")
        postgres.sql(
            name,
            "SET session_replication_role = replica; ALTER TABLE runs DROP CONSTRAINT runs_check;"
            f" UPDATE {table} SET {column} = {value} WHERE ctid = (SELECT ctid FROM {table} LIMIT 1)"
            f" AND tableoid = (SELECT tableoid FROM {table} LIMIT 1)",
        )
        with pytest.raises((LedgerCorruptError, LedgerUnavailableError)):
            check(PostgresStore(postgres.url(name, "gateway")), pin)

    def test_the_untouched_copy_verifies(self, copy, postgres):
        """
        What the tests above refuse is refused for what they changed.
        """
        name, pin = copy
        assert check(PostgresStore(postgres.url(name, "gateway")), pin).records == RECORDS


class TestPostgresServer:
    @pytest.fixture
    def server(self):
        with own_postgres() as server:
            yield server

    def test_kills_of_the_server(self, server):
        """
        When the database itself is killed in the middle of appends, what it acknowledged is there after it recovered.
        """
        name, acknowledged = server.new_ledger(), set()
        for _ in range(4):
            writer = Writer(server.url(name, "gateway"), REPLICA.replica)
            while len(writer.acknowledged) < 40:
                writer.heard.poll(30)
                writer.listen()
            server.kill()
            writer.kill()
            acknowledged |= writer.acknowledged
            server.start()
        store = PostgresStore(server.url(name, "gateway"))
        acknowledged_is_stored(store, acknowledged)
        sequencer(store).run()
        check_store(store, ORIGIN, keys())
        store.close()


class TestDurability:
    """What a server is set to while a gateway is connected counts with the very next commit."""

    @pytest.fixture
    def connected(self, postgres):
        """A database with a store on it, and a lane that writes to it."""
        name = postgres.new_ledger()
        store = PostgresStore(postgres.url(name, "gateway"))
        yield name, store, LaneWriter(store, ORIGIN, REPLICA, signer())
        store.close()
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            postgres.sql("postgres", f"ALTER SYSTEM RESET {setting}")
        postgres.sql("postgres", "SELECT pg_reload_conf()")

    @pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
    def test_what_only_the_server_can_set(self, connected, postgres, setting):
        """
        Set and reloaded while connected, no record is acknowledged any more; set back, records are again.
        """
        name, _, lane = connected
        write(lane, ruling(uid()))
        reload(postgres, f"ALTER SYSTEM SET {setting} = off")
        until(lambda: postgres.sql(name, f"SHOW {setting}").strip() == "off")
        with pytest.raises(UnsafeDurabilityError, match=setting):
            until(lambda: not write(lane, ruling(uid())))
        reload(postgres, f"ALTER SYSTEM RESET {setting}")
        until(lambda: postgres.sql(name, f"SHOW {setting}").strip() == "on")
        until(lambda: acknowledged(lane))

    def test_what_a_session_sets(self, connected, postgres):
        """
        The server's or the role's synchronous_commit is not what these commits go by.
        """
        name, store, lane = connected
        reload(postgres, "ALTER SYSTEM SET synchronous_commit = off")
        until(lambda: postgres.sql(name, "SHOW synchronous_commit").strip() == "off")
        write(lane, ruling(uid()))
        assert {row[0] for row in store._read("SELECT current_setting('synchronous_commit')")} == {"on"}

    @pytest.mark.parametrize("table", ["records_202603", "records_other", "held"])
    def test_a_table_that_is_emptied_after_a_crash(self, connected, postgres, table):
        """
        A table or partition that is UNLOGGED is refused at the start, by a verifier, and before the next checkpoint.
        """
        name, store, lane = connected
        write(lane, ruling(uid()))
        postgres.sql(name, f"ALTER TABLE {table} SET UNLOGGED")
        for frozen in (False, True):
            with pytest.raises(UnsafeDurabilityError, match=table):
                PostgresStore(postgres.url(name, "gateway"), frozen=frozen)
        with pytest.raises(UnsafeDurabilityError, match=table):
            sequencer(store).run()


def reload(postgres, statement):
    postgres.sql("postgres", statement, "SELECT pg_reload_conf()")


def until(holds):
    for _ in range(500):
        if holds():
            return
        time.sleep(0.01)
    pytest.fail("it never came to hold")


def acknowledged(lane):
    with contextlib.suppress(UnsafeDurabilityError):
        return bool(write(lane, ruling(uid())))


def test_a_frozen_store_stands_still(postgres):
    """
    What is verified while others write is the ledger of one moment.
    """
    url = postgres.url(postgres.new_ledger(), "gateway")
    store = PostgresStore(url)
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    write_request(lane, ["released"])
    sequencer(store).run()
    frozen = PostgresStore(url, frozen=True)
    write_request(lane, ["denied", "released"])
    sequencer(store).run()
    assert (frozen.count(), frozen.head().size, len(frozen.lanes())) == (2, 2, 1)
    assert check_store(frozen, ORIGIN, keys()).records == 2
    assert store.head().size == 5
    for one in (frozen, store):
        one.close()
