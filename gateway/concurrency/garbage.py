"""
Garbage is collected between requests, not in the middle of one.

A collection goes over everything that lives and holds all threads meanwhile: with one request of hundreds of items under way,
Python's own whole collections took 130 to 280 ms each of everybody's time (`bench/bystanders.py`).  So what lives from the
start is left out of them, and whole collections wait for a moment in which nobody does.
"""

import asyncio
import gc

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

EVERY: Final = 1.0
"""Seconds between two looks whether anything is under way."""

LONGEST: Final = 60
"""Seconds after which garbage is collected whatever is under way, so that memory is bounded under load without a pause."""

_THRESHOLDS: Final = (10_000, 5, 1_000_000)
"""What is new is looked at each 10,000 objects, what is younger than 50,000 with it (15 ms at most), and the whole by `EVERY`."""


@asynccontextmanager
async def collected_between_requests(under_way: Callable[[], int]) -> AsyncIterator[None]:
    """
    Collect this process's garbage when it holds nobody, for a process that does nothing but serve.

    Args:
        under_way: how many requests there are now.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    task = asyncio.create_task(_collect(under_way), name="garbage")
    try:
        yield
    finally:
        task.cancel()
        gc.set_threshold(*before)
        gc.unfreeze()


async def _collect(under_way: Callable[[], int]) -> None:
    loop = asyncio.get_running_loop()
    seen, done = _rounds(), loop.time()
    while True:
        await asyncio.sleep(EVERY)
        if _rounds() > seen and (not under_way() or loop.time() - done >= LONGEST):
            gc.collect()
            seen, done = _rounds(), loop.time()


def _rounds() -> int:
    """How often what is younger was collected: as long as it was not, too little was made to look at everything."""
    return int(gc.get_stats()[1]["collections"])
