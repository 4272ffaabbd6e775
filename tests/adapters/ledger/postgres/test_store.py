"""The store in PostgreSQL: kills of the server, and an owner of the database who changes what is stored."""

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerCorruptError, LedgerUnavailableError
from ledger.lane import LaneWriter
from tests.support.crashing import Writer, acknowledged_is_stored
from tests.support.oracle import check_store
from tests.support.postgres import own_postgres
from tests.support.strategies import ORIGIN, REPLICA, keys, sequencer, write_request
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


def test_a_frozen_store_stands_still(postgres):
    """
    What is verified while others write is the ledger of one moment.
    """
    url = postgres.url(postgres.new_ledger(), "gateway")
    store = PostgresStore(url)
    lane = LaneWriter(store, ORIGIN, REPLICA)
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
