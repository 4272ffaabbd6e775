"""What was set aside, and who may say so."""

import uuid

from dataclasses import astuple, replace
from datetime import UTC, datetime

import pytest

from ledger.errors import LedgerCorruptError
from ledger.intake.refusing import TRIES, Aside, fresh_decision_id, recorded_as
from ledger.intake.signing import Keyring
from ledger.lane import LaneWriter
from ledger.record import GatewayPart
from ledger.store import SetAside
from ledger.verify import verify
from tests.support.strategies import ORIGIN, keys, new_lane, ruling, sequencer, signer, uid, write
from tests.support.tampering import tamper

RUN = SetAside("a", 1, 3, 5, "RUN-CHAIN", uid(), b"")


def lane_of(store):
    """A lane of a process of its own."""
    return LaneWriter(store, ORIGIN, GatewayPart(replica=uid(), build="test"), signer())


def aside(store):
    return Aside(store, Keyring(ORIGIN, keys), [signer()])


def test_what_one_sets_aside_the_others_know(tmp_path):
    """
    It is kept, and stays unrecorded until a record with its decision id is in the ledger.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    one, other = aside(store), aside(store)
    one.put([RUN, replace(RUN, lane="log", code="LOG-REWOUND", decision_id=uid())])
    other.refresh()
    assert other.lanes.keys() == one.lanes.keys() == {("a", 1)}
    assert len(other.unrecorded()) == 2
    write(lane, ruling(uid(), decision_id=RUN.decision_id))
    assert [refusal.code for refusal in other.unrecorded()] == ["LOG-REWOUND"]
    store.close()


def test_what_nobody_signed_sets_nothing_aside(tmp_path):
    """
    Whoever has the database alone keeps no run out of the log by saying that it was set aside.
    """
    store, _ = new_lane(tmp_path / "ledger.sqlite")
    aside(store).put([RUN])
    [(_, kept)] = store.refused()
    store.refuse([replace(kept, lane="b"), replace(kept, first=0), replace(kept, signature=bytes(68))])
    later = aside(store)
    later.refresh()
    assert [(one.lane, one.first) for one in later.lanes.values()] == [("a", 3)]
    store.close()


def test_an_id_is_of_its_moment():
    """
    The decision id of a refusal is a UUIDv7: its first 48 bits are the milliseconds.
    """
    made = fresh_decision_id(datetime(2026, 3, 1, tzinfo=UTC))
    assert int(made.replace("-", "")[:12], 16) == 1772323200000
    assert (made[14], made[19] in "89ab", len(made)) == ("7", True, 36)


def test_what_says_so_and_is_set_aside_itself_is_said_anew(tmp_path):
    """
    Where the record of a refusal is refused in its turn, another says the same under an id that follows from the first, for every
    process alike; the ledger verifies with it, and not without.
    """
    path = tmp_path / "ledger.sqlite"
    store, _ = new_lane(path)
    working = sequencer(store)

    def refused_run(**changes):
        """A run that the log did not sign, in a lane of its own."""
        write(lane_of(store), ruling(uid(), **changes))
        tamper(path, ("UPDATE runs SET signature = zeroblob(68) WHERE rowid = (SELECT max(rowid) FROM runs)",))
        working.run()

    refused_run()
    [first] = working.aside.unrecorded()
    refused_run(decision_id=first.decision_id)
    due = working.aside.unrecorded()
    later = Aside(store, Keyring(ORIGIN, keys), [signer()])
    later.refresh()
    assert sorted(map(astuple, later.unrecorded())) == sorted(map(astuple, due))
    [again] = [one for one in due if one.lane == first.lane]
    assert again.decision_id == list(recorded_as(first.decision_id))[1]
    lane = lane_of(store)
    write(
        lane,
        *(ruling(uid(), decision_id=one.decision_id, at="2100-01-01T00:00:00.000000Z") for one in due if one != again),
    )
    working.run()
    with pytest.raises(LedgerCorruptError, match="no record says so"):
        verify(store, origin=ORIGIN, keys=keys())
    write(lane, ruling(uid(), decision_id=again.decision_id))
    assert working.aside.unrecorded() == []
    working.run()
    assert working.aside.unrecorded() == []
    assert verify(store, origin=ORIGIN, keys=keys()).records == 2
    store.close()


def test_ids_that_follow_from_another():
    """
    They are UUIDv7 of the same moment, and all different.
    """
    names = list(recorded_as(fresh_decision_id(datetime(2026, 3, 1, tzinfo=UTC))))
    assert len({*names}) == TRIES
    assert {(name[:15], uuid.UUID(name).version, uuid.UUID(name).variant) for name in names} == {
        (names[0][:15], 7, uuid.RFC_4122)
    }
