"""Collections that hold nobody."""

import asyncio
import gc

import pytest

from gateway.concurrency import garbage
from gateway.concurrency.garbage import collected_between_requests


class Ring:
    """Refers to itself, so that nothing but a collection ends it."""

    ended = 0

    def __init__(self):
        self.me = self

    def __del__(self):
        Ring.ended += 1


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(garbage, "EVERY", 0.01)
    monkeypatch.setattr(Ring, "ended", 0)


async def made_old():
    """A ring that lived through the collections of what is young, and then is nobody's."""
    await asyncio.sleep(0.02)
    ring = Ring()
    for generation in (0, 1):
        gc.collect(generation)
    del ring
    gc.collect(1)


async def test_nothing_is_collected_while_somebody_is_served():
    """
    However long it lasts below the bound; and at the first moment without a request the garbage goes.
    """
    under_way = 1
    async with collected_between_requests(lambda: under_way):
        await made_old()
        await asyncio.sleep(0.1)
        assert Ring.ended == 0
        under_way = 0
        await asyncio.sleep(0.1)
        assert Ring.ended == 1


async def test_load_without_a_pause(monkeypatch):
    """
    Somebody is always served: garbage is collected after the longest time all the same.
    """
    monkeypatch.setattr(garbage, "LONGEST", 0.1)
    async with collected_between_requests(lambda: 1):
        await made_old()
        await asyncio.sleep(0.3)
        assert Ring.ended == 1


async def test_afterwards_python_collects_as_before():
    """
    The process's own thresholds come back, and nothing stays frozen.
    """
    before = gc.get_threshold()
    async with collected_between_requests(lambda: 0):
        assert gc.get_threshold() != before
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
