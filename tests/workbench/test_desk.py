"""How a bundle comes to decide: proposals, the second officer, rollback, shadows, and swaps under load."""

import asyncio
import json

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import compile_bundle
from gateway.errors import BundleInvalidError, NotFoundError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.policy.bundle import bundle_of, files_of, load_bundle
from gateway.policy.shadow import SwitchingPolicyEngine
from gateway.policy.store import KeptBundles
from gateway.settings import HOME
from ledger.erasable import commit
from tests.conftest import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.oracle import check_ledger, records

POLICIES = HOME / "policies"
SHIPPED = load_bundle(POLICIES)
OFFICER = "policy:propose policy:activate"


def files(change=None):
    """The shipped bundle's files, cases included, as an officer would send them."""
    found = {
        path.relative_to(POLICIES).as_posix(): path.read_text()
        for path in POLICIES.rglob("*")
        if path.is_file() and (path.suffix in {".rego", ".yaml"} or path.name == ".manifest")
    }
    for name, old, new in change or ():
        assert old in found[name]
        found[name] = found[name].replace(old, new, 1)
    return found


WEB_FOR_RISK = [
    (
        "context/trust/data.yaml",
        "web_purposes: [general_research]",
        "web_purposes: [general_research, risk_assessment]",
    ),
    ("context/trust/cases.yaml", "codes: [TRU-001, TRU-002, TRU-003]\n", "codes: [TRU-001, TRU-002]\n"),
    (
        "context/trust/cases.yaml",
        "change: {item: {source_type: general_web}}\n    codes: [TRU-003]",
        "change: {item: {source_type: general_web}, request: {purpose: classification}}\n    codes: [TRU-003]",
    ),
]


def gateway_of(client):
    return client.app.state.gateway


async def web_outcome(post, story):
    answer = await post("/v1/packs", story("npa-risk", "request"), scope="packs:write ledger:read")
    assert answer.status_code == 200, answer.text
    [ruling] = [r for r in answer.json()["rulings"] if r["item_id"] == "web-article"]
    return ruling["outcome"]


class TestDesk:
    async def test_from_proposal_to_rollback(self, post, client, story):
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

        own = await post("/v1/policy/activate", {"revision": revision}, sub="ann", scope=OFFICER)
        assert (own.status_code, own.json()["code"]) == (403, "GW-154")
        other = await post("/v1/policy/activate", {"revision": revision}, sub="ben", scope=OFFICER)
        assert other.json() == {"active": revision}
        assert await web_outcome(post, story) == "released"

        back = await post("/v1/policy/rollback", {"revision": SHIPPED.revision}, sub="ann", scope=OFFICER)
        assert back.json() == {"active": SHIPPED.revision}
        assert await web_outcome(post, story) == "denied"
        steps = records(gateway_of(client), kind="bundle.activated")
        assert [(step.policy.revision, step.codes) for step in steps] == [
            (SHIPPED.revision, ("STARTED",)),
            (revision, ("ACTIVATED",)),
            (SHIPPED.revision, ("ROLLED-BACK",)),
        ]
        check_ledger(gateway_of(client))

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
    async def test_a_bad_candidate_is_refused_with_a_report(self, post, client, small, change):
        """
        What does not compile, fails a check or fails its own cases is refused on record; the active bundle stays.
        """
        answer = await post("/v1/policy/propose", {"files": files(change)}, scope=OFFICER)
        assert (answer.status_code, answer.json()["code"]) == (422, "GW-203")
        assert (await post("/v1/packs", small)).json()["policy"]["revision"] == SHIPPED.revision
        assert (await client.get("/readyz")).status_code == 200
        assert len(records(gateway_of(client), kind="bundle.rejected")) == 1
        assert 'ctxgate_bundles_total{event="rejected"} 1.0' in (await client.get("/metrics")).text

    async def test_scopes_and_names(self, post, client, token):
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

    async def test_what_is_active_outlives_a_restart(self, settings, subject, small):
        """
        After a restart the activated bundle decides, from its stored bytes; damaged bytes are refused.
        """
        ann, ben = (Subject.model_validate({**subject, "sub": name}) for name in ("ann", "ben"))
        async with running(settings) as gateway:
            proposal = await gateway.desk.propose(files(WEB_FOR_RISK), ann, NOW)
            await gateway.desk.activate(proposal.revision, ben, NOW)
        async with running(settings) as gateway:
            assert gateway.pipeline.policy.version.revision == proposal.revision
            kept = settings.state_dir / "bundles" / f"{proposal.revision[7:]}.bundle"
            kept.write_bytes(kept.read_bytes().replace(b"risk_assessment", b"risk_assesSment", 1))
            with pytest.raises(BundleInvalidError):
                KeptBundles(settings.bundles_dir).stored(proposal.revision)
            with pytest.raises(NotFoundError):
                await gateway.desk.rollback("sha256:" + "1" * 64, ben, NOW)

    async def test_a_shadow_watches_and_does_not_count(self, post, client, story, token):
        """
        A shadow's disagreements are counted; the answers are the active bundle's, also when the shadow fails.
        """
        proposed = await post("/v1/policy/propose", {"files": files(WEB_FOR_RISK)}, scope=OFFICER)
        revision = proposed.json()["revision"]
        await post("/v1/policy/shadow", {"revision": revision}, scope=OFFICER)
        assert await web_outcome(post, story) == "denied"
        headers = {"authorization": f"Bearer {token(scope=OFFICER)}"}
        shown = (await client.get("/v1/policy", headers=headers)).json()
        assert shown["shadow"]["revision"] == revision
        assert shown["disagreements"] == {"context/admit": 1}
        assert 'disagreements_total{at="context/admit"} 1.0' in (await client.get("/metrics")).text
        [told] = records(gateway_of(client), kind="shadow.disagreed")
        assert (told.policy.revision, told.policy.entrypoint, told.codes) == (revision, "context/admit", ("TRU-003",))
        aside = gateway_of(client).ledger.parts.evidence.asides([told.decision_id])[told.decision_id]
        assert json.loads(aside.input)["item"]["source_type"] == "general_web"
        assert told.policy.input_commitment == commit(aside.input_salt, aside.input)
        broken = AnsweringPolicy(gateway_of(client).switching, "context/admit", lambda answers: answers)

        async def fail(entrypoint, inputs):
            raise BundleInvalidError("broken")

        broken.evaluate = fail
        gateway_of(client).switching.watch(broken)
        assert await web_outcome(post, story) == "denied"
        assert gateway_of(client).switching.counts["failed"] > 0
        await post("/v1/policy/shadow", {"revision": None}, scope=OFFICER)
        assert gateway_of(client).switching.shadow is None


