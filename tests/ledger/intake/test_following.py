"""What stands in the log's place and is not the log: it is never signed, and the log goes on from what was."""

import pytest

from ledger.checkpoints.kept import LOOKED_AT
from ledger.errors import LedgerCorruptError
from ledger.intake.following import AT_ONCE
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import open_checkpoint
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, signer, write_request
from tests.support.tampering import tamper

HERE = "(SELECT size FROM head)"
NONSENSE = {
    "head further on": "UPDATE head SET size = size + 5",
    "head further back": "UPDATE head SET size = 1",
    "head of another root": "UPDATE head SET root = zeroblob(32), edge = zeroblob(0)",
    "checkpoint of nothing": "INSERT INTO checkpoints (size, at, note) VALUES (900000000000, '', 'nonsense')",
    "checkpoint that is no text": "INSERT INTO checkpoints (size, at, note) VALUES (900000000000, '', x'00ff')",
    "kept checkpoint that is none": "INSERT INTO checkpoints (size, at, note) VALUES (1, '', 'nonsense')",
    "kept checkpoint of another's": "INSERT INTO checkpoints (size, at, note)"
    f" VALUES (2, '', '{ORIGIN}' || char(10) || '2' || char(10) || 'AAAA' || char(10, 10) || '— x AAAAAAAAAAAA' || char(10))",
    "newest checkpoint of witnesses": (
        "INSERT INTO newest (cosigned, size, at, note, place) VALUES (7, 1, '', 'nonsense', 99)"
    ),
    "newest checkpoint of a smaller tree": "UPDATE newest SET size = 1",
    "checkpoint that is not dated": "UPDATE checkpoints SET at = 'yesterday'",
    "tile not there yet": "INSERT INTO tiles VALUES (0, 0, zeroblob(8192))",
    "tile of no level": "INSERT INTO tiles VALUES (60, 3, zeroblob(8192))",
    "entry not there yet": f"INSERT INTO entries (idx, lane, epoch, seq, decision_id) VALUES ({HERE} + 1, 'x', 1, 1, 'x')",
    "range not there yet": f"INSERT INTO ranges VALUES ('x', 1, 0, 5, {HERE})",
    "code of an entry not there yet": f"INSERT INTO codes VALUES ('X-001', {HERE})",
    "refusal that nobody signed": "INSERT INTO refused (lane, epoch, first, next, code, decision_id, signature)"
    " VALUES ('00000000-0000-4000-8000-000000000001', 1, 0, 9, 'RUN-CHAIN', 'x', zeroblob(68))",
}


@pytest.mark.parametrize("started", [False, True], ids=["at work", "started anew"])
@pytest.mark.parametrize("statement", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_does_no_lasting_harm(tmp_path, statement, started):
    """
    Rows that no gateway would write are taken back, whoever is at work; records enter the log after them, and it verifies.
    """
    path = tmp_path / "ledger.sqlite"
    store, lane = new_lane(path)
    working = sequencer(store)
    write_request(lane, ["released", "denied"])
    first = working.run()
    tamper(path, (statement,))
    for turn in range(2):
        write_request(lane, ["released", "denied"])
        if started:
            working = sequencer(store)
            working.seen = lambda: first.note
        working.run()
        assert store.head().size == 6 + 3 * turn
    assert open_checkpoint(working.run().note, keys())[0].size == 9
    assert check_store(store, ORIGIN, keys()).records == 9
    store.close()


def test_entries_that_nobody_signed_into_the_log_are_taken_back(tmp_path):
    """
    Whoever has the database puts a run in place as a sequencer would: the next checkpoint is not over it.
    """
    path = tmp_path / "ledger.sqlite"
    store, lane = new_lane(path)
    honest = sequencer(store)
    write_request(lane, ["released"])
    honest.run()
    write_request(lane, ["denied"])
    careless = Sequencer(store, ORIGIN, [signer()], keys)
    careless.catch_up()
    tamper(path, ("UPDATE runs SET signature = zeroblob(68) WHERE first = 3",))
    assert honest.run().size == 3
    assert [code for _, code in sorted((one.first, one.code) for one in honest.aside.unrecorded())] == [
        "LOG-REWOUND",
        "RUN-SIGNATURE",
    ]
    assert check_store(store, ORIGIN, keys()).aside == 1
    store.close()


class TestSignedHere:
    def test_what_was_signed_here_is_never_left(self, tmp_path):
        """
        A log that lost what this process signed, its checkpoint with it, is not signed again, in memory and by the pin.
        """
        path = tmp_path / "ledger.sqlite"
        store, lane = new_lane(path)
        working = sequencer(store)
        write_request(lane, ["released"])
        working.run()
        write_request(lane, ["denied"])
        last = working.run()
        tamper(
            path,
            ("DELETE FROM checkpoints WHERE size = 4",),
            ("DELETE FROM newest WHERE size = 4",),
            ("DELETE FROM entries WHERE idx >= 2",),
            ("DELETE FROM ranges WHERE start >= 2",),
            ("UPDATE head SET size = 2, root = (SELECT zeroblob(32))",),
        )
        again = sequencer(store)
        again.seen = lambda: last.note
        for one in (working, again):
            for _ in range(2):
                with pytest.raises(LedgerCorruptError, match="4 entries were signed here"):
                    one.run()
        assert store.published().size == 2
        store.close()

    def test_whoever_lacks_the_keys_judges_nothing(self, tmp_path):
        """
        A process with another key takes no checkpoint of the log away, sets nothing aside, and signs nothing.
        """
        path = tmp_path / "ledger.sqlite"
        store, lane = new_lane(path)
        write_request(lane, ["released"])
        before = sequencer(store).run()
        stranger = Sequencer(SqliteStore(path), ORIGIN, [signer()], list)
        write_request(lane, ["released"])
        with pytest.raises(LedgerCorruptError, match="no key"):
            stranger.run()
        assert (store.published(), store.refused()) == (before, [])
        stranger.store.close()
        store.close()


def test_nonsense_among_old_checkpoints_is_taken_back(tmp_path):
    """
    A row among the checkpoints that were kept long ago, which the rule of what is kept reads no more, is found in turn.
    """
    path = tmp_path / "ledger.sqlite"
    store, lane = new_lane(path)
    working = sequencer(store)
    write_request(lane, ["released", "denied"])
    working.run()
    copy = "INSERT INTO checkpoints (size, at, note) SELECT size, at, note FROM checkpoints LIMIT 1"
    nonsense = "INSERT INTO checkpoints (place, size, at, note) VALUES (-5, 2, '', 'nonsense')"
    tamper(path, *[(copy,)] * (LOOKED_AT + 5), (nonsense,))
    with pytest.raises(LedgerCorruptError):
        check_store(store, ORIGIN, keys())
    for _ in range((LOOKED_AT + 7) // AT_ONCE + 1):
        working.sign_head()
    assert check_store(store, ORIGIN, keys()).records == 3
    assert {one.code for _, one in store.refused()} == {"CHECKPOINT-UNSIGNED"}
    store.close()
