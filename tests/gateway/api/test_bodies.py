"""Bodies: how fast they must come, and how much memory those of a tenant may take; no place at work is taken meanwhile."""

import asyncio
import json

from contextlib import ExitStack

import pytest

from starlette.requests import ClientDisconnect

from gateway.api.admission import FairQueue
from gateway.api.bodies import OpenRequests, Pace
from gateway.errors import BodyError, OverloadedError, RequestTooLargeError, RequestTooSlowError, TooManyOpenError
from gateway.setting_groups import DoorSettings
from tests.support.web import is_problem, refusals, server_of

LIMITS = {
    "body_grace_seconds": 0.05,
    "body_bytes_per_second": 1000,
    "body_seconds": 0.3,
    "max_bodies_bytes": 4000,
    "max_open_per_tenant": 3,
    "refusal_seconds": 0.01,
}


@pytest.fixture
def requests():
    return OpenRequests(DoorSettings(**LIMITS), largest=1500)


async def parts(*sizes, every=0.0, last=None):
    """A body that comes in parts, and does not end if it is told to wait."""
    for size in sizes:
        await asyncio.sleep(every)
        yield b"x" * size
    if last is not None:
        await last


class TestPace:
    def test_what_came_buys_time(self):
        """
        After the grace the rate counts, and the end of all time in any case.
        """
        pace = Pace(grace_seconds=5, bytes_per_second=100, most_seconds=60)
        assert [pace.due(received) for received in (0, 1000, 10**9)] == [5, 15, 60]


class TestOpenRequests:
    async def test_a_body_that_comes(self, requests):
        """
        What comes fast enough is read whole; what it takes counts until its request ends.
        """
        with ExitStack() as until:
            assert await requests.read(parts(100, 200, 300), "a", until) == b"x" * 600
            assert requests.held_bytes == 600
        assert requests.held_bytes == 0

    @pytest.mark.parametrize("sizes", [[], [1], [1] * 100, [10] * 100])
    async def test_a_body_that_does_not(self, requests, sizes):
        """
        What stops, or only drips, ends as too slow, and nothing of it counts any more.
        """
        never = asyncio.get_running_loop().create_future()
        with ExitStack() as until, pytest.raises(RequestTooSlowError):
            await requests.read(parts(*sizes, every=0.03, last=never), "a", until)
        assert (requests.held_bytes, requests.slow) == (0, 1)

    async def test_a_body_that_breaks_off(self, requests):
        """
        A body that ends before it is whole is no request.
        """

        async def broken():
            yield b"x"
            raise ClientDisconnect

        with ExitStack() as until, pytest.raises(BodyError):
            await requests.read(broken(), "a", until)
        assert requests.held_bytes == 0

    async def test_memory_is_shared(self, requests):
        """
        A tenant alone has half of the memory, and leaves room for every other's largest body until there is none at all.
        """
        with ExitStack() as until:
            await requests.read(parts(1000), "a", until)
            await requests.read(parts(1000), "a", until)
            with pytest.raises(TooManyOpenError):
                await requests.read(parts(1), "a", until)
            await requests.read(parts(1500), "b", until)
            with pytest.raises(TooManyOpenError):
                await requests.read(parts(1), "b", until)
            with pytest.raises(OverloadedError):
                await requests.read(parts(600), "c", until)
            with pytest.raises(RequestTooLargeError):
                await requests.read(parts(1, 1500), "d", until)
        assert (requests.held_bytes, requests.refused) == (0, 3)

    async def test_open_requests_of_a_tenant(self, requests):
        """
        A tenant has so many requests open at once; another's do not count.
        """
        with ExitStack() as until:
            for _ in range(3):
                await requests.enter("a", until)
            with pytest.raises(TooManyOpenError):
                await requests.enter("a", until)
            await requests.enter("b", until)
            assert requests.count == 4
        assert requests.count == 0


async def stopped(wait):
    """A body that begins and stops."""
    yield b"{"
    await wait
    yield b"}"


DOORS = ["/v1/packs", "/v1/rulings", "/v1/citations/verify", "/access/v1/evaluation", "/access/v1/evaluations"]


async def test_slow_bodies_take_no_place(client, token):
    """
    However many bodies of one tenant stop, at whichever door, no place at work is taken; one more request hears 429.
    """
    server, headers = server_of(client), {"authorization": f"Bearer {token(scope='packs:write')}"}
    server.queue = FairQueue(limit=2, waiting=2)
    server.open = OpenRequests(DoorSettings(max_open_per_tenant=6, refusal_seconds=0.01), largest=10_000)
    for path in DOORS:
        end = asyncio.get_running_loop().create_future()
        slow = [asyncio.create_task(client.post(path, content=stopped(end), headers=headers)) for _ in range(6)]
        while server.open.held_bytes < 6:
            await asyncio.sleep(0.01)
        assert (server.queue.working, server.queue.waiting) == (0, 0), path
        is_problem(await client.post(path, content=b"{}", headers=headers), 429, "GW-157")
        end.set_result(None)
        assert {answer.status_code for answer in await asyncio.gather(*slow)} <= {422, 503}
        assert (server.open.count, server.open.held_bytes, server.queue.working) == (0, 0, 0)


async def test_a_slow_body_is_on_record(client, token):
    """
    A known caller whose body does not come hears 408, which is on record; who is refused for load is only counted.
    """
    server_of(client).open = OpenRequests(DoorSettings(body_grace_seconds=0.05), largest=10_000)
    headers = {"authorization": f"Bearer {token(scope='packs:write')}"}
    never = asyncio.get_running_loop().create_future()
    answer = await client.post("/v1/packs", content=stopped(never), headers=headers)
    is_problem(answer, 408, "GW-156")
    assert refusals(client) == [(("GW-156",), "denied")]
    server_of(client).open = OpenRequests(DoorSettings(max_bodies_bytes=1024), largest=1024)
    full = await client.post("/v1/packs", content=json.dumps("x" * 2000), headers=headers)
    is_problem(full, 413, "GW-131")
