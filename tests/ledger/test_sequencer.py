"""From lanes to one log: what enters it, what stops it, and when it is signed."""

from datetime import UTC, datetime, timedelta

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.errors import LedgerCorruptError, LedgerUnavailableError
from ledger.lane import LaneWriter, Submission
from ledger.pin import Pinned
from ledger.record import GatewayPart, Record
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import open_checkpoint
from ledger.verify import verify
from tests.support.crashing import open_at
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, REPLICA, keys, new_lane, ruling, sequencer, signer, uid, write_request
from tests.support.tampering import tamper


class FailingStore:
    """Passes everything on, and fails one call, before or after it was done."""

    def __init__(self, store, call, *, after):
        self._store, self._call, self._after, self.failed = store, call, after, False

    def __getattr__(self, name):
        real = getattr(self._store, name)
        if name != self._call or self.failed:
            return real

        def failing(*args):
            self.failed = True
            if self._after:
                real(*args)
            raise LedgerUnavailableError("injected")

        return failing


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", ["head", "waiting", "extend", "published", "publish"])
def test_a_sequencer_that_fails_at_any_step(position, call, after):
    """
    Whichever step fails, before or after it was stored, the next round goes on from there to the same root.
    """
    store = open_at(position)
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    for _ in range(3):
        write_request(lane, ["released", "denied"])
    with pytest.raises(LedgerUnavailableError):
        sequencer(FailingStore(store, call, after=after)).run()
    published = sequencer(store).run()
    assert (published.size, store.head().size) == (9, 9)
    assert check_store(store, ORIGIN, keys()).records == 9
    bodies = store.entries(0, 9)
    assert [Record.decode(body).lane.seq for body in bodies] == list(range(9))
    store.close()


