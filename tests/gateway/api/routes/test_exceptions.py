"""Exceptions on request over HTTP: who may do what, and what is shown."""

import pytest

from tests.support.erasing import forget_over_http
from tests.support.web import gateway_of, is_problem

ASKED = {
    "codes": ["JUR-002"],
    "scope": {"jurisdiction": "HK", "department": "COO", "entity_id": "NPA-2026-00142"},
    "expires": "2026-03-20T00:00:00Z",
    "owner": "COO office",
    "reason": "The review needs it.",
}
WHY = {"reason": "Agreed with Legal."}
LEGAL = {"role": "approver", "department": "LEGAL"}


async def test_each_step_has_a_scope_of_its_own(post, client, token):
    """
    A token that may ask does not approve, one of neither sees nothing, and an auditor sees all and ends nothing.
    """
    asked = await post("/v1/exceptions", ASKED, sub="ann", scope="exceptions:ask")
    name = asked.json()["id"]
    for path, body, scope in (
        ("/v1/exceptions", ASKED, "exceptions:approve"),
        (f"/v1/exceptions/{name}/approve", WHY, "exceptions:ask"),
        (f"/v1/exceptions/{name}/revoke", WHY, "ledger:read"),
    ):
        is_problem(await post(path, body, sub="ben", scope=scope, **LEGAL), 403, "GW-107")
    headers = {"authorization": f"Bearer {token(sub='ben', scope='packs:write')}"}
    is_problem(await client.get("/v1/exceptions", headers=headers), 403, "GW-107")
    auditor = {"authorization": f"Bearer {token(sub='ada', scope='ledger:read')}"}
    told = (await client.get("/v1/exceptions", headers=auditor)).json()
    assert [one["id"] for one in told["exceptions"]] == [name]
    assert "EXC-2026-001" in [one["id"] for one in told["of_the_bundle"]]
    foreign = {"authorization": f"Bearer {token(sub='ada', tenant='asia', scope='ledger:read')}"}
    assert (await client.get("/v1/exceptions", headers=foreign)).json()["exceptions"] == []
    is_problem(await client.get(f"/v1/exceptions/{name}", headers=foreign), 404, "GW-170")


@pytest.mark.parametrize(
    "changes",
    [
        {"codes": []},
        {"codes": ["JUR-001", "JUR-001"]},
        {"codes": ["JUR-002"] * 21},
        {"expires": "tomorrow"},
        {"expires": "2026-03-20"},
        {"reason": "short"},
        {"scope": {"everything": "yes"}},
        {"scope": {"jurisdiction": ["HK"]}},
        {"trigger": {"max_uses": 0}},
        {"trigger": {"max_uses": "5"}},
        {"trigger": {"when": "the successor is published"}},
        {"trigger": {"while_bundle": "newest"}},
        {"owner": ""},
        {"approved": {}},
    ],
)
async def test_what_is_no_exception_is_refused_with_its_field(post, client, changes):
    """
    Nothing is kept of what is not whole; words are no trigger, since nobody acts on them.
    """
    answer = await post("/v1/exceptions", {**ASKED, **changes}, sub="ann", scope="exceptions:ask")
    assert (answer.status_code, answer.json()["code"][:5]) == (422, "GW-12"), answer.text
    assert answer.json()["errors"][0]["field"].startswith(next(iter(changes)))
    assert await gateway_of(client).stores.waivers.all_of("gfm") == []


async def test_how_they_stand_is_measured(post, client):
    """
    Whoever watches sees how many are asked for, in force, lapse soon and were never used, of all tenants and of none by name.
    """
    name = (
        await post("/v1/exceptions", {**ASKED, "expires": "2026-03-10T00:00:00Z"}, sub="ann", scope="exceptions:ask")
    ).json()["id"]
    await post("/v1/exceptions", ASKED, sub="ann", scope="exceptions:ask")
    approved = await post(f"/v1/exceptions/{name}/approve", WHY, sub="ben", scope="exceptions:approve", **LEGAL)
    assert approved.json()["needs_a_look"] == ["lapses", "never used"]
    text = (await client.get("/metrics")).text
    for state in ("asked", "in_force", "lapsing", "never_used"):
        assert f'ctxgate_exceptions{{state="{state}"}} 1.0' in text


async def test_who_is_erased_leaves_the_exception(post, client, small):
    """
    The officer's name and words go and the exception stays in force, proved by its records.
    """
    name = (await post("/v1/exceptions", ASKED, sub="ann", scope="exceptions:ask")).json()["id"]
    await post(f"/v1/exceptions/{name}/approve", WHY, sub="ben", scope="exceptions:approve", **LEGAL)
    erased = await forget_over_http(post, "ben")
    assert erased.status_code == 200, erased.text
    kept = await gateway_of(client).stores.waivers.one_of("gfm", name)
    assert (kept.waiver.state, kept.waiver.approved.person) == ("approved", None)
    assert "Legal" not in kept.waiver.model_dump_json().replace('"LEGAL"', "")
    assert (await post("/v1/rulings", small, scope="rulings:write packs:write")).status_code == 200


async def test_a_path_with_two_methods_names_both(client):
    """
    Whoever sends a method that there is not reads all that there are.
    """
    answer = await client.request("DELETE", "/v1/exceptions")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")
    assert "allow" not in (await client.get("/v1/nothing")).headers
