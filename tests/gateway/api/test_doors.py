"""Who gives way when there are too many connections."""

import pytest

from gateway.api.doors import Doors
from gateway.errors import OverloadedError, TooManyOpenError
from gateway.limits import DoorSettings


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
    At the limit of an address its own oldest gives way; at the limit of all, the oldest of whoever has most.
    """
    for number in range(6):
        assert enters(doors, gone, "a", f"a{number}") is None
    assert gone == ["a0"]
    for number in range(3):
        assert enters(doors, gone, "b", f"b{number}") is None
    assert enters(doors, gone, "c", "c0") is None
    assert gone == ["a0", "a1"]
    assert (doors.connections, doors.ending) == (8, 2)


def test_who_works_stays(doors):
    """
    Where nobody waits the one that comes is refused, and tells why; when one is gone there is room again.
    """
    for _ in range(5):
        assert doors.enter("a") is None
    assert isinstance(doors.enter("a"), TooManyOpenError)
    doors.ends("a", print)
    for _ in range(3):
        assert doors.enter("b") is None
    assert isinstance(doors.enter("c"), OverloadedError)
    doors.ends("c", print)
    doors.ends("b", print)
    assert doors.enter("c") is None
    assert doors.counts["refused"] == 2


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
