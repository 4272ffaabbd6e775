"""
What a server says, less what the gateway has no use for.

Rule held here: an answer gets in, and so does a request, since the session must refuse it; of what a server says unasked only that
its tools have changed is taken note of, and it may say so much and no more.
"""

import asyncio

from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

import anyio

from mcp.shared._stream_protocols import ReadStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCResponse

from gateway.errors import SourceError, SourceMalformedError

MOST_MESSAGES: Final = 1_000
"""Messages that a server may send for each request of the gateway's."""

_ANSWERS: Final = (JSONRPCResponse, JSONRPCError)
_CHANGED: Final = "notifications/tools/list_changed"


class Sieve:
    """A `ReadStream` of the SDK over another."""

    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], source: str, mishap: Callable[[SourceError], None]
    ) -> None:
        self._inner = inner
        self._source = source
        self._mishap = mishap
        self._spare = MOST_MESSAGES
        self._due = 0
        self.changed = False
        """Whether it said that its tools are others now."""

        self.heard = 0.0
        """When it last said anything, by the clock of the loop."""

        self.over = asyncio.Event()
        """Once it says no more."""

    def asked(self) -> None:
        """A request goes out, which may be answered."""
        self._spare = MOST_MESSAGES
        self._due += 1

    async def receive(self) -> SessionMessage | Exception:
        while True:
            said = await self._next()
            self.heard = asyncio.get_running_loop().time()
            self._count(said)
            if isinstance(said, Exception):
                continue
            if not isinstance(said.message, JSONRPCNotification):
                return said
            self.changed |= said.message.method == _CHANGED

    def _count(self, said: SessionMessage | Exception) -> None:
        """As many answers as requests are free, however many are under way at once; everything else is counted."""
        if self._due and isinstance(said, SessionMessage) and isinstance(said.message, _ANSWERS):
            self._due -= 1
            return
        self._spare -= 1
        if self._spare < 0:
            self._mishap(SourceMalformedError(f"source {self._source} says more than it is asked"))
            self.over.set()
            raise anyio.EndOfStream

    async def _next(self) -> SessionMessage | Exception:
        try:
            return await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self.over.set()
            raise anyio.EndOfStream from None

    async def aclose(self) -> None:
        self.over.set()
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()
