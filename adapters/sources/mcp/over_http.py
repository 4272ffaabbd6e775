"""
A server that is reached over HTTP (MCP's streamable HTTP), by the SDK's transport over an HTTP client that holds what follows.

Rules held here: nothing is connected to but addresses that the operator listed; a redirection is no answer; an answer comes as it is,
never packed, and is bounded, as JSON and as a stream of events; the server opens no stream of its own to the gateway; no proxy of the
environment is used; the bearer token is read from its file for each request, and goes nowhere but where the file of connections says;
one request that fails never ends another's.
"""

import json
import ssl

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx2

from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from adapters.shared.addresses import Addresses, AddressRefusedError, pin_address
from adapters.sources.mcp.session import SessionLostError, mishaps
from gateway.errors import SourceError, SourceMalformedError, SourceRefusedError, SourceTooLargeError
from gateway.errors import SourceUnavailableError as Unavailable

_SECONDS: Final = 30.0
"""Between two pieces of an answer; how long a call takes in all is its caller's to say."""

_EVENTS: Final = "text/event-stream"
_SESSION: Final = "mcp-session-id"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a source is."""

    source: str
    url: str
    token_file: Path | None
    addresses: Addresses


@asynccontextmanager
async def http_streams(endpoint: Endpoint, *, most_bytes: int) -> AsyncIterator[TransportStreams]:
    """
    What is said to and by the server.

    Args:
        endpoint: where it is.
        most_bytes: of one answer, with all events before it.
    """
    inner = httpx2.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False)
    guarded = GuardedTransport(endpoint, inner, most_bytes)
    async with (
        httpx2.AsyncClient(transport=guarded, trust_env=False, timeout=_SECONDS) as client,
        streamable_http_client(endpoint.url, http_client=client, max_sse_event_size=most_bytes) as streams,
    ):
        yield streams


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends requests as the module says; what goes wrong with one is told in `mishaps`, and is an answer to the SDK."""

    def __init__(self, endpoint: Endpoint, inner: httpx2.AsyncBaseTransport, most_bytes: int) -> None:
        self._endpoint = endpoint
        self._inner = inner
        self._most = most_bytes

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """As httpx2 says, but for errors of the network, which the SDK would end the session of all with."""
        if request.method == "GET":
            return httpx2.Response(httpx2.codes.METHOD_NOT_ALLOWED, request=request)
        try:
            return await self._asked(request)
        except SourceError as error:
            return _refusal(request, error)
        except (AddressRefusedError, OSError, httpx2.TransportError, ValueError):
            return _refusal(request, Unavailable(f"source {self._endpoint.source} did not answer"))

    async def _asked(self, request: httpx2.Request) -> httpx2.Response:
        await pin_address(request, self._endpoint.addresses)
        request.headers["accept-encoding"] = "identity"
        request.headers.pop("cookie", None)
        if self._endpoint.token_file is not None:
            request.headers["authorization"] = f"Bearer {self._endpoint.token_file.read_text().strip()}"
        answer = await self._inner.handle_async_request(request)
        try:
            self._check(answer, request)
        except SourceError:
            await answer.aclose()
            raise
        if _kind(answer) == _EVENTS:
            stream = _Bounded(answer.stream, self._too_large)
            stream.left = self._most
            return httpx2.Response(answer.status_code, headers=answer.headers, stream=stream, request=request)
        return await self._whole(answer, request)

    def _check(self, answer: httpx2.Response, request: httpx2.Request) -> None:
        source, status = self._endpoint.source, answer.status_code
        if status == httpx2.codes.NOT_FOUND and _SESSION in request.headers:
            raise SessionLostError(f"source {source} has ended the session")
        if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
            raise SourceRefusedError(f"source {source} does not take the gateway's token")
        if status in range(300, 400) or status >= httpx2.codes.INTERNAL_SERVER_ERROR:
            raise Unavailable(f"source {source} answered with status {status}")
        if status == httpx2.codes.OK and _kind(answer) not in {"application/json", _EVENTS}:
            raise SourceMalformedError(f"source {source} answered with something that is no message")
        if answer.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
            raise SourceMalformedError(f"source {source} answered with something packed, which was not asked for")

    async def _whole(self, answer: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
        body = bytearray()
        try:
            async for part in answer.aiter_raw():
                body += part
                if len(body) > self._most:
                    raise self._too_large()
        finally:
            await answer.aclose()
        kept = {name: answer.headers[name] for name in ("content-type", _SESSION) if name in answer.headers}
        return httpx2.Response(answer.status_code, headers=kept, content=bytes(body), request=request)

    def _too_large(self) -> SourceError:
        return SourceTooLargeError(f"source {self._endpoint.source} answered with more than may be taken")

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    """Events, until there are too many bytes of them; the SDK takes that for their end."""

    def __init__(self, inner: object, too_large: Callable[[], SourceError]) -> None:
        self._inner = inner
        self._too_large = too_large
        self.left = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:  # type: ignore[attr-defined]
            self.left -= len(part)
            if self.left < 0:
                _tell(self._too_large())
                return
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()  # type: ignore[attr-defined]


def _kind(answer: httpx2.Response) -> str:
    kind: str = answer.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower()


def _tell(error: SourceError) -> None:
    seen = mishaps.get()
    if seen is not None:
        seen.append(error)


def _refusal(request: httpx2.Request, error: SourceError) -> httpx2.Response:
    """The answer of JSON-RPC that the SDK ends the call with."""
    _tell(error)
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "not answered"}}
    headers = {"content-type": "application/json"}
    return httpx2.Response(502, headers=headers, content=json.dumps(body).encode(), request=request)
