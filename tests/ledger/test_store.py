"""One contract for every store: the same tests on SQLite and on PostgreSQL."""

import threading
import uuid

import pytest

from ledger.errors import LedgerUnavailableError, SubjectErasedError
from ledger.lane import LaneWriter, Submission
from ledger.pin import Pinned
from ledger.record import GatewayPart, Record
from ledger.store import Erasure, Extension, Head, Run, Sealed
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, REPLICA, found, keys, ruling, sequencer, signer, uid, write, write_request


@pytest.fixture
def lane(store):
    return LaneWriter(store, ORIGIN, REPLICA, signer())


def other_replica(number):
    return GatewayPart(replica=str(uuid.UUID(int=number)), build="test")


class TestLanes:
    def test_what_is_acknowledged_is_there_after_opening_again(self, open_store, lane):
        """
        Bytes come back as they were written, by decision id.
        """
        written = write(lane, ruling(uid()), ruling(uid()))
        again = open_store().stored([one.record.decision_id for one in written])
        assert {one.record.decision_id: one.record.encode() for one in written} == again

    def test_two_processes_cannot_extend_one_lane(self, store, lane):
        """
        A second writer at the same end of a lane fails, and nothing of what it wrote is there.
        """
        write(lane, ruling(uid()))
        twin = LaneWriter(store, ORIGIN, REPLICA, signer())
        twin._epoch, twin._seq, twin._prev = lane._epoch, lane._seq, lane._prev
        write(lane, ruling(uid()))
        with pytest.raises(LedgerUnavailableError):
            write(twin, ruling(uid(), "lost"))
        sequencer(store).run()
        assert "lost" not in found(store)
        assert check_store(store, ORIGIN, keys()).records == 2

    def test_a_lane_has_no_gaps(self, store, lane):
        """
        A run that does not begin where the one before ended is refused.
        """
        write(lane, ruling(uid()))
        lane._seq += 5
        with pytest.raises(LedgerUnavailableError):
            write(lane, ruling(uid()))

    def test_heads(self, store, lane):
        """
        The newest place of every lane is known without reading the lanes.
        """
        [one] = write(lane, ruling(uid()))
        assert [(REPLICA.replica, 1, 0, one.leaf.hex())] == store.heads() == [lane.position]
        assert store.leaf_at(*lane.position[:3]) == one.leaf.hex()
        assert store.leaf_at(REPLICA.replica, 1, 7) is None


class TestPersons:
    def test_a_person_has_one_token_per_tenant(self, store):
        """
        The token is stable, random, and different in every tenant.
        """
        token = store.person("gfm", "sarah.lim", b"key").token
        assert token == store.person("gfm", "sarah.lim", b"other").token
        assert token != store.person("other", "sarah.lim", b"key").token
        assert "sarah" not in token
        assert {token} == set(store.behind("gfm", [token]))
        assert store.behind("other", [token]) == {}

    def test_the_sealed_side(self, store, lane):
        """
        What is sealed comes back with its key, by decision id, and is not in the record.
        """
        person = store.person("gfm", "sarah.lim", b"wrapped")
        [one] = write(lane, ruling(uid(), subject=person.token), sealed=[b"sealed"])
        [(name, sealed)] = store.sealed([one.record.decision_id, uid()]).items()
        assert (one.record.decision_id, b"sealed", b"wrapped") == (name, sealed.body, sealed.key)
        assert b"sealed" not in one.record.encode()

    def test_erasing(self, store, lane):
        """
        With one record the name, the key and all that was sealed are gone; the records stay and verify.
        """
        person, other = store.person("gfm", "sarah.lim", b"wrapped"), store.person("gfm", "other", b"other")
        [one] = write(lane, ruling(uid(), subject=person.token), sealed=[b"sealed"])
        [two] = write(lane, ruling(uid(), subject=other.token), sealed=[b"kept"])
        lane.commit([Submission([ruling(uid(), "erasure")], (), [Erasure("gfm", "sarah.lim")])])
        assert {two.record.decision_id} == set(store.sealed([one.record.decision_id, two.record.decision_id]))
        assert store.known_person("gfm", "sarah.lim") is None
        assert store.person("gfm", "sarah.lim", b"new").token != person.token
        sequencer(store).run()
        assert check_store(store, ORIGIN, keys()).records == 3

    def test_nothing_is_sealed_for_the_erased(self, store, lane):
        """
        Whoever still holds the token of an erased person is told, and nothing is written.
        """
        person = store.person("gfm", "sarah.lim", b"wrapped")
        lane.commit([Submission([ruling(uid(), "erasure")], (), [Erasure("gfm", "sarah.lim")])])
        with pytest.raises(SubjectErasedError):
            write(lane, ruling(uid(), "late", subject=person.token), sealed=[b"sealed"])
        sequencer(store).run()
        assert found(store) == ["erasure"]


