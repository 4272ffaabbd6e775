"""Traces over HTTP: what a request did, without any content, and never a reason to fail."""

import json

from gateway.errors import StoreError
from tests.support.web import TRACE, gateway_of


async def test_the_blueprints_document(client, token, pack):
    """
    The trace of a request tells its stages and sources, to whoever may read the ledger of its tenant, and no content.
    """
    read = {"authorization": f"Bearer {token(scope='ledger:read')}"}
    [trace] = (await client.get(f"/v1/traces/{TRACE}", headers=read)).json()["traces"]
    assert (trace["trace_id"], trace["agent_id"], trace["pack_id"]) == (TRACE, "RISK", pack["id"])
    stages = {"classify", "scope", "gather", "admit", "screen", "recall", "release", "redact", "quarantine", "record"}
    assert stages | {"rank", "budget", "assemble", "seal"} <= set(trace["pipeline_stages"])
    assert all(one["duration_ms"] >= 0 for one in trace["pipeline_stages"].values())
    tokens = sum(one["tokens"] for one in trace["sources_used"])
    assert trace["context_package_size_tokens"] == tokens + trace["framing_tokens"]
    assert trace["user_id"] != "sarah.lim"
    for section in pack["sections"]:
        for item in section["items"]:
            assert str(item["content"])[:60] not in json.dumps(trace)
    other = {"authorization": f"Bearer {token(scope='ledger:read', tenant='other')}"}
    assert (await client.get(f"/v1/traces/{TRACE}", headers=other)).status_code == 404
    nobody = {"authorization": f"Bearer {token()}"}
    assert (await client.get(f"/v1/traces/{TRACE}", headers=nobody)).status_code == 403


async def test_a_table_that_fails_fails_no_request(client, post, small, monkeypatch):
    """
    Traces that cannot be kept are counted as lost, and the pack is handed over.
    """

    def fail(statement, rows):
        raise StoreError("gone")

    monkeypatch.setattr(gateway_of(client).traces._rows, "write", fail)
    assert (await post("/v1/packs", small)).status_code == 200
    await gateway_of(client).traces.settle()
    assert "ctxgate_traces_lost_total 1.0" in (await client.get("/metrics")).text
