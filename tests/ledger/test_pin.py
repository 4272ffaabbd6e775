"""The pin: what was seen before is there, or it is an alarm."""

import shutil

import pytest

from ledger.errors import LedgerCorruptError, LedgerUnavailableError, RollbackError
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.sqlite.store import SqliteStore
from tests.support.strategies import ORIGIN, REPLICA, new_lane, sequencer, write_request


def test_a_pin_that_is_not_a_pin_is_refused(tmp_path):
    """
    A damaged pin is an alarm, not an empty pin.
    """
    (tmp_path / "head.pin").write_text('{"lanes": 7}')
    with pytest.raises(LedgerCorruptError):
        HeadPin(tmp_path / "head.pin").read()


def test_an_older_copy_is_refused_at_start(ledger, tmp_path):
    """
    Putting an older copy of the store back is seen before anything is written to it.
    """
    path, _ = ledger
    shutil.copy(path, tmp_path / "backup.sqlite")
    store = SqliteStore(path)
    lane = LaneWriter(store, ORIGIN, REPLICA)
    write_request(lane, ["released"])
    pin = HeadPin(tmp_path / "head.pin")
    pin.write(sequencer(store).run().note, lane.place)
    store.close()
    restored = SqliteStore(tmp_path / "backup.sqlite")
    with pytest.raises(RollbackError):
        pin.check(restored)
    restored.close()


@pytest.mark.parametrize("spoil", ["deleted", "cut", "flipped", "older"])
def test_a_spoiled_write_ahead_log(tmp_path, spoil):
    """
    Losing what is in the write-ahead log, in whole or in part, is an alarm of the pin at the next start.
    """
    path, pin = tmp_path / "ledger.sqlite", HeadPin(tmp_path / "head.pin")
    store, lane = new_lane(path)
    store._connection.execute("PRAGMA wal_autocheckpoint=0")
    write_request(lane, ["released"])
    older = (tmp_path / "ledger.sqlite-wal").read_bytes()
    for _ in range(20):
        write_request(lane, ["released", "denied"])
    pin.write(sequencer(store).run().note, lane.place)
    whole = (tmp_path / "ledger.sqlite-wal").read_bytes()
    copy = tmp_path / "crashed"
    copy.mkdir()
    shutil.copy(path, copy / "ledger.sqlite")
    half = len(whole) // 2
    left = {
        "deleted": None,
        "cut": whole[:half],
        "flipped": whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :],
        "older": older,
    }[spoil]
    if left is not None:
        (copy / "ledger.sqlite-wal").write_bytes(left)
    store.close()
    with pytest.raises((RollbackError, LedgerUnavailableError)):
        pin.check(SqliteStore(copy / "ledger.sqlite"))
