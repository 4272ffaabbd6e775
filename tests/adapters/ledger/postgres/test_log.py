"""The log in PostgreSQL: what a login of the gateway can do to it without the log's key, and what its owner can."""

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerUnavailableError
from ledger.intake.signing import accept_runs
from ledger.lane import LaneWriter
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, REPLICA, keys, sequencer, signer, write_request

PROOF = "'\\x01'::bytea"
ZEROS = "decode(repeat('00', 32), 'hex')"
LANE = "00000000-0000-4000-8000-00000000beef"

STATEMENTS = {
    "a head further on": "UPDATE head SET size = size + 5",
    "a checkpoint": "INSERT INTO checkpoints (size, at, note) VALUES (900000000000, '', 'nonsense')",
    "a tile": "INSERT INTO tiles VALUES (0, 9, decode(repeat('00', 8192), 'hex'))",
    "an entry": "INSERT INTO entries (idx, lane, epoch, seq) VALUES (900, 'x', 1, 1)",
    "a range": "INSERT INTO ranges VALUES ('x', 1, 0, 5, 900)",
    "a code": "INSERT INTO codes VALUES ('X-001', 1)",
    "a run": f"INSERT INTO runs (lane, epoch, first, next) VALUES ('{REPLICA.replica}', 1, 99, 100)",
    "a record": "INSERT INTO records VALUES ('x', 1, 0, gen_random_uuid(), '')",
    "a lane": "INSERT INTO lanes VALUES ('x', 9000000000)",
    "a refusal": "INSERT INTO refused (lane, epoch, first) VALUES ('x', 1, 0)",
    "who writes": f"INSERT INTO log_writers VALUES ({PROOF})",
}
"""Past the functions."""

CALLS = {
    "a lane": f"ctxgate_open_lane({PROOF}, '{LANE}')",
    "a run": f"ctxgate_append({PROOF}, '{LANE}', 1, 0, '', '{{}}', '{{}}')",
    "a signature": f"ctxgate_accept({PROOF}, '{LANE}', 1, 0, '')",
    "a step": f"ctxgate_extend({PROOF}, 0, '', 1, '', '', '[]', '[]', '[]', '{{}}', '{{}}', '{{}}')",
    "a rewinding": f"ctxgate_rewind({PROOF}, 4, '', '', 0, {ZEROS}, '')",
    "a checkpoint": f"ctxgate_publish({PROOF}, 4, '', '', 0, true)",
    "no checkpoint": f"ctxgate_discard({PROOF}, 4, '')",
    "a refusal": f"ctxgate_refuse({PROOF}, '{{x}}', '{{1}}', '{{0}}', '{{1}}', '{{x}}', '{{x}}', '{{x}}')",
}
"""By the functions, without a proof of the key."""


@pytest.fixture(scope="module")
def database(postgres):
    """A database with one request in its log, under a checkpoint; its name."""
    name = postgres.new_ledger()
    store = PostgresStore(postgres.url(name, "gateway"), proof=signer().proof)
    write_request(LaneWriter(store, ORIGIN, REPLICA, signer()), ["released", "denied", "released"])
    sequencer(store).run()
    store.close()
    return name


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_a_login_of_the_gateway_writes_no_table_of_the_log(database, postgres, statement):
    """
    What is not written by the functions of the schema is refused to the gateway's role.
    """
    with pytest.raises(RuntimeError, match="permission denied"):
        postgres.sql(database, statement, role="gateway")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_login_of_the_gateway_writes_nothing_without_the_key(database, postgres, call):
    """
    Whoever has the login and not the log's key is refused by each function, and cannot have themselves admitted.
    """
    assert postgres.sql(database, f"SELECT ctxgate_admit({PROOF}, '{{}}')", role="gateway").strip() == "f"
    with pytest.raises(RuntimeError, match="proves that they hold its key"):
        postgres.sql(database, f"SELECT {call}", role="gateway")


