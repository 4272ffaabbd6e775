"""
How long the event loop is held by what is watched: in processor time of its thread, told in passes (`tests.support.effort`).

What is watched runs in a task of its own, so that the test around it counts for nothing; what other processes do to the machine
counts for nothing either, and neither does the collector of garbage, which comes when it comes.
"""

import asyncio
import gc
import sys
import time

from asyncio.events import Handle
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import ContextVar, copy_context
from typing import Any, Final, TypeVar

from tests.support.effort import cpu, one_pass

_T = TypeVar("_T")

_watched: ContextVar[bool] = ContextVar("watched")

MOST: Final = 1.0
"""Passes for which one callback may hold the loop: about 50 ms on the machine that this was written on."""


_TRACED: Final = 3.0
"""How much longer our own lines take while coverage counts them; a pass, which is a pattern's, takes no longer."""


class Held:
    """The longest time for which one callback of what is watched held the loop."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.callbacks = 0
        self._collecting = 0.0

    async def watch(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What *work* gives, watched."""
        context = copy_context()
        context.run(_watched.set, True)
        return await asyncio.get_running_loop().create_task(work, context=context)

    def over(self, app: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """An ASGI application, watched."""

        async def watched(scope: Any, receive: Any, send: Any) -> None:
            await self.watch(_called(app, scope, receive, send))

        return watched

    def run(self, handle: Handle, plain: Callable[[Handle], None]) -> None:
        """One callback."""
        if _watched not in handle._context:  # type: ignore[attr-defined]  # where asyncio keeps it
            plain(handle)
            return
        began, collecting = time.thread_time(), self._collecting
        try:
            plain(handle)
        finally:
            took = time.thread_time() - began - (self._collecting - collecting)
            self.callbacks += 1
            self.longest = max(self.longest, took)

    def collected(self, phase: str, _: object) -> None:
        """The collector of garbage begins or ends."""
        now = time.thread_time()
        self._collecting += -now if phase == "start" else now

    def passes(self) -> float:
        """The longest time, in passes."""
        return self.longest / cpu(one_pass)


async def _called(app: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    await app(*arguments)


@asynccontextmanager
async def holding(most: float = MOST) -> AsyncIterator[Held]:
    """
    Watch what is given to `Held.watch`.

    Raises:
        AssertionError: something of it held the loop for more passes than *most*.
    """
    # A loop of pure Python calls this for every callback.
    held, plain = Held(), Handle._run
    setattr(Handle, "_run", lambda handle: held.run(handle, plain))  # noqa: B010 - a private method
    gc.callbacks.append(held.collected)
    try:
        yield held
    finally:
        gc.callbacks.remove(held.collected)
        setattr(Handle, "_run", plain)  # noqa: B010 - as above
    passes = held.passes() / (_TRACED if sys.gettrace() else 1)
    assert held.callbacks, "nothing was watched"
    assert passes <= most, f"the event loop was held for {passes:.2f} passes; at most {most} are allowed"
