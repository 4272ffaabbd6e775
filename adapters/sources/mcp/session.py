"""
What is said in one session with a server of the Model Context Protocol, by the SDK's `ClientSession`.

Rules held here: a tool is called as long as what the server offers under its name is what the pin says, and what it answers is
held against the schema under that pin, whatever the server offers meanwhile; its words (descriptions, messages, instructions) go
nowhere; what it asks the gateway for (a model's answer, a person's, folders) it is refused, as the SDK does where nobody says
otherwise; the SDK's own log, which would quote what servers send, is closed.
"""

import asyncio
import logging

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from mcp import Client, ClientSession, MCPError
from mcp.client import Transport
from mcp.client._transport import TransportStreams
from mcp_types import (
    CONNECTION_CLOSED,
    PARSE_ERROR,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    InputRequiredResult,
    PaginatedRequestParams,
)
from pydantic import JsonValue, TypeAdapter

from adapters.shared.result_schemas import ResultSchema, SchemaRefusedError
from adapters.sources.mcp.sieve import Sieve
from gateway.errors import (
    SourceChangedError,
    SourceError,
    SourceMalformedError,
    SourceRefusedError,
    SourceTooLargeError,
    SourceUnavailableError,
)
from gateway.model.sources.tools import Tool
from gateway.ports.sources import Offered

_T = TypeVar("_T")

MOST_PAGES: Final = 20
"""Pages of what a server offers."""

MOST_TOOLS: Final = 1_000
"""Tools that a server may offer."""

LOOKED_AT_EVERY: Final = 60.0
"""Seconds after which it is asked what it offers before it is called again, also where it did not say that it has changed."""

_MOST_ABANDONED: Final = 16
"""Calls given up on, after which a session is replaced: what the library or the server still does for them ends with it."""

_ANSWER: Final[TypeAdapter[CallToolResult | InputRequiredResult]] = TypeAdapter(CallToolResult | InputRequiredResult)
_WHO: Final = Implementation(name="ctxgate", version="1")

mishaps: Final[ContextVar[list[SourceError] | None]] = ContextVar("mishaps", default=None)
"""Of the call at hand: what the way to the server has seen go wrong with it, which the SDK does not hand on."""

