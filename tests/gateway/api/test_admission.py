"""At the door: rates, turns and deadlines, at every door that does work."""

import asyncio

from datetime import timedelta

import pytest

from gateway.api.admission import HEADER, FairQueue, Rates, seconds_left, within
from gateway.errors import (
    ConfigurationError,
    DeadlineExceededError,
    FieldInvalidError,
    OverloadedError,
    RateLimitedError,
)
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.web import gateway_of, is_problem, refusals, server_of


async def test_too_many_at_once(post, client, small):
    """
    Over the limit of requests under way the answer is 503 with Retry-After, and nothing is done.
    """
    client.app.state.server.queue = FairQueue(limit=0, waiting=0)
    response = await post("/v1/packs", small)
    is_problem(response, 503, "GW-600")
    assert response.headers["retry-after"] == "1"


DOORS = [
    ("POST", "/v1/packs"),
    ("POST", "/v1/rulings"),
    ("POST", "/v1/citations/verify"),
    ("GET", "/v1/artifacts/x"),
]


@pytest.mark.parametrize(("method", "path"), DOORS)
class TestLoad:
    async def test_rates(self, call, client, method, path):
        """
        Over its rate a tenant is turned away, uncounted in the ledger.
        """
        client.app.state.server.rates = Rates("1/hour", None)
        await call(method, path, scope="packs:write")
        seen = refusals(client)
        is_problem(await call(method, path, scope="packs:write"), 429, "GW-602")
        assert refusals(client) == seen

    async def test_a_full_queue(self, call, client, method, path):
        """
        While others work, who finds no place to wait is turned away at once.
        """
        queue = client.app.state.server.queue = FairQueue(limit=1, waiting=0)
        async with queue.slot("another"):
            answer = await call(method, path, scope="packs:write")
        is_problem(answer, 503, "GW-600")
        assert answer.headers["retry-after"]
        assert not refusals(client)

    async def test_deadlines(self, call, client, method, path):
        """
        Who still waits when the time is over hears 504, which is on record; the place is free again.
        """
        queue = client.app.state.server.queue = FairQueue(limit=1, waiting=5)
        soon = {"x-request-deadline": (NOW + timedelta(seconds=0.2)).isoformat()}
        async with queue.slot("another"):
            is_problem(await call(method, path, headers=soon, scope="packs:write"), 504, "GW-601")
        assert refusals(client) == [(("GW-601",), "denied")]
        await asyncio.sleep(0)
        assert (queue.working, queue.waiting) == (0, 0)