async def test_a_swap_under_load(gateway, subject, small, tmp_path):
    """
    While bundles are swapped under fifty requests in flight, none fails and none sees two revisions.
    """
    other = compile_bundle(bundle_of({name: text.encode() for name, text in files(WEB_FOR_RISK).items()}))
    first = gateway.switching.pinned()
    person = Subject.model_validate(subject)

    async def ask(number):
        await asyncio.sleep(number * 0.003)
        request = PackRequest.model_validate({**small, "query": f"question {number}"})
        return await gateway.pipeline.assemble(Asked(request, person, NOW))

    async def swap():
        for turn in range(40):
            gateway.switching.switch(other if turn % 2 == 0 else first)
            await asyncio.sleep(0.005)

    packs, _ = await asyncio.gather(asyncio.gather(*(ask(number) for number in range(50))), swap())
    seen = {pack.policy["revision"] for pack in packs}
    assert len(seen) == 2
    for pack in packs:
        ruled = records(gateway, request_id=pack.request["request_id"])
        assert {record.policy.revision for record in ruled if record.policy} == {pack.policy["revision"]}
    check_ledger(gateway)


class TestStoredBundles:
    def test_content_and_revision_belong_together(self):
        """
        A bundle's content holds all that decides, and nothing else.
        """
        again = bundle_of(files_of(SHIPPED.content))
        assert again == SHIPPED
        assert not [name for name in files_of(SHIPPED.content) if "test" in name or "cases" in name]

    @pytest.mark.parametrize("content", [b"x", b"5:ab", b"3:abc", b"999999999999:"])
    def test_damaged_content(self, content):
        """
        Bytes that are no bundle are refused.
        """
        with pytest.raises(BundleInvalidError):
            files_of(content)


async def test_the_switch_itself(engine):
    """
    Asked directly, the switch answers with what is active; what was pinned stays what it was.
    """
    switch = SwitchingPolicyEngine(engine)
    pinned = switch.pinned()
    renamed = AnsweringPolicy(engine, "context/admit", lambda answers: ["other" for _ in answers])
    switch.switch(renamed)
    assert await switch.evaluate("context/admit", [{}]) == ["other"]
    assert await pinned.evaluate("context/admit", [{}]) != ["other"]


async def test_a_shadow_that_answers_short_hurts_nobody(engine):
    """
    A shadow with too few answers is counted as failed, and the active answers stand.
    """
    switch = SwitchingPolicyEngine(engine)
    expected = await engine.evaluate("context/admit", [{}])
    switch.watch(AnsweringPolicy(engine, "context/admit", lambda answers: answers[:-1]))
    assert await switch.evaluate("context/admit", [{}]) == expected
    assert switch.counts["failed"] == 1
