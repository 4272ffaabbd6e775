import sqlite3

from datetime import UTC, datetime, timedelta

import pytest

from hypothesis import given, settings

from ledger.errors import LedgerCorruptError, UnsafeDurabilityError
from ledger.lane import Submission
from ledger.pin import HeadPin
from ledger.record import Draft, PackPart, Record
from ledger.sqlite.store import SqliteStore
from ledger.verify import verify
from tests.support.oracle import check_store
from tests.support.strategies import AT, ORIGIN, keys, new_lane, requests, ruling, sequencer, uid, write_request


@settings(max_examples=15)
@given(requests)
def test_whole_ledger(tmp_path_factory, outcomes):
    """
    A ledger that nobody touched verifies against its own pin.
    """
    folder = tmp_path_factory.mktemp("ledger")
    store, lane = new_lane(folder / "ledger.sqlite")
    for request in outcomes:
        write_request(lane, request)
    pin = HeadPin(folder / "head.pin")
    pin.write(sequencer(store).run().note, lane.position)
    verified = check_store(store, ORIGIN, keys(), pin.read())
    store.close()
    assert len(outcomes) == verified.packs
    assert sum(map(len, outcomes)) + len(outcomes) == verified.records


@pytest.mark.parametrize("changes", [{"rulings": 2}, {"rulings_root": "1" * 64}, {"items": (uid(),)}])
def test_a_pack_that_leaves_out_a_ruling_is_found(tmp_path, changes):
    """
    A pack record must commit to exactly the rulings of its request, and pack only what they released.
    """
    store, lane = new_lane(tmp_path / "other.sqlite")
    write_request(lane, ["released"])
    sequencer(store).run()
    rulings = [Record.decode(row.body) for row in store.scan()]
    part = {**dict(rulings[-1].pack), **changes}
    lying = Draft(
        kind="pack.sealed",
        decision_id=uid(),
        trace_id="t",
        request_id=rulings[0].request_id,
        tenant="gfm",
        at=AT,
        pack=PackPart(**part),
    )
    lane.commit([Submission([lying])])
    sequencer(store).run()
    with pytest.raises(LedgerCorruptError, match=r"pack\.sealed"):
        verify(store, origin=ORIGIN, keys=keys())
    store.close()


def test_another_origin_is_found(tmp_path):
    """
    Records of another log do not verify as this one's.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released"])
    sequencer(store).run()
    with pytest.raises(LedgerCorruptError, match="another"):
        verify(store, origin="other.local/ledger", keys=keys())
    store.close()


def test_a_clock_that_goes_back_changes_no_order(tmp_path):
    """
    Records keep the order they were written in whatever the clock says, and by how much it went back is told.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    times = ["2026-03-01T09:15:00.000000Z", "2026-03-01T09:14:57.500000Z", "2031-01-01T00:00:00.000000Z", AT]
    for n, at in enumerate(times):
        lane.commit([Submission([ruling(uid(), f"i{n}", at=at)])])
        sequencer(store).run()
    assert [f"i{n}" for n in range(4)] == [Record.decode(row.body).item.id for row in store.scan()]
    assert check_store(store, ORIGIN, keys()).skew_seconds > 2.5
    store.close()


def test_a_pin_that_is_not_a_pin_is_refused(tmp_path):
    """
    A damaged pin is an alarm, not an empty pin.
    """
    (tmp_path / "head.pin").write_text('{"lanes": 7}')
    with pytest.raises(LedgerCorruptError):
        HeadPin(tmp_path / "head.pin").read()


def test_unsafe_durability_is_refused(tmp_path, monkeypatch):
    """
    A store that would lose acknowledged records is not opened.
    """
    real = sqlite3.connect

    class Careless:
        def __init__(self, *args, **kwargs):
            self._connection = real(*args, **kwargs)

        def execute(self, statement, *args):
            return self._connection.execute(statement.replace("FULL", "OFF"), *args)

        def __getattr__(self, name):
            return getattr(self._connection, name)

    monkeypatch.setattr(sqlite3, "connect", Careless)
    with pytest.raises(UnsafeDurabilityError):
        SqliteStore(tmp_path / "ledger.sqlite")


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
    assert len(list(store.checkpoints())) == 3
    store.close()


def test_a_store_that_fell_behind_a_checkpoint_is_not_signed(tmp_path):
    """
    A head smaller than a published checkpoint is never signed.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released"])
    sequencer(store).run()
    store._connection.execute("UPDATE head SET size = 1")
    with pytest.raises(LedgerCorruptError, match="published"):
        sequencer(store).sign_head()
    store.close()
