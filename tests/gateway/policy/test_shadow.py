"""One bundle decides, another may watch; swaps under load."""

import asyncio
import json

from gateway.bootstrap.policies import compile_bundle
from gateway.errors import BundleInvalidError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.policy.bundle import bundle_of
from gateway.policy.shadow import SwitchingPolicyEngine
from ledger.erasable import commit
from tests.support.bundles import OFFICER, WEB_FOR_RISK, files
from tests.support.clock import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.oracle import check_ledger, records
from tests.support.web import gateway_of, web_outcome


async def test_a_shadow_watches_and_does_not_count(post, client, story, token):
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
    aside = gateway_of(client).ledger.parts.evidence.erasables([told.decision_id])[told.decision_id]
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
    watched = records(gateway_of(client), kind="bundle.shadowed")
    assert [(one.codes, one.tenant) for one in watched] == [(("STARTED",), "-"), (("ENDED",), "-")]
    assert watched[0].policy.revision == revision
    assert all(one.subject for one in watched)


async def test_a_swap_under_load(gateway, subject, small, tmp_path):
    """
    While bundles are swapped under fifty requests in flight, none fails and none sees two revisions, of rules or of budgets.
    """
    changed = files([*WEB_FOR_RISK, ("registry/budgets/data.yaml", "headroom_percent: 12", "headroom_percent: 20")])
    bundle = bundle_of({name: text.encode() for name, text in changed.items()})
    gateway.pipeline.registries.hold(bundle)
    other = compile_bundle(bundle)
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
    kept_free = {(pack.policy["revision"], pack.budget_report.response_headroom) for pack in packs}
    assert len(kept_free) == 2
    assert len({tokens for _, tokens in kept_free}) == 2
    for pack in packs:
        ruled = records(gateway, request_id=pack.request["request_id"])
        assert {record.policy.revision for record in ruled if record.policy} == {pack.policy["revision"]}
    check_ledger(gateway)


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
