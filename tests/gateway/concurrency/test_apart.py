"""What is large is done on a thread, what is small at once."""

import asyncio
import threading

from contextvars import ContextVar

import pytest

from gateway.concurrency.apart import SMALL, apart, threads, weigh, weigh_also

_here = ContextVar("here", default="nothing")


async def thread_of(**options):
    return await apart(threading.get_ident, **options)


class TestApart:
    async def test_small_is_done_at_once(self):
        """
        A small request never leaves the thread of the event loop.
        """
        weigh("a", SMALL)
        assert await thread_of() == threading.get_ident()

    async def test_large_or_unknown_is_done_on_a_thread(self):
        """
        A large request does, and so does one that nobody weighed, and one large thing of a small one.
        """
        loop = threading.get_ident()
        assert await thread_of() != loop
        weigh("a", SMALL + 1)
        assert await thread_of() != loop
        weigh("a", 1)
        assert await thread_of(size=SMALL + 1) != loop

    @pytest.mark.parametrize("content", ["x" * SMALL, ["x"] * SMALL, {f"k{n}": [n] for n in range(SMALL // 8)}])
    async def test_what_joins_a_request_counts(self, content):
        """
        Items of sources and sessions make a small request large.
        """
        weigh("a", 1)
        weigh_also([])
        assert await thread_of() == threading.get_ident()
        weigh_also([content])
        assert await thread_of() != threading.get_ident()

    async def test_context_goes_along(self):
        """
        What a request knows of itself is known on the thread too.
        """
        _here.set("this request")
        assert await apart(_here.get) == "this request"

    async def test_giving_up_does_not_wait(self):
        """
        Whoever gives up is free at once; the thread goes on to its end.
        """
        go = threading.Event()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await apart(lambda: go.wait(30))
        assert threads.working >= 1
        go.set()
