"""At the door: rates, turns, deadlines, and the same answer for the same key."""

import asyncio
import json

from datetime import timedelta

import pytest

from gateway.api.admission import FairQueue, Rates
from gateway.errors import ConfigurationError, OverloadedError, RateLimitedError
from tests.conftest import NOW
from tests.support.oracle import check_ledger, records


def gateway_of(client):
    return client.app.state.gateway


def server_of(client):
    return client.app.state.server


@pytest.fixture
def send(client, token):
    """Post a request with headers."""

    async def post(body, path="/v1/packs", claims=None, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        bearer = {"authorization": f"Bearer {token(**(claims or {}))}"}
        return await client.post(path, content=content, headers={**bearer, **named})

    return post


class TestFairQueue:
    async def test_no_more_work_than_allowed_at_once(self):
        """
        However many come, so many work, so many wait, and the rest are refused at once.
        """
        queue, most, done = FairQueue(most=3, waiting=4), [0], []

        async def one(n):
            async with queue.place(f"tenant {n % 5}"):
                most[0] = max(most[0], queue.working)
                await asyncio.sleep(0.01)
                done.append(n)

        results = await asyncio.gather(*(one(n) for n in range(20)), return_exceptions=True)
        assert most == [3]
        assert sum(isinstance(one, OverloadedError) for one in results) == queue.shed == 20 - len(done)
        assert (queue.working, queue.waiting) == (0, 0)

    async def test_tenants_take_turns(self):
        """
        One that floods the gateway waits behind itself: the other's requests come up between its own.
        """
        queue, order = FairQueue(most=1, waiting=40), []

        async def one(tenant):
            async with queue.place(tenant):
                order.append(tenant)
                await asyncio.sleep(0)

        flood = [asyncio.create_task(one("flood")) for _ in range(15)]
        await asyncio.sleep(0)
        quiet = [asyncio.create_task(one("quiet")) for _ in range(3)]
        await asyncio.gather(*flood, *quiet)
        assert [place for place, tenant in enumerate(order) if tenant == "quiet"][-1] <= 7

    async def test_a_flood_leaves_places_for_others(self):
        """
        One tenant cannot take all the places to wait in.
        """
        queue = FairQueue(most=1, waiting=10)
        gate = asyncio.Event()

        async def one(tenant):
            async with queue.place(tenant):
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

    async def test_who_leaves_gives_the_place_back(self):
        """
        A caller who gives up while waiting, or at work, leaves no place taken.
        """
        queue = FairQueue(most=1, waiting=10)

        async def one():
            async with queue.place("a"):
                await asyncio.sleep(10)

        tasks = [asyncio.create_task(one()) for _ in range(5)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (queue.working, queue.waiting) == (0, 0)
        async with queue.place("b"):
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


class TestIdempotency:
    async def test_the_same_key_and_body(self, client, send, small):
        """
        A repeat at a later time gives the same bytes and no second set of records, also after a restart.
        """
        gateway = gateway_of(client)
        first = await send(small, idempotency_key="k-1")
        count = len(records(gateway))
        object.__setattr__(gateway, "clock", lambda: NOW + timedelta(minutes=7))
        again = await send(small, idempotency_key="k-1", claims={"exp": int(NOW.timestamp()) + 7200})
        assert first.status_code == again.status_code == 200
        assert first.content == again.content
        assert len(records(gateway)) == count
        other = await send(small, claims={"exp": int(NOW.timestamp()) + 7200})
        assert other.content != first.content

    async def test_another_body(self, send, small):
        """
        The same key with another body, path or person is another request: 409, or that person's own key.
        """
        await send(small, idempotency_key="k-1")
        clash = await send({**small, "query": "other"}, idempotency_key="k-1")
        assert (clash.status_code, clash.json()["code"]) == (409, "GW-180")
        assert (await send(small, path="/v1/rulings", idempotency_key="k-1")).status_code == 409
        assert (await send(small, idempotency_key="k-1", claims={"sub": "somebody.else"})).status_code == 200
        assert (await send(small, idempotency_key="k-1", claims={"tenant": "other"})).status_code in {200, 403}

    async def test_a_crash_before_the_answer(self, client, send, small):
        """
        A claim without an answer, as a crash leaves it, is decided at its own time again, to the same records.
        """
        gateway = gateway_of(client)
        first = await send(small, idempotency_key="k-1")
        count = len(records(gateway))
        gateway.answers.rows.write("UPDATE answers SET body = NULL WHERE tenant = ?", [("gfm",)])
        object.__setattr__(gateway, "clock", lambda: NOW + timedelta(seconds=30))
        again = await send(small, idempotency_key="k-1")
        assert again.content == first.content
        assert len(records(gateway)) == count
        check_ledger(gateway)

    async def test_a_refusal_frees_the_key(self, send, small):
        """
        A request that failed may be sent again under its key, and is decided anew.
        """
        refused = await send({**small, "agent_id": "nobody"}, idempotency_key="k-1")
        assert refused.status_code == 422
        assert (await send(small, idempotency_key="k-1")).status_code == 200

    async def test_at_once(self, send, small):
        """
        Two at once under one key: one is answered, the other hears that it is under way, or the same answer.
        """
        answers = await asyncio.gather(*(send(small, idempotency_key="k-1") for _ in range(4)))
        codes = sorted(one.status_code for one in answers)
        assert 200 in codes
        assert set(codes) <= {200, 409}
        assert len({one.content for one in answers if one.status_code == 200}) == 1

    async def test_keys_that_are_none(self, send, small):
        """
        An empty or unprintable key names the header.
        """
        for key in ("", "x" * 201, "a b"):
            answer = await send(small, idempotency_key=key)
            assert answer.json()["errors"][0]["field"] == "idempotency-key"

    async def test_nothing_is_kept_in_the_clear(self, settings, client, send, small):
        """
        Kept answers are sealed, and neither keys nor bodies stand beside them.
        """
        answer = await send(small, idempotency_key="my-secret-key")
        stored = b"".join(path.read_bytes() for path in settings.state_dir.glob("aside.sqlite*"))
        assert b"my-secret-key" not in stored
        assert answer.json()["id"].encode() not in stored


async def test_a_kept_answer_is_erased_with_its_person(client, send, small, subject):
    """
    Erasing a person deletes the answers kept for their repeats, and nobody else's.
    """
    await send(small, idempotency_key="k-1")
    await send(small, idempotency_key="k-1", claims={"sub": "somebody.else"})
    erased = await send(
        {"subject": subject["sub"], "basis": "x"},
        path="/v1/ledger/erasures",
        claims={"scope": "erasure:write", "sub": "dpo"},
    )
    assert erased.json()["answers"] == 1
    left = gateway_of(client).answers.rows.read("SELECT count(*) FROM answers WHERE body IS NOT NULL")
    assert left == [(1,)]