class TestHoldersOfAKey:
    @pytest.fixture
    def opened(self, postgres):
        stores = []

        def open_(name, **more):
            stores.append(PostgresStore(postgres.url(name, "gateway"), **more))
            return stores[-1]

        yield open_
        for one in stores:
            one.close()

    def test_a_process_of_another_key_writes_nothing(self, database, opened):
        """
        A laptop with a key of its own and the production's URL can read, and is told why it cannot write.
        """
        stranger = opened(database, proof=b"another")
        assert stranger.head().size == 4
        with pytest.raises(LedgerUnavailableError, match="does not know the key"):
            stranger.open_lane("x")

    def test_a_key_that_was_replaced_writes_nothing_more(self, postgres, opened):
        """
        Who holds the key before is let in with a new one; from then on the old one writes no record, moves the log no further, and
        lets nobody in.
        """
        name = postgres.new_ledger()
        old = opened(name, proof=b"old")
        write_request(LaneWriter(old, ORIGIN, REPLICA, signer()), ["released"])
        new = opened(name, proof=b"new", earlier=[b"older", b"old"])
        new.open_lane("x")
        with pytest.raises(LedgerUnavailableError):
            sequencer(old).run()
        with pytest.raises(LedgerUnavailableError):
            write_request(LaneWriter(old, ORIGIN, REPLICA, signer()), ["released"])
        with pytest.raises(LedgerUnavailableError, match="does not know the key"):
            opened(name, proof=b"a thief's", earlier=[b"old"]).open_lane("y")
        assert sequencer(new).run().size == 2

    @pytest.mark.parametrize(
        "call",
        [
            "ctxgate_publish({}, 900000000000, '', E'x\n900000000000\n', 0, true)",
            "ctxgate_publish({}, 4, '', E'x\n4\nAAAA\n', 0, true)",
            "ctxgate_publish({}, 2, '', E'x\n3\nAAAA\n', 0, true)",
            "ctxgate_rewind({}, 4, root, edge, 3, decode(repeat('00', 32), 'hex'), '') FROM head",
            "ctxgate_extend({}, 4, root, 9, root, edge, '[]', '[]', '[]', '{{}}', '{{}}', '{{}}') FROM head",
            "ctxgate_append({}, 'x', 1, 0, '', '{{}}', '{{}}')",
        ],
    )
    def test_nonsense_is_refused_also_of_who_holds_the_key(self, database, postgres, call):
        """
        A checkpoint of what is not there, a step that leads nowhere, or less than was signed, is refused to everybody.
        """
        proof = f"'\\x{signer().proof.hex()}'::bytea"
        with pytest.raises(RuntimeError, match="cannot stand in the log"):
            postgres.sql(database, f"SELECT {call.format(proof)}", role="gateway")

    def test_nonsense_of_the_owner_does_no_lasting_harm(self, postgres, opened):
        """
        Rows that the owner of the database puts in the log's place are taken back, and it verifies.
        """
        name = postgres.new_ledger()
        store = opened(name, proof=signer().proof)
        lane, working = LaneWriter(store, ORIGIN, REPLICA, signer()), sequencer(store)
        write_request(lane, ["released"])
        working.run()
        insert = "INSERT INTO {} VALUES {}".format
        nonsense = (
            insert("checkpoints (size, at, note)", "(900000000000, '', 'nonsense')"),
            insert("tiles", "(0, 9, decode(repeat('00', 8192), 'hex'))"),
            insert("entries (idx, lane, epoch, seq)", "(900, 'x', 1, 1)"),
            "UPDATE head SET size = size + 5",
            insert("ranges", "('x', 1, 0, 5, 900)"),
            insert("checkpoints (size, at, note)", "(1, '', 'nonsense')"),
            insert("newest (cosigned, size, at, note, place)", "(7, 1, '', 'nonsense', 99)"),
        )
        for size, statement in enumerate(nonsense, 2):
            postgres.sql(name, statement)
            write_request(lane, ["released"])
            assert working.run().size == 2 * size
        assert check_store(store, ORIGIN, keys()).records == 16

    def test_what_was_written_before_runs_were_signed(self, postgres, opened):
        """
        An unsigned run from before waits, and keeps nobody else, until an operator has it signed.
        """
        name = postgres.new_ledger()
        store = opened(name, proof=signer().proof)
        write_request(LaneWriter(store, ORIGIN, REPLICA, signer()), ["released"])
        postgres.sql(
            name, "ALTER TABLE runs DROP CONSTRAINT runs_signed", "UPDATE runs SET signature = NULL WHERE first = 0"
        )
        write_request(LaneWriter(store, ORIGIN, REPLICA, signer()), ["denied"])
        assert sequencer(store).run().size == 2
        assert check_store(store, ORIGIN, keys()).waiting == 2
        accept_runs(store, ORIGIN, signer(), store.unsigned())
        assert sequencer(store).run().size == 4
        assert check_store(store, ORIGIN, keys()).waiting == 0
