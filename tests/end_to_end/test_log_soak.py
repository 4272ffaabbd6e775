"""The log under everything at once: two replicas on one database, an auditor at work all the time, and kills."""

import os
import random
import time
import uuid

import pytest

from adapters.ledger.postgres.store import PostgresStore
from tests.support.oracle import check_store
from tests.support.services import need
from tests.support.soaking import Replica, audit
from tests.support.strategies import ORIGIN, keys, sequencer, signer

SECONDS = float(os.environ.get("CTXGATE_SOAK_SECONDS", "120"))
"""How long the log is soaked in the default run."""

ROUNDS = 2
"""A record that is durable is in the log after so many rounds of any one replica."""


@pytest.mark.parametrize("seconds", [SECONDS, pytest.param(1200, marks=pytest.mark.soak)], ids=["short", "long"])
def test_the_log_cannot_be_stopped(postgres, tmp_path, seconds):
    """
    No round fails, nothing is set aside, every acknowledged record is in the log after two rounds of either replica, and every
    question, verification and export holds, whatever is killed meanwhile.
    """
    need(postgres is not None, "PostgreSQL")
    url = postgres.url(postgres.new_ledger(), "gateway")
    replicas = [Replica(url, str(uuid.UUID(int=n)), tmp_path) for n in (1, 2)]
    for replica in replicas:
        replica.start()
    store = PostgresStore(url, proof=signer().proof)
    audits, kills, until = 0, 0, time.monotonic() + seconds
    while time.monotonic() < until or audits < 2:
        seen = [(replica, replica.rounds, set(replica.acknowledged)) for replica in replicas]
        audit(url, tmp_path / f"export-{audits}")
        audits += 1
        listen_for(replicas, seen)
        for _, _, acknowledged in seen:
            assert not [one for one in acknowledged if store.index_of(one) is None]
            acknowledged.clear()
        killed = random.choice(replicas)
        killed.kill()
        killed.start()
        kills += 1
    for replica in replicas:
        replica.kill()
    acknowledged = replicas[0].acknowledged | replicas[1].acknowledged
    sequencer(store).run()
    verified = check_store(store, ORIGIN, keys())
    assert [replica.failures for replica in replicas] == [[], []]
    assert store.refused() == []
    assert verified.waiting == 0
    assert verified.records >= len(acknowledged) > 100
    assert not acknowledged - store.stored(sorted(acknowledged)).keys()
    store.close()


def listen_for(replicas, seen):
    """Wait until either replica has made its rounds since."""
    while not any(replica.rounds >= rounds + ROUNDS for replica, rounds, _ in seen):
        for replica in replicas:
            replica.listen()
        time.sleep(0.05)
