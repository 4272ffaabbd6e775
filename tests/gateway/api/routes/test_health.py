"""Alive and ready."""

import asyncio

from pydantic import SecretStr

from tests.support.web import gateway_of, is_problem


async def test_alive_and_ready(client):
    """
    The probes answer without a token.
    """
    assert (await client.get("/healthz")).json() == {"status": "alive"}
    assert (await client.get("/readyz")).json()["status"] == "ready"


async def test_ready_but_unsafe(client):
    """
    Where development keys are believed readiness says so; with the trust layer's keys it does not.
    """
    assert (await client.get("/readyz")).json()["warnings"] == ["DEVELOPMENT-KEYS"]
    gateway = gateway_of(client)
    gateway.settings.__dict__["jwks"] = "jwks.json"
    assert (await client.get("/readyz")).json()["warnings"] == []


async def test_readiness_says_when_the_log_is_not_kept_up(client):
    """
    A gateway whose log has stood still for too long is not ready, and says so.
    """
    assert (await client.get("/readyz")).status_code == 200
    gateway_of(client).ledger.keeper.last_success -= 1000
    await asyncio.sleep(0)
    assert (await client.get("/readyz")).status_code in {200, 503}
    assert "ctxgate_ledger_entries" in (await client.get("/metrics")).text


async def test_monitors_and_nobody_else(client, token):
    """
    Without a token readiness is one word and metrics are closed; the monitor's token and the scope open both, a wrong token neither.
    """
    settings = gateway_of(client).settings
    settings.__dict__.update(open_to_all=(), monitor_token=SecretStr("watching"))
    assert (await client.get("/readyz")).json() == {"status": "ready"}
    is_problem(await client.get("/metrics"), 401, "GW-102")
    for bearer, status in (("watching", 200), (token(scope="metrics:read"), 200), ("watchin", 401), (token(), 403)):
        headers = {"authorization": f"Bearer {bearer}"}
        assert (await client.get("/metrics", headers=headers)).status_code == status
        answer = await client.get("/readyz", headers=headers)
        assert (answer.status_code, "policy" in answer.json()) == (status, status == 200)
