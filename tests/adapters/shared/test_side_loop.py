"""An event loop in a thread of its own."""

import asyncio
import threading

from contextvars import ContextVar

import pytest

from adapters.shared.side_loop import SideLoop, sessions

said: ContextVar[str] = ContextVar("said", default="nothing")


async def where():
    return threading.get_ident(), said.get(), asyncio.get_running_loop()


class TestSideLoop:
    async def test_work_is_done_elsewhere(self):
        """
        What runs there runs in another thread, always the same, in the context of who asked.
        """
        said.set("something")
        first, second = await sessions.run(where), await sessions.run(where)
        assert first == second
        assert first[0] != threading.get_ident()
        assert (first[1], first[2] is asyncio.get_running_loop()) == ("something", False)

    async def test_errors_come_back(self):
        """
        What goes wrong there is raised here.
        """

        async def fails():
            raise LookupError("no")

        with pytest.raises(LookupError):
            await sessions.run(fails)

    async def test_who_gives_up_does_not_wait(self):
        """
        Cancelling is over at once, also where the other side does not end; it is told all the same.
        """
        told, go_on = threading.Event(), threading.Event()
        loop = SideLoop("stubborn")

        async def stubborn():
            try:
                await asyncio.sleep(60)
            finally:
                told.set()
                await asyncio.to_thread(go_on.wait, 10)

        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await loop.run(stubborn)
        assert await asyncio.to_thread(told.wait, 10)
        go_on.set()
