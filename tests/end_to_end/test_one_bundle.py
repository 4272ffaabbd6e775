"""Agents, contracts, budgets and sources change as rules do: proposed, activated by another, on record, taken back."""

import json
import shutil

from dataclasses import replace

import httpx
import pytest

from adapters.policy.opa import OpaPolicyEngine
from gateway.bootstrap.gateway import reviewing, running
from gateway.errors import AgentUnknownError, BundleInvalidError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.policy.archive import build, read
from gateway.policy.bundle import bundle_of
from gateway.workbench.simulate import NEWLY_WITHHELD
from tests.support.bundles import NUMBERED, OFFICER, POLICIES, SHIPPED, edit, files
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.services import OPA, need, opa_server
from tests.support.web import gateway_of

SCOUT = "SCOUT: {archetype: worker, domains: [NPA], contract: SCOUT-1.0.0, description: Looks ahead}\n"
CONTRACT = "SCOUT-1.0.0: {agent: SCOUT, status: ACTIVE, required_sources: [], max_turns: 4, output_schema: null}\n"
AGENTS, BUDGETS = "registry/agents/data.yaml", "registry/budgets/data.yaml"

CHANGE = [
    (AGENTS, "MASTER_COO:", f"{SCOUT}MASTER_COO:"),
    ("registry/contracts/data.yaml", "MASTER_COO-1.0.0:", f"{CONTRACT}MASTER_COO-1.0.0:"),
    (BUDGETS, "headroom_percent: 12", "headroom_percent: 20"),
    (BUDGETS, "relevance_weight: 0.6", "relevance_weight: 0.7"),
]
"""An agent that is new, and budgets that are others."""

SAID = [
    "agent SCOUT is added: archetype worker; domains NPA; contract SCOUT-1.0.0; description Looks ahead.",
    "contract SCOUT-1.0.0 is added: agent SCOUT; status ACTIVE; required_sources none; max_turns 4; output_schema nothing.",
    "budgets: headroom_percent: 12 becomes 20.",
    "weight of relevance: 0.6 becomes 0.7.",
]


def changed(*change):
    """The shipped bundle with some texts changed, Cedar included, as it is fetched from a bundle server."""
    cedar = {path.relative_to(POLICIES).as_posix(): path.read_bytes() for path in (POLICIES / "cedar").iterdir()}
    bundle = bundle_of(cedar | {name: text.encode() for name, text in files(change).items()})
    return replace(bundle, numbering=NUMBERED)


DEMOTED = [(AGENTS, "RISK: {archetype: worker", "RISK: {archetype: orchestrator")]
"""The agent RISK as an orchestrator, which may not have everything that a worker has."""


async def proposed(post, *change):
    answer = await post("/v1/policy/propose", {"files": files(change)}, sub="ann", scope=OFFICER)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def packed(post, request, headroom, **claims):
    """The revision of a pack, whose headroom is that many percent of its budget, as its record says too."""
    answer = await post("/v1/packs", request, scope="packs:write", **claims)
    assert answer.status_code == 200, answer.text
    report = answer.json()["budget_report"]
    assert report["response_headroom"] == report["total_tokens"] * headroom // 100
    return answer.json()["policy"]["revision"]


async def test_an_agent_and_a_budget_from_proposal_to_rollback(post, client, settings, small):
    """
    An agent and a budget are proposed by one officer and activated by another; the next request uses them, its pack and
    records carry the revision, a restart keeps it, and a rollback takes all of it back.
    """
    gateway = gateway_of(client)
    asked, scout = {**small, "token_budget": 20000}, {**small, "token_budget": 20000, "agent_id": "SCOUT"}
    assert await packed(post, asked, 12) == SHIPPED.revision
    both = {"scope": "packs:write", "agents": ["RISK", "SCOUT"]}
    unknown = await post("/v1/packs", scout, **both)
    assert (unknown.status_code, unknown.json()["code"]) == (422, "GW-140")

    proposal = await proposed(post, *CHANGE)
    assert proposal["differences"] == SAID
    revision = proposal["revision"]
    own = await post("/v1/policy/activate", {"revision": revision}, sub="ann", scope=OFFICER)
    assert own.json()["code"] == "GW-154"
    assert await packed(post, asked, 12) == SHIPPED.revision
    await post("/v1/policy/activate", {"revision": revision}, sub="ben", scope=OFFICER)

    assert await packed(post, {**asked, "query": "And now?"}, 20) == revision
    assert await packed(post, scout, 20, agents=["SCOUT"]) == revision
    assert gateway.registry.budgets.relevance_weight == 0.7
    ruled = records(gateway, kind="item.ruled")
    assert {record.policy.revision for record in ruled if record.agent == "SCOUT"} == {revision}
    [sealed] = [record for record in records(gateway, kind="pack.sealed") if record.agent == "SCOUT"]
    assert sealed.policy.revision == revision
    steps = [(step.policy.revision, step.codes) for step in records(gateway, kind="bundle.activated")]
    assert steps == [(SHIPPED.revision, ("STARTED",)), (revision, ("ACTIVATED",))]

    await post("/v1/policy/rollback", {"revision": SHIPPED.revision}, sub="ann", scope=OFFICER)
    assert await packed(post, {**asked, "query": "And then?"}, 12) == SHIPPED.revision
    assert (await post("/v1/packs", scout, **both)).json()["code"] == "GW-140"
    check_ledger(gateway)


