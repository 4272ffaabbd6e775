"""Alive and ready."""

import asyncio

from datetime import timedelta

import httpx

from pydantic import SecretStr

from gateway.bootstrap.poller import BundlePoller
from gateway.model import utc_text
from gateway.policy.supply.numbering import Numbering
from tests.support.bundles import OFFICER, SHIPPED, WEB_FOR_RISK, activated, files
from tests.support.oracle import records
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


async def test_a_bundle_that_has_expired_is_told_of_and_then_refuses(post, client, small):
    """
    Within the grace readiness and metrics say that the bundle has expired, and it decides; after it every request is refused with
    its own code, on record, and officers can still let another bundle decide.
    """
    gateway = gateway_of(client)
    expired = utc_text(gateway.clock() - timedelta(hours=1))
    gateway.freshness.adopted(SHIPPED.revision, Numbering(serial=7, expires=expired))
    assert "BUNDLE-EXPIRED" in (await client.get("/readyz")).json()["warnings"]
    assert "ctxgate_bundle_valid_seconds -3600.0" in (await client.get("/metrics")).text
    assert (await post("/v1/packs", small)).status_code == 200

    long_ago = utc_text(gateway.clock() - timedelta(hours=73))
    gateway.freshness.adopted(SHIPPED.revision, Numbering(serial=8, expires=long_ago))
    refused = await post("/v1/packs", small)
    assert (refused.status_code, refused.json()["code"]) == (503, "GW-206")
    assert records(gateway, kind="request.opened")[-1].codes == ("GW-206",)
    proposed = await post("/v1/policy/propose", {"files": files(WEB_FOR_RISK)}, sub="ann", scope=OFFICER)
    assert (await activated(post, proposed.json())).status_code == 200
    assert (await post("/v1/packs", small)).status_code == 200
    assert "BUNDLE-EXPIRED" not in (await client.get("/readyz")).json()["warnings"]


async def test_fetching_that_fails_is_told_of(client):
    """
    Where the bundle server has not answered for several turns readiness and metrics say so.
    """

    async def nothing(_):
        """Neither adopts nor refuses."""

    def down(_):
        raise httpx.ConnectError("down")

    gateway = gateway_of(client)
    async with httpx.AsyncClient(transport=httpx.MockTransport(down)) as server:
        poller = BundlePoller("http://b.test/b", server, read=bytes, adopt=nothing, refuse=nothing, seconds=1)
        object.__setattr__(gateway, "poller", poller)
        for told in (False, False, True):
            await poller.turn()
            assert ("BUNDLES-NOT-FETCHED" in (await client.get("/readyz")).json()["warnings"]) is told
    text = (await client.get("/metrics")).text
    assert "ctxgate_bundle_poll_failures_total 3.0" in text
    assert "ctxgate_bundle_poll_age_seconds" in text


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
