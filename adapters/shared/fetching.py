"""
What other hosts send, fetched within bounds.

Rules held here: a body is never longer than its limit, and comes as it is: an answer that would have to be unpacked first is not
taken, since a few bytes of it may stand for any number; it comes at a least rate; the whole of it, with headers, is there within a
total time; a redirection is no answer and is not followed.
"""

import asyncio
import time

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

SLOWEST: Final = 1_000
"""Bytes a second that must come, once the grace is over."""

GRACE: Final = 2.0
"""Seconds in which the rate does not count yet."""


class FetchRefusedError(Exception):
    """The answer is not one that may be taken: too long, or packed."""


class FetchTooSlowError(Exception):
    """The answer did not come in time, or too slowly."""


@dataclass(frozen=True, slots=True)
class BoundedAnswer:
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
) -> BoundedAnswer:
    """
    Ask a host, once.

    Args:
        client: to ask with.
        method: such as GET.
        url: of what is wanted.
        most_bytes: of the body.
        seconds: for the whole of it.
        clock: seconds that never go back.
        sent: headers and body, as the client takes them.

    Raises:
        FetchRefusedError: the body is too long, or packed.

        FetchTooSlowError: it is not there in time.

        httpx.HTTPError: there is no answer, or one that is an error.
    """
    headers = {**sent.pop("headers", {}), "accept-encoding": "identity"}
    try:
        async with asyncio.timeout(seconds):
            asked = client.stream(method, url, headers=headers, follow_redirects=False, timeout=seconds, **sent)
            async with asked as answer:
                if answer.status_code == httpx.codes.NOT_MODIFIED:
                    return BoundedAnswer(answer.status_code, answer.headers, b"")
                answer.raise_for_status()
                if answer.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
                    raise FetchRefusedError("the answer is packed, which was not asked for")
                body = await _collected(answer.aiter_bytes(), most_bytes, clock)
                return BoundedAnswer(answer.status_code, answer.headers, body)
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