async def test_a_start_goes_on_with_what_was_activated(settings, small, subject):
    """
    After a restart the registry is the activated bundle's, and no longer the one that ships.
    """
    request = PackRequest.model_validate({**small, "agent_id": "SCOUT"})
    asked = Asked(request, Subject.model_validate({**subject, "agents": ["SCOUT"]}), NOW)
    bundle = changed(*CHANGE)
    async with running(settings, clock=lambda: NOW) as gateway:
        await gateway.lifecycle.adopt(bundle, NOW)
    async with running(settings, clock=lambda: NOW) as gateway:
        pack = await gateway.pipeline.assemble(asked)
        assert pack.policy["revision"] == bundle.revision
        assert gateway.registry.budgets.headroom_percent == 20


async def test_a_pack_under_way_keeps_its_registry(gateway, small, subject, monkeypatch):
    """
    A bundle that is activated while a request is under way touches neither its rules nor its budgets.
    """
    asked = Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW)
    record = type(gateway.recorder).append
    bundle = changed(*CHANGE)

    async def swapping(self, *args, **kwargs):
        written = await record(self, *args, **kwargs)
        monkeypatch.setattr(type(gateway.recorder), "append", record)
        await gateway.lifecycle.adopt(bundle, NOW)
        return written

    monkeypatch.setattr(type(gateway.recorder), "append", swapping)
    pack = await gateway.pipeline.assemble(asked)
    assert gateway.switching.version.revision == bundle.revision
    assert pack.policy["revision"] == SHIPPED.revision
    assert pack.budget_report.response_headroom == pack.budget_report.total_tokens * 12 // 100


@pytest.mark.parametrize(
    ("agent", "change", "codes"),
    [
        ("SCOUT", CHANGE[2:], {AgentUnknownError.code}),
        ("RISK", [*CHANGE, *DEMOTED], {"CTR-005"}),
    ],
)
async def test_simulation_and_shadow_use_the_other_registry(post, client, story, agent, change, codes):
    """
    An agent that is gone or another one in the candidate flips past decisions and those beside which it watches.
    """
    gateway, active = gateway_of(client), changed(*CHANGE)
    await gateway.lifecycle.adopt(active, NOW)
    request = {**story("npa-risk", "request"), "agent_id": agent}
    assert (await post("/v1/packs", request, scope="packs:write", agents=[agent])).status_code == 200
    revision = (await proposed(post, *change))["revision"]
    simulated = (await post("/v1/policy/simulate", {"revision": revision}, sub="ann", scope=OFFICER)).json()
    assert simulated["flips"][NEWLY_WITHHELD] > 0
    assert codes <= set(simulated["by_code"][NEWLY_WITHHELD])
    assert any(sentence.startswith(f"agent {agent}") for sentence in simulated["registry"])

    await post("/v1/policy/shadow", {"revision": revision}, scope=OFFICER)
    watched = await post("/v1/packs", {**request, "query": "And now?"}, scope="packs:write", agents=[agent])
    assert watched.json()["policy"]["revision"] == active.revision
    told = records(gateway, kind="shadow.disagreed")
    assert {record.policy.revision for record in told} == {revision}
    assert codes <= {code for record in told for code in record.codes}
    aside = gateway.ledger.parts.evidence.erasables([told[0].decision_id])[told[0].decision_id]
    assert json.loads(aside.input)["agent"]["archetype"] == ("orchestrator" if agent == "RISK" else "worker")


