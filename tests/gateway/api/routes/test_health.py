"""Alive and ready."""

import asyncio

from tests.support.web import gateway_of


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
