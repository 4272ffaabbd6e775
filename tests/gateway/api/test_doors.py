"""Who gives way when there are too many connections."""

import pytest

from gateway.api.doors import Doors
from gateway.errors import OverloadedError
from gateway.setting_groups import DoorSettings


@pytest.fixture
def gone():
    return []


@pytest.fixture
def doors():
    return Doors(DoorSettings(max_connections=8, max_connections_per_address=5))


def enters(doors, gone, address, name):
    """A connection that waits, and says so when it has to end."""

    def give_way():
        gone.append(name)
        doors.ends(address, give_way)

    refusal = doors.enter(address)
    if refusal is None:
        doors.waits(address, give_way)
    return refusal


def test_the_longest_wait_of_the_largest_crowd(doors, gone):
    """
    Where all connections are taken the oldest of whoever has most gives way.
    """
    for address, count in (("a", 5), ("b", 3)):
        for number in range(count):
            assert enters(doors, gone, address, f"{address}{number}") is None
    assert enters(doors, gone, "c", "c0") is None
    assert enters(doors, gone, "c", "c1") is None
    assert gone == ["a0", "a1"]
    assert (doors.connections, doors.ending) == (8, 2)


def test_an_address_waits_behind_itself(doors, gone):
    """
    An address that has all that it may have is full; who waits outside is let in, the first first, when one of it ends.
    """
    for number in range(5):
        assert not doors.is_full("a")
        enters(doors, gone, "a", f"a{number}")
    assert doors.is_full("a")
    assert not doors.is_full("b")
    come = [lambda: enters(doors, gone, "a", "late") or gone.append("late"), lambda: gone.append("later")]
    for let_in in come:
        doors.stays_outside("a", let_in)
    doors.ends("a", print)
    assert gone == ["late"]
    assert doors.is_full("a")
    doors.leaves_outside("a", come[1])
    doors.ends("a", print)
    assert gone == ["late"]


def test_who_works_stays(doors):
    """
    Where nobody waits the one that comes is refused, and tells why; when one is gone there is room again.
    """
    for address in "aaaabbbb":
        assert doors.enter(address) is None
    assert isinstance(doors.enter("c"), OverloadedError)
    doors.ends("c", print)
    doors.ends("b", print)
    assert doors.enter("c") is None
    assert doors.counts["refused"] == 1


def test_no_time_for_so_many(doors):
    """
    While very many connections end, none is given time for it.
    """
    for _ in range(9):
        assert not doors.crowded
        doors.enter("a")
        doors.ends("a", print)
    assert doors.crowded
    for _ in range(9):
        doors.leave()
    assert (doors.crowded, doors.ending, doors.connections) == (False, 0, 0)
