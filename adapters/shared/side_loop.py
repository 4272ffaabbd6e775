"""
An event loop in a thread of its own, for clients whose work on what a peer sends grows with it.

Rule held here: what a foreign server makes a client's library do costs this thread, and never the loop that answers requests; who
gives up waiting is free at once, whatever the other side still does.
"""

import asyncio
import os
import threading

from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

_T = TypeVar("_T")


class SideLoop:
    """Runs coroutines beside the caller's loop; its thread is started when it is first needed, and stays."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    async def run(self, act: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """What *act* gives, in the caller's context; cancelling this cancels it over there and does not wait for it."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(act(), self._started()))

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # A process that was forked has the loop and not the thread.
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.SelectorEventLoop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True).start()
            return self._loop


sessions: Final = SideLoop("sessions")
"""For sessions with servers of tools, of this process."""
