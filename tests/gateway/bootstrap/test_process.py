"""This process among others."""

import uuid

from datetime import UTC, datetime

from gateway.bootstrap.process import at_most_every, replica_of, system_clock


def test_a_replica_keeps_its_name(tmp_path):
    """
    A replica has one random id for as long as its state folder lives, and another folder has another.
    """
    one = replica_of(tmp_path / "one")
    assert replica_of(tmp_path / "one") == one
    assert replica_of(tmp_path / "two").replica != one.replica
    assert uuid.UUID(one.replica).version == 4
    assert one.build


def test_at_most_every_so_often(monkeypatch):
    """
    Work is done at once the first time, and then only when its time has come again.
    """
    now, done = [1000.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    maybe = at_most_every(10, lambda: done.append(now[0]))
    for moment in (1000.0, 1001.0, 1009.9, 1010.0, 1015.0, 1020.5):
        now[0] = moment
        maybe()
    assert done == [1000.0, 1010.0, 1020.5]


def test_no_time_between_means_always():
    """
    With no seconds between, every call does its work.
    """
    done = []
    maybe = at_most_every(0, lambda: done.append(1))
    for _ in range(3):
        maybe()
    assert len(done) == 3


def test_time_is_utc():
    """
    The clock of the gateway has a time zone.
    """
    assert system_clock().tzinfo == UTC
    assert isinstance(system_clock(), datetime)