class TestLog:
    def test_lanes_become_one_log(self, open_store):
        """
        Records of several replicas get one order, each lane's own kept, and any replica may make it.
        """
        stores = [open_store() for _ in range(3)]
        lanes = [LaneWriter(store, ORIGIN, other_replica(n), signer()) for n, store in enumerate(stores, 1)]
        for turn in range(4):
            for lane in lanes:
                write_request(lane, ["released", "denied"])
            sequencer(stores[turn % 3]).run()
            check_store(stores[0], ORIGIN, keys())
        assert check_store(stores[0], ORIGIN, keys()).records == 36

    def test_of_two_sequencers_one_loses(self, store, lane):
        """
        The head moves by compare-and-swap: a step made on an older head changes nothing.
        """
        write(lane, ruling(uid()))
        old, runs = store.head(), store.waiting(10)
        write(lane, ruling(uid()))
        sequencer(store).run()
        late = Extension(old, Head(1, b"r" * 32, b""), runs, [], [])
        assert not store.extend(late)
        assert check_store(store, ORIGIN, keys()).records == 2

    def test_at_once(self, open_store, lane):
        """
        Sequencers that work at the same time make one log without gaps or repeats.
        """
        for _ in range(30):
            write_request(lane, ["released", "denied"])
        stores = [open_store() for _ in range(4)]
        threads = [threading.Thread(target=lambda s=s: sequencer(s).run()) for s in stores]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sequencer(stores[0]).run()
        assert check_store(stores[0], ORIGIN, keys()).records == 90

    def test_tiles_fill(self, store, lane):
        """
        Past 256 entries full tiles are kept, and entries of any range come back.
        """
        write(lane, *(ruling(uid(), f"i{n}") for n in range(600)))
        sequencer(store).run()
        assert [len(store.tile(0, n)) for n in range(2)] == [8192, 8192]
        assert store.tile(0, 2) is None
        assert [f"i{n}" for n in range(250, 260)] == [Record.decode(b).item.id for b in store.entries(250, 260)]
        check_store(store, ORIGIN, keys())

    def test_index_of(self, store, lane):
        """
        A record's place is known once it is in the log, and not before.
        """
        written = write(lane, *(ruling(uid()) for _ in range(5)))
        assert store.index_of(written[3].record.decision_id) is None
        sequencer(store).run()
        assert [store.index_of(one.record.decision_id) for one in written] == [0, 1, 2, 3, 4]
        assert store.index_of(uid()) is None
        assert store.index_of("not an id") is None

    def test_waiting_is_bounded(self, store, lane):
        """
        A step takes whole runs until there are as many records as it is asked for, and what is left follows.
        """
        for _ in range(5):
            write(lane, *(ruling(uid()) for _ in range(4)))
        assert [len(run.bodies) for run in store.waiting(10)] == [4, 4, 4]
        assert store.waiting(10, {(REPLICA.replica, 1)}) == []
        sequencer(store).step()
        assert store.waiting(10) == []

    def test_what_was_seen_before(self, open_store, store, lane):
        """
        A checkpoint and a place in a lane that were seen are found again.
        """
        write(lane, ruling(uid()))
        published = sequencer(store).run()
        write(lane, ruling(uid()))
        check_store(open_store(), ORIGIN, keys(), Pinned(published.note, lane.position))


def test_where_the_records_of_a_step_stand():
    """
    Runs follow one another in the log from the size that it had, and those of one lane are one range.
    """
    runs = [Run("a", 1, 5, 6, (b"x",)), Run("a", 1, 6, 7, (b"y",)), Run("b", 3, 0, 1, (b"z",))]
    step = Extension(Head(10), Head(13), runs, [], [])
    assert step.ranges() == [("a", 1, 5, 7, 10), ("b", 3, 0, 1, 12)]


def test_a_key_is_not_shown():
    """
    What is printed of a sealed side does not hold the key that opens it.
    """
    assert "k" * 8 not in repr(Sealed(b"body", b"k" * 8))
