"""
One session with a server, kept open.

Rules held here: a session is opened when it is first needed, one at a time, and by a task of its own, so that nobody's deadline or
cancellation ends it for others; a server that fails is left alone for a while, and whoever asks meanwhile is told at once; a session
that hangs is replaced as soon as nobody waits in it.
"""

import asyncio

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from contextvars import Context
from typing import Final

from adapters.sources.mcp.session import ServerSession
from gateway.errors import SourceError, SourceUnavailableError
from gateway.ports.sources import STARTS_WITHIN

_CLOSED_WITHIN: Final = 5.0
"""Seconds in which one is closed, or left."""

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
"""Seconds that a server is left alone after it failed twice in a row, doubled with each further time; and at most."""


class _Opening:
    """A session that is there or will be."""

    def __init__(self) -> None:
        self.session: asyncio.Future[ServerSession] = asyncio.get_running_loop().create_future()
        # Perhaps nobody waits for it any more when it fails.
        self.session.add_done_callback(lambda done: done.cancelled() or done.exception())
        self.gone = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.answered = False


class Held:
    """Keeps a session with one server; used on one event loop alone."""

    def __init__(self, source: str, connect: Callable[[], AbstractAsyncContextManager[ServerSession]]) -> None:
        """
        Args:
            source: id of the source.
            connect: opens a session, as long as its context.
        """
        self._source = source
        self._connect = connect
        self._now: _Opening | None = None
        self._failures = 0
        self._not_before = 0.0
        self._closed = False

    async def session(self) -> ServerSession:
        """
        One that calls may begin in.

        Raises:
            SourceError: there is none.
        """
        while True:
            now = self._now or self._open()
            session = await asyncio.shield(now.session)
            if not session.retiring and not session.over.is_set():
                return session
            await now.gone.wait()

    def _open(self) -> _Opening:
        if self._closed or asyncio.get_running_loop().time() < self._not_before:
            raise SourceUnavailableError(f"source {self._source} failed, and is left alone for a moment")
        now = self._now = _Opening()
        # In a context of its own: it serves other requests than the one that happens to need it first.
        now.task = asyncio.create_task(self._keep(now), context=Context())
        now.task.add_done_callback(lambda _: self._ended(now))
        return now

    async def _keep(self, now: _Opening) -> None:
        connecting = self._connect()
        try:
            async with asyncio.timeout(STARTS_WITHIN):
                session = await connecting.__aenter__()
            try:
                now.session.set_result(session)
                await session.over.wait()
            finally:
                now.answered = session.answered
                async with asyncio.timeout(_CLOSED_WITHIN):
                    await connecting.__aexit__(None, None, None)
        except SourceError as error:
            self._failed(now, error)
        except Exception:  # noqa: BLE001 - whatever broke, the server is not there; its words go nowhere
            self._failed(now, SourceUnavailableError(f"source {self._source} did not answer"))

    def _ended(self, now: _Opening) -> None:
        """Also where its task was cancelled before it began."""
        self._failed(now, SourceUnavailableError(f"source {self._source} is closed"))
        self._rest(answered=now.answered)
        self._now = None
        now.gone.set()
        if now.answered and not self._closed:
            # Nobody should have to wait for a start who could have had an answer; one that fails is not tried again unasked.
            self._open()

    @staticmethod
    def _failed(now: _Opening, error: SourceError) -> None:
        if not now.session.done():
            now.session.set_exception(error)

    def _rest(self, *, answered: bool) -> None:
        """Leave the server alone, the longer the more often it has failed since it last answered."""
        self._failures = 0 if answered else self._failures + 1
        if self._failures > 1:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self._failures - 2, 10))
            self._not_before = asyncio.get_running_loop().time() + pause

    async def aclose(self) -> None:
        """End the session; none is opened after it."""
        self._closed = True
        now = self._now
        if now is None or now.task is None:
            return
        if now.session.done() and not now.session.cancelled() and now.session.exception() is None:
            now.session.result().over.set()
        else:
            now.task.cancel()
        await asyncio.wait([now.task], timeout=_CLOSED_WITHIN)
        now.task.cancel()
