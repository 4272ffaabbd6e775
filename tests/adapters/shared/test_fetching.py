"""What other hosts send: never longer, slower or later than allowed."""

import asyncio
import gzip

import httpx
import pytest

from adapters.shared.fetching import FetchRefusedError, FetchTooSlowError, fetch

URL = "http://host.test/body"


async def fetched(respond, **limits):
    async with httpx.AsyncClient(transport=httpx.MockTransport(respond)) as client:
        return await fetch(client, "GET", URL, **{"most_bytes": 1000, "seconds": 5, **limits})


class Drips(httpx.AsyncByteStream):
    """A body that comes in parts, each after some seconds of a clock of the test."""

    def __init__(self, parts, now, seconds=1.0):
        self.parts, self.now, self.seconds, self.sent = parts, now, seconds, 0

    async def __aiter__(self):
        for part in self.parts:
            self.now[0] += self.seconds
            self.sent += 1
            yield part


async def test_an_answer_within_bounds():
    """
    Status, headers and body come as they were sent, and nothing packed is asked for.
    """
    asked = []

    def respond(request):
        asked.append(request.headers["accept-encoding"])
        return httpx.Response(200, headers={"etag": '"1"'}, content=b"x" * 1000)

    answer = await fetched(respond)
    assert (answer.status, answer.headers["etag"], answer.body) == (200, '"1"', b"x" * 1000)
    assert asked == ["identity"]
    assert (await fetched(lambda _: httpx.Response(304))).status == 304


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"x" * 1001),
        ({"content-encoding": "gzip"}, gzip.compress(bytes(50_000), mtime=0)),
        ({"content-encoding": "gzip, gzip"}, gzip.compress(gzip.compress(b"x", mtime=0), mtime=0)),
        ({"content-encoding": "br"}, b"x"),
    ],
)
async def test_what_is_not_taken(headers, body):
    """
    A body that is too long, or that a few bytes stand for.
    """
    with pytest.raises(FetchRefusedError):
        await fetched(lambda _: httpx.Response(200, headers=headers, stream=httpx.ByteStream(body)))


async def test_an_endless_answer_is_left_at_its_limit():
    """
    Of a body without an end no more is read than the limit and one part.
    """
    body = Drips([b"x" * 100] * 10_000, [0.0], 0)
    with pytest.raises(FetchRefusedError):
        await fetched(lambda _: httpx.Response(200, stream=body))
    assert body.sent == 11


async def test_an_answer_by_drips_is_left():
    """
    A byte a second is too slow, however long it would be waited for; a burst that is fast enough is not.
    """
    now = [0.0]
    body = Drips([b"x"] * 100, now)
    with pytest.raises(FetchTooSlowError):
        await fetched(lambda _: httpx.Response(200, stream=body), clock=lambda: now[0], seconds=60)
    assert body.sent <= 4
    now = [0.0]
    quick = Drips([b"x" * 100] * 10, now, 0.3)
    assert len((await fetched(lambda _: httpx.Response(200, stream=quick), clock=lambda: now[0])).body) == 1000


async def test_the_whole_of_it_has_a_time():
    """
    An answer that has not begun, or not ended, in time is left.
    """

    async def never(_):
        await asyncio.sleep(60)

    class Stalls(httpx.AsyncByteStream):
        async def __aiter__(self):
            yield b"x"
            await asyncio.sleep(60)

    for respond in (never, lambda _: httpx.Response(200, stream=Stalls())):
        with pytest.raises(FetchTooSlowError):
            await fetched(respond, seconds=0.05)


async def test_errors_and_redirections_are_no_answers():
    """
    Neither is followed or taken for a body.
    """
    asked = []

    def elsewhere(request):
        asked.append(str(request.url))
        return httpx.Response(302, headers={"location": "http://evil.test/"})

    for respond in (elsewhere, lambda _: httpx.Response(500)):
        with pytest.raises(httpx.HTTPStatusError):
            await fetched(respond)
    assert asked == [URL]
