"""A server that answers with whatever bytes a test wants: nonsense, nothing, the wrong status, too little."""

import asyncio
import json

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


@asynccontextmanager
async def server_that(answer: Callable[[], bytes | None], port: int = 0) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that answers every request with the given bytes, or never; its URL, and the bodies that it was sent."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0] or 0)
                asked.append(await reader.readexactly(length))
                reply = answer()
                if reply is None:
                    await asyncio.Event().wait()
                writer.write(reply or b"")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", port)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", asked
    finally:
        listening.close()


def http(body: object, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """An answer in HTTP/1.1: a document as JSON, or bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(data)}\r\n\r\n".encode() + data
