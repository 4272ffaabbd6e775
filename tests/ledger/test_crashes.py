"""Writers that are killed while they write.  The promise is always the same: what was acknowledged is there, lanes have no gaps,
and what was not acknowledged may be tried again as the same decision."""

import random
import uuid

from contextlib import closing
from pathlib import Path

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerUnavailableError
from ledger.lane import LaneWriter, Submission
from ledger.sqlite.store import SqliteStore
from tests.support.crashing import Writer, acknowledged_is_stored, kill_at_random, open_at
from tests.support.oracle import check_store
from tests.support.strategies import (
    ORIGIN,
    REPLICA,
    keys,
    sequencer,
    signer,
)


def retried(store, writer):
    """Trying again what the killed writer tried last gives the records that are there, or makes them."""
    lane, names = LaneWriter(store, ORIGIN, REPLICA, signer()), [draft.decision_id for draft in writer.last]
    before = store.stored(names)
    try:
        [written] = lane.commit([Submission(writer.last)])
    except LedgerUnavailableError:
        # The server was still at the dead writer's commit: the records appeared between the look and the write.
        before = store.stored(names)
        assert len(before) == len(names)
        [written] = lane.commit([Submission(writer.last)])
    assert len(before) in {0, len(writer.last)}, "a transaction was torn"
    for one in written:
        assert before.get(one.record.decision_id, one.record.encode()) == one.record.encode()
    return {one.record.decision_id for one in written}


@pytest.mark.parametrize("kills", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_kills_lose_nothing_acknowledged(position, kills):
    """
    After each of many kills at random moments every acknowledged record is there, no lane has a gap, and a retry of what
    was under way is the same decision.
    """
    acknowledged = set()
    store = open_at(position)
    for turn in range(kills):
        writer = kill_at_random(position, REPLICA.replica, signer().secret)
        acknowledged |= writer.acknowledged
        acknowledged_is_stored(store, writer.acknowledged)
        acknowledged |= retried(store, writer)
        if turn % 20 == 19:
            sequencer(store).run()
            check_store(store, ORIGIN, keys())
    acknowledged_is_stored(store, acknowledged)
    store.close()


def test_eight_writers_that_are_killed_at_random(position):
    """
    Eight processes that write lanes and sequence at once, killed and started again at random, make one log without gaps,
    repeats or lost records, each lane in its own order.
    """
    replicas = [str(uuid.UUID(int=n)) for n in range(1, 9)]
    writers = {replica: Writer(position, replica, signer().secret) for replica in replicas}
    acknowledged = set()
    for _ in range(24):
        replica = random.choice(replicas)
        while not writers[replica].acknowledged:
            writers[replica].heard.poll(30)
            writers[replica].listen()
        writers[replica].kill()
        acknowledged |= writers[replica].acknowledged
        writers[replica] = Writer(position, replica, signer().secret)
    for writer in writers.values():
        writer.kill()
        acknowledged |= writer.acknowledged
    store = open_at(position)
    sequencer(store).run()
    verified = check_store(store, ORIGIN, keys())
    assert verified.records >= len(acknowledged) > 100
    acknowledged_is_stored(store, acknowledged)
    store.close()


def test_verifying_while_others_write(position):
    """
    A ledger that several processes write and sequence is verified as it stands at one moment, without false alarm.
    """
    replicas = [str(uuid.UUID(int=n)) for n in range(1, 4)]
    writers = [Writer(position, replica, signer().secret) for replica in replicas]
    for writer in writers:
        while not writer.acknowledged:
            writer.heard.poll(30)
            writer.listen()
    for _ in range(6):
        # A sequencer among sequencers is never told that the log went back; the first run sees to a first checkpoint.
        with closing(open_at(position)) as other:
            sequencer(other).run()
        if position.startswith("postgresql"):
            store = PostgresStore(position, frozen=True)
        else:
            store = SqliteStore(Path(position))
            store.freeze()
        with closing(store):
            check_store(store, ORIGIN, keys())
    for writer in writers:
        writer.kill()