async def test_a_simulation_says_that_packs_are_fitted_anew(post, small):
    """
    Where only budgets differ no decision on an item flips, and the officer hears what differs all the same.
    """
    await post("/v1/packs", small, scope="packs:write")
    revision = (await proposed(post, *CHANGE))["revision"]
    simulated = (await post("/v1/policy/simulate", {"revision": revision}, sub="ann", scope=OFFICER)).json()
    assert simulated["flips"] == {}
    assert simulated["registry"][: len(SAID)] == SAID
    assert "fits into a pack" in simulated["registry"][-1]


async def test_a_broken_registry_never_decides(post, client, settings, small, subject):
    """
    A registry that is not whole is neither proposed, fetched nor started with, and the active one stays.
    """
    gateway = gateway_of(client)
    broken = (AGENTS, "contract: RISK-1.1.0", "contract: RISK-9")
    answer = await post("/v1/policy/propose", {"files": files([broken])}, scope=OFFICER)
    assert (answer.status_code, answer.json()["code"]) == (422, "GW-203")
    assert "names the unknown contract RISK-9" in answer.text
    with pytest.raises(BundleInvalidError, match="RISK-9"):
        await gateway.lifecycle.adopt(changed(broken), NOW)
    gateway.lifecycle._kept.keep(changed(broken))
    with pytest.raises(BundleInvalidError, match="RISK-9"):
        await gateway.lifecycle.watch(changed(broken).revision, Subject.model_validate(subject), NOW)
    assert await packed(post, {**small, "token_budget": 20000}, 12) == SHIPPED.revision


async def test_no_start_with_a_broken_registry(settings, tmp_path):
    """
    A gateway whose bundle has a broken registry does not start, and says where it is broken.
    """
    policies = tmp_path / "policies"
    shutil.copytree(POLICIES, policies)
    edit(policies, "../registry/agents/data.yaml", "contract: RISK-1.1.0", "contract: RISK-9")
    with pytest.raises(BundleInvalidError, match=r"registry/agents/data\.yaml"):
        async with running(settings.model_copy(update={"policies_dir": policies})):
            pass


async def test_reviews_hold_as_long_as_the_active_bundle_says(settings, gateway):
    """
    For how many days a review of quarantined content holds is said by the bundle that is active, not by the one that ships.
    """
    table = "context/injection/data.yaml"
    days = SHIPPED.data["context"]["injection"]["review"]["days"]
    bundle = changed((table, f"days: {days}", f"days: {days + 1}"))
    gateway.lifecycle._kept.keep(bundle)
    gateway.lifecycle._remember(active=bundle.revision, activated=(bundle.revision,))
    async with reviewing(settings) as (_, review):
        assert (review._days, review._policy.revision) == (days + 1, bundle.revision)


def test_archives_hold_the_registry():
    """
    A bundle that went through an archive has the same revision and the same registry.
    """
    bundle = read(build(changed(*CHANGE), None), None)
    assert bundle.revision == changed(*CHANGE).revision
    assert "SCOUT" in bundle.data["registry"]["agents"]


async def test_opa_serves_the_registry(settings, small, subject):
    """
    OPA shows the same registry, and a gateway that asks OPA uses the one of its bundle.
    """
    need(OPA is not None, "opa")
    with opa_server(POLICIES) as url:
        async with httpx.AsyncClient() as client:
            shown = (await client.get(f"{url}/v1/data/registry")).json()["result"]
        assert shown["agents"] == SHIPPED.data["registry"]["agents"]
        async with running(
            settings.model_copy(update={"policy_engine": "opa", "opa_url": url}), clock=lambda: NOW
        ) as one:
            assert isinstance(one.pipeline.pinned().policy, OpaPolicyEngine)
            asked = Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW)
            pack = await one.pipeline.assemble(asked)
            assert pack.policy["revision"] == SHIPPED.revision
            assert one.registry.agents.keys() == shown["agents"].keys()


async def test_cedar_beside_rego_has_the_registry_of_its_bundle(settings, small, subject):
    """
    With Cedar deciding entitlement an activated bundle brings its registry all the same.
    """
    chosen = settings.model_copy(update={"entitlement_engine": "both"})
    async with running(chosen, clock=lambda: NOW) as gateway:
        bundle = changed(*CHANGE)
        await gateway.lifecycle.adopt(bundle, NOW)
        request = PackRequest.model_validate({**small, "agent_id": "SCOUT"})
        person = Subject.model_validate({**subject, "agents": ["SCOUT"]})
        pack = await gateway.pipeline.assemble(Asked(request, person, NOW))
        assert pack.policy["revision"] == bundle.revision
