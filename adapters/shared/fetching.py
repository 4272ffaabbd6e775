"""
What other hosts send, fetched within bounds.

Rules held here: a body is never longer than its limit, neither as it comes nor unpacked; it comes at a least rate; the whole of it,
with headers, is there within a total time; a redirection is an answer like any other and is not followed; only encodings that can
be unpacked within a limit are taken.
"""

import asyncio
import time
import zlib

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

SLOWEST: Final = 1_000
"""Bytes a second that must come, once the grace is over."""

GRACE: Final = 2.0
"""Seconds in which the rate does not count yet."""

_WINDOW: Final = {"gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}


class FetchRefusedError(Exception):
    """The answer is not one that may be taken: too long, in an unknown encoding, or damaged."""


class FetchTooSlowError(Exception):
    """The answer did not come in time, or too slowly."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer within bounds."""

    status: int
    headers: Mapping[str, str]
    body: bytes


async def fetch(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    most_bytes: int,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
    **sent: Any,  # noqa: ANN401 - the client's own
) -> Fetched:
    """
    Ask a host, once.

    Args:
        client: to ask with.
        method: such as GET.
        url: of what is wanted.
        most_bytes: of the body, as it comes and unpacked.
        seconds: for the whole of it.
        clock: seconds that never go back.
        sent: headers and body, as the client takes them.

    Raises:
        FetchRefusedError: the body is too long, or cannot be read.

        FetchTooSlowError: it is not there in time.

        httpx.HTTPError: there is no answer, or one that is an error.
    """
    headers = {**sent.pop("headers", {}), "accept-encoding": "gzip, identity"}
    try:
        async with asyncio.timeout(seconds):
            asked = client.stream(method, url, headers=headers, follow_redirects=False, timeout=seconds, **sent)
            async with asked as answer:
                if answer.status_code == httpx.codes.NOT_MODIFIED:
                    return Fetched(answer.status_code, answer.headers, b"")
                answer.raise_for_status()
                raw = await _collected(answer.aiter_raw(), most_bytes, clock)
                return Fetched(answer.status_code, answer.headers, _unpacked(raw, answer.headers, most_bytes))
    except (TimeoutError, httpx.TimeoutException) as error:
        raise FetchTooSlowError(f"no whole answer within {seconds:g} s") from error


async def _collected(parts: AsyncIterator[bytes], most: int, clock: Callable[[], float]) -> bytes:
    body, began = bytearray(), clock()
    async for part in parts:
        body += part
        if len(body) > most:
            raise FetchRefusedError(f"the answer has more than {most} bytes")
        taken = clock() - began
        if taken > GRACE and len(body) < SLOWEST * (taken - GRACE):
            raise FetchTooSlowError(f"the answer comes at less than {SLOWEST} bytes a second")
    return bytes(body)


def _unpacked(raw: bytes, headers: Mapping[str, str], most: int) -> bytes:
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"", "identity"}:
        return raw
    if encoding not in _WINDOW:
        raise FetchRefusedError("the answer has an encoding that was not asked for")
    unpacking = zlib.decompressobj(_WINDOW[encoding])
    try:
        body = unpacking.decompress(raw, most + 1)
    except zlib.error as error:
        raise FetchRefusedError("the answer cannot be unpacked") from error
    if len(body) > most:
        raise FetchRefusedError(f"the answer unpacks to more than {most} bytes")
    if not unpacking.eof:
        raise FetchRefusedError("the answer ends before its end")
    return body
