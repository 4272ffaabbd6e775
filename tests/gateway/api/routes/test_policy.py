"""The officers' calls: each step needs its scope and a revision that is known."""

from tests.support.bundles import OFFICER, SHIPPED, files


async def test_scopes_and_names(post, client, token):
    """
    Each step needs its scope, and a revision that was proposed or active.
    """
    unknown = {"revision": "sha256:" + "0" * 64}
    for path, scope, body, code in (
        ("propose", "policy:activate", {"files": files()}, "GW-107"),
        ("activate", "policy:propose", unknown, "GW-107"),
        ("activate", OFFICER, unknown, "GW-170"),
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
