"""The officers' calls: each step needs its scope and a revision that is known."""

from tests.support.bundles import OFFICER, SHIPPED, files
from tests.support.oracle import records
from tests.support.web import gateway_of


async def test_scopes_and_names(post, client, token):
    """
    Each step needs its scope, and a revision that was proposed or active.
    """
    unknown = {"revision": "sha256:" + "0" * 64}
    for path, scope, body, code in (
        ("propose", "policy:activate", {"files": files()}, "GW-107"),
        ("activate", "policy:propose", unknown, "GW-107"),
        ("activate", OFFICER, unknown, "GW-170"),
        ("propose", "policy:propose", {"files": {}}, "GW-181"),
        ("activate", "policy:activate", unknown, "GW-181"),
        ("rollback", "policy:activate", unknown, "GW-181"),
        ("shadow", "policy:propose policy:governor govern", unknown, "GW-181"),
        ("rollback", OFFICER, unknown, "GW-170"),
        ("simulate", OFFICER, unknown, "GW-170"),
        ("shadow", OFFICER, unknown, "GW-170"),
        ("activate", OFFICER, {"revision": "../../etc/passwd"}, "GW-120"),
        ("propose", OFFICER, {"files": {"../x.yaml": "a: 1"}}, "GW-203"),
    ):
        answer = await post(f"/v1/policy/{path}", body, scope=scope)
        assert answer.json()["code"] == code, path
    headers = {"authorization": f"Bearer {token(scope=OFFICER)}"}
    shown = (await client.get("/v1/policy", headers=headers)).json()
    assert shown["active"]["revision"] == SHIPPED.revision


async def test_every_tenant_finds_what_was_done_to_the_bundle(post, get, client):
    """
    What an officer of one tenant does to the bundle, which decides for all, is found by the auditors of every tenant, with its
    proof; nothing else of the gateway's own, or of that tenant, is.
    """
    refused = await post("/v1/policy/propose", {"files": {"x.yaml": "a: 1"}}, sub="ann", scope=OFFICER)
    assert refused.json()["code"] == "GW-203"
    for tenant in ("gfm", "asia"):
        found = (await get("/v1/ledger/records?of=gateway", tenant=tenant)).json()["records"]
        assert [one["kind"] for one in found] == ["bundle.activated", "bundle.rejected"]
        name = found[-1]["decision_id"]
        assert found[-1]["subject"]
        assert (await get(f"/v1/ledger/records/{name}", tenant=tenant)).json() == found[-1]
        assert (await get(f"/v1/ledger/records/{name}/proof", tenant=tenant)).status_code == 200
        by_kind = await get("/v1/ledger/records?of=gateway&kind=lane.opened", tenant=tenant)
        assert by_kind.json()["records"] == []
    [opened] = records(gateway_of(client), kind="lane.opened")
    assert (await get(f"/v1/ledger/records/{opened.decision_id}")).json()["code"] == "GW-170"
    assert "bundle.rejected" not in (await get("/v1/ledger/records", tenant="asia")).text
    assert (await get("/v1/ledger/records?of=all")).json()["code"] == "GW-120"
