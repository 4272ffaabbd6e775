"""Work on the event loop, a slice at a time."""

import asyncio
import time

import pytest

from gateway.concurrency.apart import weigh
from gateway.concurrency.slices import SLICE, Slices


def busy(part):
    """Longer than a slice, in processor time."""
    until = time.thread_time() + SLICE * 1.2
    while time.thread_time() < until:
        pass
    return part


async def rounds(done):
    """How many rounds the loop makes until something is done."""
    count = 0
    while not done.done():
        count += 1
        await asyncio.sleep(0)
    return count


class TestSlices:
    async def test_every_part_in_order(self):
        """
        All is done, in order; of nothing, nothing.
        """
        slices = Slices()
        assert await slices.each(range(1000), str) == list(map(str, range(1000)))
        assert await slices.each([], str) == []

    async def test_others_have_turns(self):
        """
        Between two slices the loop sees to everybody else.
        """
        slices = Slices()
        work = asyncio.create_task(slices.each(range(8), busy))
        assert await rounds(work) >= 8

    async def test_one_slice_in_a_round(self):
        """
        However many requests want the same kind of work, one slice of it is done in a round of the loop.
        """
        slices = Slices()
        work = asyncio.gather(*(slices.each(range(2), busy) for _ in range(6)))
        assert await rounds(work) >= 12

    async def test_tenants_take_turns(self):
        """
        A tenant with one request waits for one slice of another's, not for all of its requests.
        """
        slices, done = Slices(), []

        async def ask(tenant, count):
            weigh(tenant, 1)
            await slices.each(range(count), busy)
            done.append(tenant)

        await asyncio.gather(*(ask("many", 3) for _ in range(5)), ask("one", 1))
        assert done[0] == "one"

    async def test_giving_up_or_failing_stops_nobody(self):
        """
        What is cancelled while it waits, or fails, leaves its turn to the next.
        """
        slices = Slices()
        first = asyncio.create_task(slices.each(range(4), busy))
        second = asyncio.create_task(slices.each(range(4), busy))
        third = asyncio.create_task(slices.each(range(4), busy))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(ZeroDivisionError):
            await slices.each([0], lambda part: 1 // part)
        assert [await first, await third] == [[0, 1, 2, 3], [0, 1, 2, 3]]
        assert second.cancelled()

    def test_another_loop_begins_anew(self):
        """
        A turn that was lost with its loop is no turn.
        """
        slices = Slices()

        async def given_up():
            task = asyncio.create_task(slices.each(range(100), busy))
            await asyncio.sleep(0)
            task.cancel()

        asyncio.run(given_up())
        assert asyncio.run(slices.each([1], str)) == ["1"]