def test_each_span_of_sizes_is_signed(tmp_path, monkeypatch):
    """
    Also where the process that came to it ended before it signed, and the next one has more to put into the log than a span holds.
    """
    for place in ("kept", "vouched"):
        monkeypatch.setattr(f"ledger.checkpoints.{place}.SPAN", 4)
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    store.step = 2
    for _ in range(7):
        write_request(lane, ["released"])
    working = sequencer(FailingStore(store, "publish", after=False))
    for _ in range(2):
        with pytest.raises(LedgerUnavailableError):
            working.catch_up()
        working = sequencer(FailingStore(store, "publish", after=False))
    sequencer(store).catch_up()
    assert [one.size // 4 for one in store.checkpoints()] == [0, 1, 2, 3]
    assert check_store(store, ORIGIN, keys()).records == 14
    store.close()


def test_what_stands_before_a_refused_run_enters_the_log(log, tmp_path):
    """
    A process that ends in the middle of setting a run aside takes none of the runs before it with it.
    """
    store, lane = log
    write_request(lane, ["released"])
    lane.commit([Submission([ruling(uid())])])
    tamper(tmp_path / "ledger.sqlite", ("UPDATE records SET body = x'00' WHERE seq = 2",))
    with pytest.raises(LedgerUnavailableError):
        sequencer(FailingStore(store, "extend", after=False)).run()
    working = sequencer(store)
    assert working.run().size == 2
    assert [one.first for one in working.aside.lanes.values()] == [2]
    assert check_store(store, ORIGIN, keys()).aside == 1


def test_an_idle_log_is_signed_anew(tmp_path):
    """
    A checkpoint that has become ten minutes old is published again, and one for no news before that is not.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    now = datetime(2026, 3, 1, tzinfo=UTC)
    write_request(lane, ["released"])
    keeper = sequencer(store)
    published = []
    for minutes in (0, 1, 9, 10, 15, 21):
        keeper.clock = lambda at=now + timedelta(minutes=minutes): at
        published.append(keeper.run().at)
    assert [at[11:16] for at in published] == ["00:00", "00:00", "00:00", "00:10", "00:10", "00:21"]
    assert [published[-1]] == [one.at for one in store.newest()]
    store.close()


def test_a_store_that_fell_behind_a_checkpoint_is_not_signed(tmp_path):
    """
    A log that has lost entries of a published checkpoint is never signed.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released"])
    sequencer(store).run()
    store.close()
    tamper(tmp_path / "ledger.sqlite", ("DELETE FROM entries WHERE idx = 1",), ("UPDATE head SET size = 1",))
    store = SqliteStore(tmp_path / "ledger.sqlite")
    with pytest.raises(LedgerCorruptError, match="2 entries were signed"):
        sequencer(store).sign_head()
    assert store.published().size == 2
    store.close()


def test_a_record_outside_the_log_must_follow_its_lane(tmp_path):
    """
    The sequencer does not put into the log what was slipped in behind its back.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    lane.commit([Submission([ruling(uid())])])
    sequencer(store).run()
    lane.commit([Submission([ruling(uid())])])
    store.close()
    tamper(
        tmp_path / "ledger.sqlite",
        (
            "UPDATE records SET body = CAST(replace(CAST(body AS TEXT), 'released', 'redacted') AS BLOB) WHERE place = 2",
        ),
    )
    store = SqliteStore(tmp_path / "ledger.sqlite")
    with pytest.raises(LedgerCorruptError):
        verify(store, origin=ORIGIN, pin=Pinned(None, lane.position), keys=keys())
    working = sequencer(store)
    working.run()
    assert store.head().size == 1
    assert [one.code for one in working.aside.lanes.values()] == ["RUN-SIGNATURE"]
    store.close()


class TestSteps:
    def test_an_empty_ledger(self, log):
        """
        While there is nothing there is nothing to sign.
        """
        assert sequencer(log[0]).run() is None
        assert log[0].published() is None

    def test_catching_up_signs_no_more_than_the_beginning_of_a_span(self, log):
        """
        What waits gets into the log without a checkpoint of its own; the next run signs it.
        """
        store, lane = log
        for size in (3, 6):
            write_request(lane, ["released", "denied"])
            sequencer(store).catch_up()
            assert (store.head().size, store.published().size) == (size, 3)
        assert sequencer(store).run().size == 6

    def test_no_news_no_checkpoint(self, log):
        """
        A log that did not change since the last checkpoint answers with that one.
        """
        store, lane = log
        write_request(lane, ["released"])
        keeper = sequencer(store)
        assert keeper.run() == keeper.run()
        assert len(list(store.checkpoints())) == 1

    def test_all_keys_sign(self, log):
        """
        While a key is being changed a checkpoint carries the signatures of the old one and of the new one.
        """
        store, lane = log
        write_request(lane, ["released"])
        renewed = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())
        note = Sequencer(store, ORIGIN, [signer(), renewed], keys).run().note
        for key in (signer(), renewed):
            assert open_checkpoint(note, [Ed25519Verifier(key.key)])[0].size == 2

    def test_a_record_of_another_log_is_set_aside(self, log):
        """
        What was written for another origin does not enter, and what others write goes on.
        """
        store, lane = log
        write_request(lane, ["released"])
        sequencer(store).run()
        other = GatewayPart(replica=uid(), build="test")
        write_request(LaneWriter(store, "other.test/log", other, signer()), ["released"])
        write_request(lane, ["released"])
        working = sequencer(store)
        assert working.run().size == 4
        assert [(one.lane, one.code) for one in working.aside.unrecorded()] == [(other.replica, "RUN-SIGNATURE")]


def test_of_two_signatures_the_larger_counts(log):
    """
    Where another signs a longer log while this one signs, its checkpoint is the newest, and nothing has failed.
    """
    store, lane = log
    write_request(lane, ["released"])

    class Overtaken:
        def __getattr__(self, name):
            return getattr(store, name)

        def publish(self, *values):
            write_request(lane, ["released"])
            sequencer(store).run()
            return store.publish(*values)

    working = sequencer(Overtaken())
    assert (working.run().size, store.published().size) == (4, 4)
    assert [one.size for one in store.checkpoints()] == [4]
