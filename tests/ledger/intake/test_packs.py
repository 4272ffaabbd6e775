"""Packs and their rulings on the way into the log."""

import pytest

from ledger.lane import LaneWriter
from ledger.record import Draft, PackPart, Record
from ledger.tlog.merkle import root_hash
from tests.support.attacking import FOREIGN
from tests.support.oracle import check_store
from tests.support.strategies import (
    AT,
    ORIGIN,
    REPLICA,
    keys,
    new_lane,
    ruling,
    sequencer,
    signer,
    uid,
    write,
    write_request,
)


@pytest.fixture
def log(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane, LaneWriter(store, ORIGIN, FOREIGN, signer())
    store.close()


def sealed(request_id, written, **changes):
    """The draft that seals a pack over rulings."""
    pack = {
        "id": f"pack_{request_id}",
        "digest": "0" * 64,
        "items": tuple(one.record.decision_id for one in written if one.record.outcome == "released"),
        "rulings": len(written),
        "rulings_root": root_hash([one.leaf for one in written]).hex(),
        "lane_head": "0" * 64,
    }
    part = PackPart(**{**pack, **changes})
    return Draft(
        kind="pack.sealed", decision_id=uid(), trace_id="t", request_id=request_id, tenant="gfm", at=AT, pack=part
    )


def codes(working):
    return sorted(refusal.code for refusal in working.aside.unrecorded())


@pytest.mark.parametrize("at_once", [True, False])
def test_nothing_is_ruled_of_a_sealed_pack(log, at_once):
    """
    A ruling for a request whose pack is in the log, or comes with it, is set aside, and the ledger verifies.
    """
    store, lane, other = log
    working = sequencer(store)
    write_request(lane, ["released", "denied"])
    if not at_once:
        working.run()
    [body] = [
        body for run in store.batches(REPLICA.replica, 1, 0, 9) for body in run.bodies if b'"pack.sealed"' in body
    ]
    write(other, ruling(Record.decode(body).request_id))
    assert working.run().size == 3
    assert codes(working) == ["RUN-SEALED"]
    assert check_store(store, ORIGIN, keys()).aside == 1


WRONG = [{"rulings": 1}, {"rulings": 3}, {"rulings_root": "1" * 64}, {"items": (uid(),)}]


@pytest.mark.parametrize("changes", WRONG, ids=lambda changes: next(iter(changes)))
def test_a_pack_agrees_with_its_rulings(log, changes):
    """
    A pack that counts other rulings, has another root, or packs what none released, is set aside.
    """
    store, lane, other = log
    request_id, working = uid(), sequencer(store)
    written = write(lane, ruling(request_id), ruling(request_id, outcome="denied"))
    working.run()
    write(other, sealed(request_id, written, **changes))
    write_request(lane, ["released"])
    assert working.run().size == 4
    assert codes(working) == ["RUN-PACK"]
    assert check_store(store, ORIGIN, keys()).aside == 1


def test_a_pack_waits_for_rulings_of_a_later_lane(log):
    """
    A pack whose rulings stand in a lane that comes after its own enters after them, however few are taken at once.
    """
    store, lane, other = log
    request_id, working = uid(), sequencer(store)
    written = write(other, *(ruling(request_id, f"i{n}") for n in range(3)))
    write(lane, sealed(request_id, written))
    store.step = 1
    working.catch_up()
    assert (working.run().size, codes(working)) == (4, [])
    assert check_store(store, ORIGIN, keys()).packs == 1


class Overtaken:
    """A store at which another sequencer takes one run just before this one looks what waits."""

    def __init__(self, store):
        self._store, self._due = store, True

    def __getattr__(self, name):
        return getattr(self._store, name)

    def waiting(self, limit, without):
        if self._due:
            self._due = False
            assert sequencer(self._store).step() == 2
        return self._store.waiting(limit, without)


def test_a_pack_is_not_refused_for_rulings_that_another_took(log):
    """
    Where another puts the rulings into the log while this one looks, their pack enters after them.
    """
    store, lane, _ = log
    request_id, store.step = uid(), 1
    written = write(lane, ruling(request_id), ruling(request_id))
    write(lane, sealed(request_id, written))
    working = sequencer(Overtaken(store))
    assert (working.run().size, codes(working)) == (3, [])