class TestFairQueue:
    async def test_no_more_work_than_allowed_at_once(self):
        """
        However many come, so many work, so many wait, and the rest are refused at once.
        """
        queue, limit, done = FairQueue(limit=3, waiting=4), [0], []

        async def one(n):
            async with queue.slot(f"tenant {n % 5}"):
                limit[0] = max(limit[0], queue.working)
                await asyncio.sleep(0.01)
                done.append(n)

        results = await asyncio.gather(*(one(n) for n in range(20)), return_exceptions=True)
        assert limit == [3]
        assert sum(isinstance(one, OverloadedError) for one in results) == queue.shed == 20 - len(done)
        assert (queue.working, queue.waiting) == (0, 0)

    async def test_tenants_take_turns(self):
        """
        One that floods the gateway waits behind itself: the other's requests come up between its own.
        """
        queue, order = FairQueue(limit=1, waiting=40), []

        async def one(tenant):
            async with queue.slot(tenant):
                order.append(tenant)
                await asyncio.sleep(0)

        flood = [asyncio.create_task(one("flood")) for _ in range(15)]
        await asyncio.sleep(0)
        quiet = [asyncio.create_task(one("quiet")) for _ in range(3)]
        await asyncio.gather(*flood, *quiet)
        assert [slot for slot, tenant in enumerate(order) if tenant == "quiet"][-1] <= 7

    async def test_a_flood_leaves_places_for_others(self):
        """
        One tenant cannot take all the places to wait in.
        """
        queue = FairQueue(limit=1, waiting=10)
        gate = asyncio.Event()

        async def one(tenant):
            async with queue.slot(tenant):
                await gate.wait()

        flood = [asyncio.create_task(one("flood")) for _ in range(30)]
        await asyncio.sleep(0.01)
        quiet = [asyncio.create_task(one("quiet")) for _ in range(3)]
        await asyncio.sleep(0.01)
        gate.set()
        assert not any(isinstance(one, Exception) for one in await asyncio.gather(*quiet, return_exceptions=True))
        assert (
            sum(isinstance(one, OverloadedError) for one in await asyncio.gather(*flood, return_exceptions=True)) > 20
        )

    async def test_a_flood_leaves_places_to_work(self):
        """
        However long one tenant's requests take, another finds a place to work at once; a place goes to whoever has a share left.
        """
        queue, gate, quick = FairQueue(limit=6, waiting=40), asyncio.Event(), []

        async def slow():
            async with queue.slot("flood"):
                await gate.wait()

        async def one(tenant):
            async with queue.slot(tenant):
                quick.append(tenant)

        flood = [asyncio.create_task(slow()) for _ in range(10)]
        await asyncio.sleep(0)
        assert (queue.working, queue.waiting) == (3, 7)
        for tenant in ("quiet", "other", "quiet"):
            await asyncio.wait_for(one(tenant), 1)
        assert quick == ["quiet", "other", "quiet"]
        assert queue.working == 3
        gate.set()
        await asyncio.gather(*flood)
        assert (queue.working, queue.waiting) == (0, 0)

    async def test_who_leaves_gives_the_place_back(self):
        """
        A caller who gives up while waiting, or at work, leaves no place taken.
        """
        queue = FairQueue(limit=1, waiting=10)

        async def one():
            async with queue.slot("a"):
                await asyncio.sleep(10)

        tasks = [asyncio.create_task(one()) for _ in range(5)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (queue.working, queue.waiting) == (0, 0)
        async with queue.slot("b"):
            assert queue.working == 1


class TestRates:
    async def test_by_tenant_and_by_agent(self):
        """
        Each tenant, and each of its agents, may ask so often; the others do not notice.
        """
        rates = Rates("3/hour", "2/hour")
        for _ in range(3):
            await rates.tenant("a")
        with pytest.raises(RateLimitedError):
            await rates.tenant("a")
        await rates.tenant("b")
        for _ in range(2):
            await rates.agent("a", "RISK")
        with pytest.raises(RateLimitedError):
            await rates.agent("a", "RISK")
        await rates.agent("a", "OTHER")
        await rates.agent("b", "RISK")

    def test_what_is_no_rate(self):
        """
        A rate that cannot be read is refused at start.
        """
        with pytest.raises(ConfigurationError):
            Rates("many", None)

    async def test_over_http(self, client, send, small):
        """
        Over its rate a tenant hears 429 with Retry-After, and nothing is done or recorded.
        """
        server_of(client).rates = Rates("1/hour", None)
        assert (await send(small)).status_code == 200
        before = len(records(gateway_of(client)))
        answer = await send(small)
        assert (answer.status_code, answer.json()["code"]) == (429, "GW-602")
        assert "retry-after" in answer.headers
        assert len(records(gateway_of(client))) == before


class TestDeadlines:
    async def test_a_deadline_that_passes_releases_nothing(self, client, send, small, monkeypatch):
        """
        A request that takes longer than its caller allows ends with 504, on record, and without a pack.
        """
        policy = gateway_of(client).switching
        real = policy.evaluate

        async def slow(*question):
            await asyncio.sleep(1)
            return await real(*question)

        monkeypatch.setattr(type(policy), "pinned", lambda self: self)
        monkeypatch.setattr(policy, "evaluate", slow, raising=False)
        soon = (NOW + timedelta(seconds=0.3)).isoformat()
        answer = await send(small, x_request_deadline=soon)
        assert (answer.status_code, answer.json()["code"]) == (504, "GW-601")
        assert not records(gateway_of(client), kind="pack.sealed")
        [refused] = records(gateway_of(client), kind="request.opened")
        assert refused.codes == ("GW-601",)
        assert server_of(client).queue.working == 0

    async def test_deadlines_on_arrival(self, client, send, small):
        """
        One that has passed is refused at once, one that is no time names the header, a distant one changes nothing.
        """
        past = await send(small, x_request_deadline=(NOW - timedelta(seconds=1)).isoformat())
        assert past.status_code == 504
        broken = await send(small, x_request_deadline="soon")
        assert broken.json()["errors"][0]["field"] == "x-request-deadline"
        assert (await send(small, x_request_deadline="2031-01-01T00:00:00Z")).status_code == 200


class TestSecondsLeft:
    def test_the_callers_word_within_the_setting(self):
        """
        A caller may ask for less time than the setting gives, and not for more.
        """
        soon = (NOW + timedelta(seconds=2)).isoformat()
        assert seconds_left(soon, NOW, 5.0) == 2.0
        assert seconds_left(soon, NOW, 1.0) == 1.0
        assert seconds_left(None, NOW, 5.0) == 5.0

    @pytest.mark.parametrize("header", ["soon", "", "2026-03-01T09:20:00", "2026-03-01"])
    def test_what_is_no_time(self, header):
        """
        A time without an offset is none, and the header is named.
        """
        with pytest.raises(FieldInvalidError) as caught:
            seconds_left(header, NOW, 5.0)
        assert caught.value.fields[0][0] == HEADER

    def test_a_time_that_has_come(self):
        """
        At the deadline itself nothing is begun any more.
        """
        for header in (NOW, NOW - timedelta(microseconds=1)):
            with pytest.raises(DeadlineExceededError):
                seconds_left(header.isoformat(), NOW, 5.0)

    async def test_work_that_is_late_is_our_error(self):
        """
        Work beyond its time ends as a deadline; a time-out of its own does not.
        """
        with pytest.raises(DeadlineExceededError):
            async with within(0.01):
                await asyncio.sleep(60)
        with pytest.raises(KeyError):
            async with within(60):
                raise KeyError
