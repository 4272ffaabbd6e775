"""Whoever is known and refused is on record, whatever was asked; load is turned away from every door alike."""

import asyncio
import json
import re

from datetime import timedelta

import pytest

from gateway.api.admission import FairQueue, Rates
from gateway.api.app import create_app
from gateway.settings import Settings
from tests.conftest import NOW
from tests.gateway.test_api import gateway_of, is_problem
from tests.support.oracle import check_ledger, records

OPEN = {"/healthz", "/readyz", "/metrics", "/checkpoint", "/tile/{rest}"}
OPERATIONS = [
    (method, re.sub(r"\{[^}]+\}", "x", path))
    for path, operations in create_app(Settings()).openapi()["paths"].items()
    for method in operations
    if path not in OPEN
]


def refusals(client):
    return [(one.codes, one.outcome) for one in records(gateway_of(client), kind="request.opened")]


@pytest.fixture
def call(client, token):
    """Ask for something; with a token without scopes, unless claims are given."""

    async def ask(method, path, body=None, headers=None, **claims):
        bearer = {"authorization": f"Bearer {token(**{'scope': 'none:at-all', **claims})}"}
        return await client.request(method, path, content=json.dumps(body or {}), headers={**bearer, **(headers or {})})

    return ask


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
async def test_who_may_not_ask_is_on_record(call, client, subject, method, path):
    """
    At every door that needs a token, one without the scope, or without a parameter, is refused, and that is on record.
    """
    answer = await call(method, path)
    document = is_problem(answer, answer.status_code, answer.json()["code"])
    assert (answer.status_code, document["code"]) in {(403, "GW-107"), (422, "GW-120")}
    assert refusals(client) == [((document["code"],), "denied")]
    check_ledger(gateway_of(client))


async def test_a_refusal_that_is_not_on_record_is_another(call, client, monkeypatch):
    """
    Where the ledger does not take the refusal, the caller hears of that.
    """

    async def broken(*_):
        raise RuntimeError("full")

    monkeypatch.setattr(gateway_of(client).recorder._writer, "append", broken)
    answer = await call("GET", "/v1/ledger/records")
    assert answer.status_code in {500, 503}
    assert not refusals(client)


async def test_a_failure_of_ours_is_on_record(call, client, small, monkeypatch):
    """
    A request that ends in a failure of the gateway's own is on record with its code, and once.
    """
    monkeypatch.setattr(type(gateway_of(client).pipeline), "_classified", lambda *_: 1 / 0)
    is_problem(await call("POST", "/v1/packs", small, scope="packs:write"), 500, "GW-000")
    assert refusals(client) == [(("GW-000",), "denied")]


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
        queue = client.app.state.server.queue = FairQueue(most=1, waiting=0)
        async with queue.place("another"):
            answer = await call(method, path, scope="packs:write")
        is_problem(answer, 503, "GW-600")
        assert answer.headers["retry-after"]
        assert not refusals(client)

    async def test_deadlines(self, call, client, method, path):
        """
        Who still waits when the time is over hears 504, which is on record; the place is free again.
        """
        queue = client.app.state.server.queue = FairQueue(most=1, waiting=5)
        soon = {"x-request-deadline": (NOW + timedelta(seconds=0.2)).isoformat()}
        async with queue.place("another"):
            is_problem(await call(method, path, headers=soon, scope="packs:write"), 504, "GW-601")
        assert refusals(client) == [(("GW-601",), "denied")]
        await asyncio.sleep(0)
        assert (queue.working, queue.waiting) == (0, 0)
