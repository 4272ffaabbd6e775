"""Four times what it can do: what is let in is answered and on record, the rest is refused before any work, memory stays."""

import asyncio
import json
import os
import random
import signal
import statistics
import sys
import time

from collections import Counter

import httpx
import pytest

from bench.common import SUBJECT, request, signed
from bench.load import Server
from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.keys import development_issuer
from gateway.settings import HOME, Settings
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.sqlite.store import SqliteStore
from ledger.verify import verify
from tools.loopback import free_port


class Load:
    """Requests of seen content, each a new decision, and what became of them."""

    def __init__(self, client, settings):
        self.client, self.codes, self.packs, self.waits, self.retry = client, Counter(), set(), [], True
        self.seen = signed(request(20, 1100, 1), settings)

    async def one(self, due=None):
        began = due or time.perf_counter()
        body = {**self.seen, "query": f"number {random.random()}"}
        answer = await self.client.post("/v1/packs", content=json.dumps(body))
        self.codes[answer.status_code] += 1
        if answer.status_code == 200:
            self.packs.add(answer.json()["id"])
            self.waits.append(time.perf_counter() - began)
        else:
            self.retry &= answer.headers.get("retry-after") == "1" or answer.status_code == 504
        return answer.status_code

    async def closed(self, clients, seconds):
        """What that many clients get through, in requests a second."""
        began, done = time.perf_counter(), 0

        async def worker():
            nonlocal done
            while time.perf_counter() - began < seconds:
                status = await self.one()
                done += status == 200

        await asyncio.gather(*(worker() for _ in range(clients)))
        return done / (time.perf_counter() - began)

    async def opened(self, rate, seconds):
        """Requests that are sent when they are due."""
        began, at, tasks = time.perf_counter(), 0.0, []
        while at < seconds:
            await asyncio.sleep(max(0.0, at - (time.perf_counter() - began)))
            tasks.append(asyncio.create_task(self.one(began + at)))
            at += random.expovariate(rate)
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("seconds", [5, pytest.param(60, marks=pytest.mark.soak)])
async def test_four_times_the_load(tmp_path, seconds):
    """
    Under four times the sustainable load what is let in is answered and on record, what is not hears 503 and Retry-After,
    memory stays bounded, and after kill -9 the ledger holds every pack that was answered.
    """
    port, state = free_port(), tmp_path / "state"
    chosen = Settings(state_dir=state)
    claims = {**SUBJECT, "iss": chosen.jwt_issuer, "aud": chosen.jwt_audience, "exp": int(time.time()) + 3600}
    headers = {"authorization": f"Bearer {development_issuer(chosen).token(claims)}"}
    command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
    given = {"PYTHONPATH": str(HOME), "CTXGATE_STATE_DIR": str(state), "CTXGATE_DETECTOR_WORKERS": "0"}
    limits = {"CTXGATE_MAX_CONCURRENT": "2", "CTXGATE_MAX_WAITING": "4", "CTXGATE_REQUEST_SECONDS": "20"}
    server = Server(command, tmp_path, port, "/readyz", **given, **limits)
    try:
        # The server closes what was idle for 5 s; a client that keeps a connection as long asks on one that is being closed.
        unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=1)
        async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=120, limits=unlimited) as client:
            load = Load(client, chosen)
            await load.one()
            sustainable = await load.closed(2, seconds / 2)
            alone, load.waits = statistics.quantiles(load.waits, n=100)[98], []
            before = server.usage()[1]
            await load.opened(4 * sustainable, seconds)
            grown = server.usage()[1] - before
    finally:
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        server.stop()
    assert set(load.codes) <= {200, 503, 504}
    assert load.codes[503] > 0
    assert load.retry
    assert grown < 150
    waited = statistics.quantiles(load.waits, n=100)[98] if len(load.waits) > 1 else 0
    print(f"p99 alone {alone * 1000:.0f} ms, under four times the load {waited * 1000:.0f} ms: {dict(load.codes)}")
    store = SqliteStore(state / "ledger.sqlite")
    done = verify(store, origin=chosen.origin, pin=HeadPin(chosen.pin).read(), keys=log_keys(chosen))
    stored, after = set(), 0
    while after is not None:
        page = store.query(Filter(kind="pack.sealed", after=after, limit=1000))
        stored |= {json.loads(body)["pack"]["id"] for body in page.records}
        after = page.next
    waiting = {json.loads(b)["pack"]["id"] for run in store.waiting(10**6) for b in run.bodies if b'"pack.sealed"' in b}
    store.close()
    assert load.packs <= stored | waiting
    assert len(stored | waiting) - len(load.packs) <= load.codes[504] + 6
    assert done.packs == len(stored | waiting)
