"""The pin: what was seen before is there, or it is an alarm."""

import shutil

from dataclasses import replace
from pathlib import Path

import pytest

from ledger.errors import LedgerCorruptError, LedgerUnavailableError, RollbackError
from ledger.lane import LaneWriter
from ledger.pin import NOTHING_PINNED, HeadPin, Pinned, check_pinned
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.note import sign
from tests.support.strategies import ORIGIN, REPLICA, new_lane, sequencer, signer, write_request


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
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    write_request(lane, ["released"])
    pin = HeadPin(tmp_path / "head.pin")
    pin.write(sequencer(store).run().note, lane.position)
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
    pin.write(sequencer(store).run().note, lane.position)
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


NOTE = sign(str(Checkpoint(ORIGIN, 0, EMPTY_ROOT)), [signer()])
PLACE = (REPLICA.replica, 1, 7, "ab" * 32)


class TestHeadPin:
    def test_what_is_not_given_stays(self, tmp_path):
        """
        A pin of the lane alone keeps the checkpoint that was pinned, and the other way; another process reads both.
        """
        path = tmp_path / "deep/head.pin"
        pin = HeadPin(path)
        assert pin.read() == NOTHING_PINNED
        pin.write(NOTE, None)
        HeadPin(path).write(None, PLACE)
        assert HeadPin(path).read() == Pinned(NOTE, PLACE)
        assert [file.name for file in path.parent.iterdir()] == ["head.pin"]

    def test_the_same_is_not_written_again(self, tmp_path):
        """
        A pin that changes nothing does not touch the disk.
        """
        path = tmp_path / "head.pin"
        pin = HeadPin(path)
        pin.write(NOTE, PLACE)
        path.unlink()
        pin.write(NOTE, PLACE)
        assert not path.exists()
        pin.write(NOTE, (*PLACE[:2], 8, PLACE[3]))
        assert HeadPin(path).read().lane[2] == 8

    def test_two_write_at_the_same_moment(self, tmp_path, monkeypatch):
        """
        A gateway and a command that pin at one moment do not take each other's draft away.
        """
        path, replacing = tmp_path / "head.pin", Path.replace
        other = HeadPin(path)

        def meanwhile(draft, target):
            monkeypatch.setattr(Path, "replace", replacing)
            other.write(NOTE, PLACE)
            return replacing(draft, target)

        monkeypatch.setattr(Path, "replace", meanwhile)
        HeadPin(path).write(NOTE, None)
        assert HeadPin(path).read() == Pinned(NOTE, None)
        assert [file.name for file in tmp_path.iterdir()] == ["head.pin"]

    def test_it_is_forgotten_on_purpose_alone(self, tmp_path):
        """
        Once an older state was accepted the next pin begins anew.
        """
        pin = HeadPin(tmp_path / "head.pin")
        pin.write(NOTE, PLACE)
        pin.forget()
        pin.forget()
        assert pin.read() == NOTHING_PINNED
        pin.write(None, PLACE)
        assert pin.read() == Pinned(None, PLACE)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{}",
            '{"format": "ctxgate-pin/2", "checkpoint": null, "lane": null}',
            '{"format": "ctxgate-pin/1", "checkpoint": "x", "lane": null}',
            '{"format": "ctxgate-pin/1", "checkpoint": null, "lane": ["a", 1]}',
            '{"format": "ctxgate-pin/1", "checkpoint": null, "lane": ["a", "x", 0, "b"]}',
            "\xff",
        ],
    )
    def test_whatever_is_no_pin_is_an_alarm(self, tmp_path, text):
        """
        A file that was emptied, cut or written by another version is not taken for no pin.
        """
        (tmp_path / "head.pin").write_bytes(text.encode("latin-1"))
        with pytest.raises(LedgerCorruptError, match="not a head pin"):
            HeadPin(tmp_path / "head.pin").read()


class TestChecking:
    @pytest.fixture
    def pinned(self, log):
        store, lane = log
        write_request(lane, ["released", "denied"])
        return Pinned(sequencer(store).run().note, lane.position)

    def test_what_only_grew(self, log, pinned):
        """
        A store that goes on from what was seen is let through, and so is any store before the first pin.
        """
        store, lane = log
        check_pinned(store, NOTHING_PINNED)
        check_pinned(store, pinned)
        write_request(lane, ["released"])
        sequencer(store).run()
        check_pinned(store, pinned)

    @pytest.mark.parametrize(
        ("change", "where"),
        [
            (lambda p: replace(p, lane=(*p.lane[:2], 9, p.lane[3])), "lane"),
            (lambda p: replace(p, lane=(*p.lane[:3], "00" * 32)), "lane"),
            (lambda p: replace(p, lane=("other", *p.lane[1:])), "lane"),
            (lambda p: Pinned(sign(str(Checkpoint(ORIGIN, 4, bytes(32))), [signer()])), "the log"),
            (lambda p: Pinned(sign(str(Checkpoint(ORIGIN, 2, bytes(32))), [signer()])), "the log"),
        ],
    )
    def test_what_was_seen_is_gone_or_changed(self, log, pinned, change, where):
        """
        A record that is missing or another, a log that is shorter or has another root: each is named.
        """
        with pytest.raises(RollbackError) as caught:
            check_pinned(log[0], change(pinned))
        assert caught.value.where.startswith(where)

    def test_a_checkpoint_that_was_withdrawn(self, log, pinned, tmp_path, monkeypatch):
        """
        A log whose entries are there but whose checkpoint of them is gone was put back too.
        """
        store, lane = new_lane(tmp_path / "same.sqlite")
        write_request(lane, ["released", "denied"])
        monkeypatch.setattr("ledger.sequencer.crosses", lambda *_: False)
        sequencer(store).catch_up()
        with pytest.raises(RollbackError, match="checkpoints"):
            check_pinned(store, Pinned(pinned.checkpoint))
        store.close()