for _name in ("mcp", "client", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class SessionLostError(SourceUnavailableError):
    """The server does not know the session any more, perhaps since it was started anew; nothing was done."""


class ServerSession:
    """One session with a server."""

    def __init__(self, source: str, client: ClientSession, sieve: Sieve) -> None:
        self._source = source
        self._client = client
        self._sieve = sieve
        self._offered: Mapping[str, Offered] = {}
        self._pins: Mapping[str, str] = {}
        self._schemas: dict[str, ResultSchema] = {}
        self._listing = asyncio.Lock()
        self._listed_at = 0.0
        self._under_way = self._abandoned = 0
        self.answered = False
        """Whether a call was answered in it, rightly or not: the server is there."""

        self.retiring = False
        """Whether it ends as soon as no call is under way in it."""

        self.mishap: SourceError | None = None
        """Why it is over, where that is known."""

    @property
    def over(self) -> asyncio.Event:
        return self._sieve.over

    def retire(self) -> None:
        """Begin no more calls, and end once those that are under way have."""
        self.retiring = True
        if not self._under_way:
            self.over.set()

    async def offered(self) -> Mapping[str, Offered]:
        """
        What the server offers, by name.

        Raises:
            SourceUnavailableError, SourceMalformedError, SourceRefusedError: it does not say it, or not in the protocol.
        """
        async with self._listing:
            if self._sieve.changed or self._now() - self._listed_at >= LOOKED_AT_EVERY or not self._listed_at:
                # Until it is known what it offers now, what it offered is not known either.
                self._sieve.changed, self._listed_at = False, 0.0
                self._offered = await self._list()
                self._pins = {name: _pin(one, self._source) for name, one in self._offered.items()}
                self._listed_at = self._now()
        return self._offered

    async def call(self, tool: Tool, arguments: Mapping[str, JsonValue]) -> JsonValue:
        """
        What the tool answers, as its schema says.

        Raises:
            SourceError: as `gateway.ports.sources.Toolbox` says.
        """
        self._under_way += 1
        try:
            schema = await self._schema(tool)
            answered = await self._ask(tool, arguments)
            # It may have changed while it was asked.
            await self._schema(tool)
        except asyncio.CancelledError:
            self._abandoned += 1
            raise
        finally:
            self._under_way -= 1
            if self._abandoned >= _MOST_ABANDONED or self.retiring:
                self.retire()
        self.answered = True
        if not schema.fits(answered):
            raise SourceMalformedError(f"source {self._source} answered otherwise than its schema says")
        return answered

    async def _schema(self, tool: Tool) -> ResultSchema:
        """What results of the tool look like, if it is still offered as it was accepted."""
        offered = (await self.offered()).get(tool.operation)
        if tool.pin is None or offered is None or self._pins[tool.operation] != tool.pin:
            raise SourceChangedError(f"source {self._source} offers tool {tool.id} otherwise than it was accepted")
        if offered.output is None:
            raise SourceMalformedError(f"source {self._source} has no schema for what tool {tool.id} answers")
        if tool.pin not in self._schemas:
            try:
                self._schemas[tool.pin] = ResultSchema(offered.output)
            except SchemaRefusedError as error:
                raise SourceMalformedError(f"source {self._source}, tool {tool.id}: {error}") from error
        return self._schemas[tool.pin]

    async def _ask(self, tool: Tool, arguments: Mapping[str, JsonValue]) -> JsonValue:
        params = CallToolRequestParams(name=tool.operation, arguments=dict(arguments))
        # Not `call_tool` of the SDK, which would hold the answer against whatever is offered at the moment.
        answer = await self._answer(self._client.send_request(CallToolRequest(params=params), _ANSWER))
        if isinstance(answer, InputRequiredResult) or answer.is_error:
            raise SourceRefusedError(f"source {self._source} answered tool {tool.id} with an error")
        # What is only written for people is no data, also where it looks like it.
        structured: JsonValue = answer.structured_content
        return structured

    async def _list(self) -> Mapping[str, Offered]:
        found: dict[str, Offered] = {}
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            params = PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self._answer(self._client.list_tools(params=params))
            for tool in page.tools:
                if tool.name in found or len(found) >= MOST_TOOLS:
                    raise SourceMalformedError(f"source {self._source} offers a tool twice, or too many")
                found[tool.name] = Offered(tool.name, tool.description or "", tool.input_schema, tool.output_schema)
            cursor = page.next_cursor
            if not cursor:
                return found
        raise SourceMalformedError(f"source {self._source} does not come to an end of what it offers")

    async def _answer(self, request: Coroutine[Any, Any, _T]) -> _T:
        """The answer to one request of ours."""
        began = self._now()
        with self._asking():
            asked = asyncio.create_task(request)
            asked.add_done_callback(lambda done: done.cancelled() or done.exception())
            try:
                return await asyncio.shield(asked)
            except asyncio.CancelledError:
                # At once, so that the next call does not begin where this one hung; the SDK takes a while to give up.
                self.retiring |= self._sieve.heard < began
                asked.cancel()
                raise

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """One request to the server; what the SDK raises becomes ours, without the server's words."""
        self._sieve.asked()
        seen: list[SourceError] = []
        kept = mishaps.set(seen)
        try:
            yield
        except MCPError as error:
            raise next(iter(seen), None) or self.mishap or self._of(error.code) from None
        except Exception:  # noqa: BLE001 - whatever the SDK makes of what a server sends, it is no answer
            raise SourceMalformedError(f"source {self._source} answered otherwise than the protocol says") from None
        finally:
            mishaps.reset(kept)

    def _of(self, code: int) -> SourceError:
        if code == CONNECTION_CLOSED:
            return SourceUnavailableError(f"source {self._source} did not answer")
        if code == PARSE_ERROR:
            return SourceMalformedError(f"source {self._source} answered with something that is no message")
        return SourceRefusedError(f"source {self._source} answered with an error")

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _pin(offered: Offered, source: str) -> str:
    try:
        return offered.pin
    except (ValueError, RecursionError):
        raise SourceMalformedError(f"source {source} offers a tool that has no canonical form") from None


Way = Callable[[Callable[[SourceError], None]], Transport]
"""Makes a new connection to a server; it tells the callable why it broke, where that is no mere end."""


@asynccontextmanager
async def session_with(source: str, way: Way) -> AsyncIterator[ServerSession]:
    """
    A session with a server, as long as the context, whose tools have been looked at.

    Raises:
        SourceError: there is none.

        Exception: neither; what the SDK and what is under it raise where a connection breaks.
    """
    opened: list[ServerSession] = []
    early: list[SourceError] = []

    def mishap(error: SourceError) -> None:
        early.append(error)
        for one in opened:
            one.mishap = error
            # Too much is an answer too: for it the server is not left alone, which would hurt those who ask for less.
            one.answered |= isinstance(error, SourceTooLargeError)

    sieves: list[Sieve] = []

    @asynccontextmanager
    async def sieved() -> AsyncIterator[TransportStreams]:
        async with way(mishap) as (heard, said):
            sieves.append(Sieve(heard, source, mishap))
            yield sieves[0], said

    try:
        async with Client(sieved(), cache=None, client_info=_WHO) as client:
            session = ServerSession(source, client.session, sieves[0])
            opened.append(session)
            try:
                await session.offered()
            except SourceError as error:
                # What the SDK wraps into groups on its way out.
                mishap(error)
                raise
            yield session
    except Exception:
        if early:
            raise early[0] from None
        raise
