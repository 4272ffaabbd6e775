"""How a bundle comes to decide: proposals, the second officer, rollback, and refusals with a report."""

import pytest

from gateway.bootstrap import gateway as bootstrap
from gateway.workbench.desk.proved import PROOFS_OFF
from tests.support.bundles import OFFICER, SHIPPED, WEB_FOR_RISK, activated, files
from tests.support.oracle import check_ledger, records
from tests.support.web import gateway_of, web_outcome


async def test_from_proposal_to_rollback(post, client, story):
    """
    One officer proposes, another activates; the change decides from the next request on, and can be taken back.
    """
    assert await web_outcome(post, story) == "denied"
    proposed = await post("/v1/policy/propose", {"files": files(WEB_FOR_RISK)}, sub="ann", scope=OFFICER)
    assert proposed.status_code == 200, proposed.text
    revision = proposed.json()["revision"]
    assert any("risk_assessment is added" in sentence for sentence in proposed.json()["differences"])

    simulated = await post("/v1/policy/simulate", {"revision": revision}, sub="ann", scope=OFFICER)
    assert simulated.json()["flips"] == {"newly-released": 1}
    assert simulated.json()["by_code"] == {"newly-released": {"TRU-003": 1}}

    for same in (
        {"sub": "ann"},
        {"sub": "ANN"},
        {"sub": "\uff21nn"},
        {"sub": "a nn"},
        {"sub": "ann", "tenant": "asia"},
    ):
        own = await post("/v1/policy/activate", {"revision": revision}, scope=OFFICER, **same)
        assert (own.status_code, own.json()["code"]) == (403, "GW-154"), same
    other = await activated(post, proposed.json())
    assert other.json() == {"active": revision}
    assert await web_outcome(post, story) == "released"

    back = await post("/v1/policy/rollback", {"revision": SHIPPED.revision}, sub="ann", scope=OFFICER)
    assert back.json() == {"active": SHIPPED.revision, "flag": "BREAK-GLASS"}
    assert await web_outcome(post, story) == "denied"

    assert 'ctxgate_bundles_total{event="broke_glass"} 1.0' in (await client.get("/metrics")).text
    await _no_way_forward(post, revision)
    steps = records(gateway_of(client), kind="bundle.activated")
    assert [(step.policy.revision, step.codes) for step in steps] == [
        (SHIPPED.revision, ("STARTED",)),
        (revision, ("ACTIVATED", "CASES-ACKNOWLEDGED")),
        (SHIPPED.revision, ("BREAK-GLASS", "ROLLED-BACK")),
        (revision, ("ROLLED-BACK",)),
    ]
    proposals = records(gateway_of(client), kind="bundle.proposed")
    assert [step.codes for step in proposals] == [("PROPOSED",), ("ROLLBACK-PROPOSED",)]
    assert {step.tenant for step in (*steps, *proposals)} == {"-"}
    assert all(step.subject for step in (*steps[1:], *proposals))
    check_ledger(gateway_of(client))


async def test_the_second_officer_sees_what_was_found(post, client, token):
    """
    Who proposed, when, what differs and which cases go is shown as it was found; without acknowledging exactly these cases nobody
    activates, and what was found cannot be changed behind the record.
    """
    proposed = (await post("/v1/policy/propose", {"files": files(WEB_FOR_RISK)}, sub="ann", scope=OFFICER)).json()
    headers = {"authorization": f"Bearer {token(sub='ben', scope=OFFICER)}"}
    path = f"/v1/policy/proposals/{proposed['revision']}"
    assert (await client.get("/v1/policy/proposals", headers=headers)).json()["candidates"] == [proposed["revision"]]
    shown = (await client.get(path, headers=headers)).json()
    assert (shown["proposed_by"], shown["stale"]) == ("ann", False)
    assert shown["proposed_at"].startswith("2026-03-01T09:15")
    assert shown["differences"] == proposed["differences"]
    assert "weakened" in {one["kind"] for one in shown["removed"]}
    gone = [f"{one['case']}: {one['message']}" for one in shown["removed"]]
    assert (shown["cases"], shown["tests"]) == (proposed["cases"], proposed["tests"])
    for given in (None, "sha256:" + "0" * 64):
        blind = await post(
            "/v1/policy/activate", {"revision": proposed["revision"], "acknowledged": given}, sub="ben", scope=OFFICER
        )
        assert (blind.status_code, blind.json()["code"]) == (409, "GW-235")
        assert [one["message"] for one in blind.json()["errors"]] == gone

    lifecycle = gateway_of(client).lifecycle
    folder = gateway_of(client).settings.bundles_dir
    [kept] = folder.glob("*.review")
    found = kept.read_bytes()
    kept.write_bytes(found.replace(b"TRU-003", b"TRU-004"))
    assert (await client.get(path, headers=headers)).json()["code"] == "GW-203"
    kept.write_bytes(found)
    lifecycle._remember(reviews={proposed["revision"]: "sha256:" + "1" * 64})
    assert (await client.get(path, headers=headers)).json()["code"] == "GW-440"


async def _told_of_a_proof(_old, new):
    return (f"28 of 28 invariants hold for every input of {new.revision[:12]}.",)


@pytest.fixture
def proving(monkeypatch):
    """Proofs that say at once what the real ones need seconds for."""
    monkeypatch.setattr(bootstrap, "proposal_proofs", lambda **_: _told_of_a_proof)


