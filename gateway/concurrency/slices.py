"""
Work that has to be done on the event loop, a few milliseconds at a time.

Rules held here: one slice of one request, then everything else that is ready, so that however many requests want the same kind
of work, no round of the loop is longer than one slice of it; those that wait for theirs take turns by tenant.
"""

import asyncio
import time

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from gateway.concurrency.apart import load
from gateway.concurrency.turns import Waiting

_Part = TypeVar("_Part")
_Done = TypeVar("_Done")

SLICE: Final = 0.001
"""Seconds of processor time after which everybody else has a turn."""


class Slices:
    """One kind of work, of which one slice is done at a time."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._taken = False
        self._waiting = Waiting[asyncio.Future[None]]()

    async def each(self, parts: Iterable[_Part], act: Callable[[_Part], _Done]) -> list[_Done]:
        """What *act* gives for each part, in order.  A slice is never shorter than one part."""
        done: list[_Done] = []
        left = iter(parts)
        while True:
            await self._turn()
            # Not before the next round: in this one others may be ready, and each would take a slice of it.
            asyncio.get_running_loop().call_soon(self._pass_on)
            if not _slice(left, act, done):
                return done

    async def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # Whoever had a turn on another loop is gone with it.
            self._loop, self._taken, self._waiting = loop, False, Waiting()
        if not self._taken:
            self._taken = True
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.put(load.get().tenant, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                # It was given in the same moment.
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while (tenant := self._waiting.next()) is not None:
            turn = self._waiting.take(tenant)
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False


def _slice(left: Iterator[_Part], act: Callable[[_Part], _Done], done: list[_Done]) -> bool:
    """Do parts until the slice is over; whether there may be more."""
    began = time.thread_time()
    for part in left:
        done.append(act(part))
        if time.thread_time() - began >= SLICE:
            return True
    return False