async def test_what_was_proved_is_on_record(proving, post, client, token):
    """
    The second officer reads what was proved when it was proposed; whoever changes a word of it is found out by its digest.
    """
    proposed = (await post("/v1/policy/propose", {"files": files(WEB_FOR_RISK)}, sub="ann", scope=OFFICER)).json()
    told = [f"28 of 28 invariants hold for every input of {proposed['revision'][:12]}."]
    assert proposed["proved"] == told
    headers = {"authorization": f"Bearer {token(sub='ben', scope=OFFICER)}"}
    path = f"/v1/policy/proposals/{proposed['revision']}"
    assert (await client.get(path, headers=headers)).json()["proved"] == told
    [kept] = gateway_of(client).settings.bundles_dir.glob("*.review")
    kept.write_bytes(kept.read_bytes().replace(b"28 of 28", b"29 of 29"))
    assert (await client.get(path, headers=headers)).json()["code"] == "GW-203"


async def test_a_proposal_that_nobody_proves_says_so(post, client):
    """
    Where proofs are switched off, what the officers read says that nothing was proved, and why.
    """
    proposed = (await post("/v1/policy/propose", {"files": files(WEB_FOR_RISK)}, scope=OFFICER)).json()
    assert proposed["proved"] == [PROOFS_OFF]


async def test_an_empty_step_says_what_it_needs(post):
    """
    An officer who posts nothing reads which members to send.
    """
    for step in ("rollback", "activate", "propose", "shadow"):
        answer = await post(f"/v1/policy/{step}", b"", scope=OFFICER)
        assert (answer.status_code, answer.json()["code"]) == (422, "GW-120"), step
        [needed] = answer.json()["errors"]
        assert needed["field"] == ("files" if step == "propose" else "revision")
        assert needed["message"].startswith("is required: ")


async def _no_way_forward(post, revision):
    """What was taken back decides again only once two persons say so: its activation is used up, and a rollback needs another."""
    for sub in ("ann", "ben"):
        again = await post("/v1/policy/activate", {"revision": revision}, sub=sub, scope=OFFICER)
        assert again.json()["code"] == "GW-170"
    first = await post("/v1/policy/rollback", {"revision": revision}, sub="ann", scope=OFFICER)
    assert (first.status_code, first.json()) == (202, {"active": SHIPPED.revision, "proposed": revision})
    same = await post("/v1/policy/rollback", {"revision": revision}, sub="Ann", tenant="asia", scope=OFFICER)
    assert (same.status_code, same.json()["code"]) == (403, "GW-154")
    second = await post("/v1/policy/rollback", {"revision": revision}, sub="ben", scope=OFFICER)
    assert (second.status_code, second.json()) == (200, {"active": revision})


@pytest.mark.parametrize(
    "change",
    [
        [("context/trust/trust.rego", "permit if {", "permit if {{")],
        [("context/trust/trust.rego", "#   code: TRU-001", "#   code: TRU-777")],
        [("context/trust/data.yaml", "web_purposes: [general_research]", "web_purposes: []")],
        [("context/trust/data.yaml", "web_purposes: [general_research]", "web_purposes: ]")],
        [("context/trust/cases.yaml", "allowed:", "alowed:")],
        [("context/trust/trust_test.rego", 'trust.trust_class == "TRUSTED"', 'trust.trust_class == "NEITHER"')],
        [("context/scoping/scoping_test.rego", '"mode": "witnessed"', '"mode": "durable"')],
        [("context/areas/data.yaml", "  - {name: sections, entrypoint: admit, title: Sections}\n", "")],
        [("context/context.rego", "\tdata.context.exceptions.permit\n", "")],
        [("context/trust/trust_test.rego", "package ", "packag ")],
    ],
)
async def test_a_bad_candidate_is_refused_with_a_report(post, client, small, change):
    """
    What does not compile, fails a check or fails its own cases is refused on record; the active bundle stays.
    """
    answer = await post("/v1/policy/propose", {"files": files(change)}, scope=OFFICER)
    assert (answer.status_code, answer.json()["code"]) == (422, "GW-203")
    assert all(one["field"].split(":")[0] in (*files(), "bundle") for one in answer.json().get("errors", []))
    assert (await post("/v1/packs", small)).json()["policy"]["revision"] == SHIPPED.revision
    assert (await client.get("/readyz")).status_code == 200
    assert len(records(gateway_of(client), kind="bundle.rejected")) == 1
    assert 'ctxgate_bundles_total{event="rejected"} 1.0' in (await client.get("/metrics")).text


async def test_a_proposal_of_any_shape_is_refused_on_record(post, client):
    """
    What no table may hold is the officer's mistake and not an accident of the gateway: refused with a code, on record.
    """
    gateway = gateway_of(client)
    shapes = ["a: &a [1]\nb: *a\n", "a: &a [*a]", "NO: 2026-03-01", "a: !!set {b}", "a: " + "[" * 5000, "7"]
    for count, table in enumerate(shapes, start=1):
        answer = await post(
            "/v1/policy/propose", {"files": {**files(), "context/trust/data.yaml": table}}, scope=OFFICER
        )
        assert (answer.status_code, answer.json()["code"]) == (422, "GW-203"), table
        assert "context/trust/data.yaml" in answer.json()["detail"]
        assert len(records(gateway, kind="bundle.rejected")) == count
