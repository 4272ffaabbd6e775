"""An agent is one that the token speaks for, at every door; and the way there, which says so everywhere."""

import copy
import json

import pytest
import structlog

from hypothesis import given
from hypothesis import strategies as st

from gateway.api.admission import Rates
from gateway.bootstrap.gateway import running
from gateway.bootstrap.replay import replaying
from gateway.replay.run import replay
from gateway.replay.verdicts import MATCH
from ledger.query import Filter
from tests.support.clock import NOW
from tests.support.conversation import knowledge
from tests.support.oracle import check_ledger, records
from tests.support.policy_facts import BASE
from tests.support.tokens import EVERY_AGENT
from tests.support.web import gateway_of, is_problem, refusals, server_of

OTHERS = [agent for agent in EVERY_AGENT if agent != "RISK"]
ALIKE = [
    "risk",
    "Risk",
    "RISK ",
    " RISK",
    "R\u0406SK",
    "\uff32\uff29\uff33\uff2b",
    "RISK\u200b",
    "RI\u017fK",
    "*",
    "RISK,RISK",
]
UNKNOWN = ["NO-SUCH-AGENT", *ALIKE]

QUESTION = {
    "subject": {"type": "user", "id": "sarah.lim"},
    "action": {"name": "risk_assessment"},
    "resource": {"type": "item", "id": "sop", "properties": {"source_type": "bank_sop"}},
    "context": {"agent_id": "RISK", "jurisdictions": ["SG"]},
}


def nothing_released(client):
    """No ruling lets anything out, and there is no pack."""
    gateway = gateway_of(client)
    assert not [one for one in records(gateway, kind="item.ruled") if one.outcome != "denied"]
    assert not records(gateway, kind="pack.sealed")
    check_ledger(gateway)


def told(response):
    """What a caller hears: all of the answer."""
    return response.status_code, response.json()


class TestRefused:
    @pytest.mark.parametrize("path", ["/v1/packs", "/v1/rulings"])
    async def test_packs_and_rulings(self, post, client, small, path):
        """
        Every agent that the token does not name has the same answer, whether there is such an agent or not and whatever
        else is wrong with the request; it is on record, and nothing is released.
        """
        broken = [{}, {"purpose": "fun"}, {"model": "abacus"}, {"token_budget": 10**6}, {"purpose": "routing"}]
        agents = [*OTHERS, *UNKNOWN]
        bodies = [{**small, "agent_id": agent, **broken[n % len(broken)]} for n, agent in enumerate(agents)]
        answers = [told(await post(path, body, agents=["RISK"])) for body in bodies]
        document = is_problem(await post(path, bodies[0], agents=["RISK"]), 403, "GW-143")
        assert (document["reasons"], document["errors"][0]["field"]) == (["SCP-006"], "agent_id")
        assert all(answer == (403, document) for answer in answers)
        assert refusals(client) == [(("GW-143", "SCP-006"), "denied")] * (len(bodies) + 1)
        assert not records(gateway_of(client), kind="item.ruled")
        nothing_released(client)

    @pytest.mark.parametrize("said", [*([one] for one in UNKNOWN), OTHERS])
    async def test_what_a_token_says_is_not_mended(self, post, client, small, said):
        """
        A token that names the agent in other letters, or all others, does not speak for it.
        """
        is_problem(await post("/v1/packs", small, agents=said), 403, "GW-143")
        nothing_released(client)

    async def test_a_token_without_the_claim(self, post, client, small):
        """
        A token that names no agent is refused with the name of the claim that it needs, also where other claims name one.
        """
        for claims in ({}, {"azp": "RISK"}, {"act": {"sub": "RISK"}}):
            document = is_problem(await post("/v1/packs", small, **{"agents": None, **claims}), 403, "GW-143")
            assert "needs the claim agents" in document["detail"]
            assert "CTXGATE_JWT_AGENTS" in document["remedy"]
        nothing_released(client)

    async def test_a_claim_that_cannot_be_read(self, post, client, small):
        """
        A claim of the wrong type, or far too long a list, is no identity.
        """
        for said in (7, {"RISK": True}, ["RISK", 7], ["RISK"] * 10_000):
            is_problem(await post("/v1/packs", small, agents=said), 401, "GW-106")
        nothing_released(client)

    async def test_an_agent_of_the_token_that_there_is_not(self, post, small):
        """
        Who may name an agent is told that nobody registered it, and what else is wrong.
        """
        is_problem(await post("/v1/packs", {**small, "agent_id": "NEW"}, agents=["NEW"]), 422, "GW-140")
        is_problem(await post("/v1/packs", {**small, "purpose": "fun"}, agents=["RISK"]), 422, "GW-141")

    async def test_questions(self, post, client):
        """
        A question and a batch of them are refused for every such agent, with the same reason and no other.
        """
        questions = []
        for number, agent in enumerate([*OTHERS, *UNKNOWN]):
            question = copy.deepcopy(QUESTION)
            question["context"]["agent_id"] = agent
            question["action"]["name"] = ("risk_assessment", "fun")[number % 2]
            questions.append(question)
        one = (await post("/access/v1/evaluation", questions[0], agents=["RISK"])).json()
        assert (one["decision"], [reason["code"] for reason in one["context"]["reasons"]]) == (False, ["GW-143"])
        batch = (await post("/access/v1/evaluations", {"evaluations": questions}, agents=["RISK"])).json()
        assert batch["evaluations"] == [one] * len(questions)
        assert {ruled.codes for ruled in records(gateway_of(client), kind="item.ruled")} == {("GW-143",)}
        nothing_released(client)

    async def test_an_artifact_of_another_agent(self, client, post, token, small):
        """
        Who could fetch an artifact may no longer, once the token speaks for other agents only.
        """
        log = "\n".join(f"line {n}: settlement of trade {n * 31} done, confirmed by desk {n % 7}" for n in range(2500))
        answer = (await post("/v1/packs", {**small, "items": [*small["items"], knowledge("log", log)]})).json()
        [handle] = [i["artifact"] for s in answer["sections"] for i in s["items"] if i["id"] == "log"]

        async def fetched(agents):
            headers = {"authorization": f"Bearer {token(agents=agents)}"}
            return await client.get(f"/v1/artifacts/{handle}", headers=headers)

        is_problem(await fetched(OTHERS), 403, "GW-143")
        is_problem(await fetched([]), 403, "GW-143")
        assert (await fetched(["RISK"])).status_code == 200

    async def test_citations_of_another_agent(self, post, small):
        """
        An agent has the claims on its own packs checked and those of no other; a reviewer's scope checks them all.
        """
        pack = (await post("/v1/packs", small)).json()
        body = {"pack": pack, "claims": [{"id": "c", "text": "x", "type": "classification_criteria", "citations": []}]}
        path = "/v1/citations/verify"
        is_problem(await post(path, body, agents=OTHERS), 403, "GW-143")
        assert (await post(path, body, agents=["RISK"])).status_code == 200
        assert (await post(path, body, agents=["NPA_REVIEWER"], scope="citations:verify")).status_code == 200

    async def test_a_session_of_another_agent(self, post, client, small):
        """
        A later turn is held to the token as the first one was.
        """
        turn = {**small, "session_id": "s", "turn": 1}
        assert (await post("/v1/packs", turn, agents=["RISK"])).status_code == 200
        is_problem(await post("/v1/packs", {**turn, "turn": 2}, agents=["CLASSIFIER"]), 403, "GW-143")
        assert len(records(gateway_of(client), kind="pack.sealed")) == 1

    async def test_an_answer_that_is_kept(self, client, token, small):
        """
        An answer under an idempotency key is not handed to a token that may not name its agent.
        """

        async def send(agents):
            headers = {"authorization": f"Bearer {token(agents=agents)}", "idempotency-key": "k"}
            return await client.post("/v1/packs", content=json.dumps(small), headers=headers)

        assert (await send(["RISK"])).status_code == 200
        is_problem(await send(["CLASSIFIER"]), 409, "GW-180")


class TestRates:
    async def test_no_name_is_a_way_around_it(self, post, client, small):
        """
        Names that are not the token's do not add to its rate, use up nobody else's, and have one rate together.
        """
        server_of(client).rates = Rates(None, "2/minute")
        for agent, status in [("RISK", 200), ("RISK", 200), ("RISK", 429), ("CLASSIFIER", 403), ("risk", 403)]:
            assert (await post("/v1/rulings", {**small, "agent_id": agent}, agents=["RISK"])).status_code == status
        for agent in (*OTHERS, *UNKNOWN, "RISK"):
            is_problem(await post("/v1/rulings", {**small, "agent_id": agent}, agents=["RISK"]), 429, "GW-602")
        assert (
            await post("/v1/rulings", {**small, "agent_id": "CLASSIFIER"}, agents=["CLASSIFIER"])
        ).status_code != 429


class TestPolicy:
    @given(
        agent=st.text(max_size=6) | st.sampled_from(EVERY_AGENT),
        said=st.lists(st.sampled_from(EVERY_AGENT) | st.text()),
    )
    def test_letter_for_letter(self, engine, agent, said):
        """
        Policy lets a request and an item pass for exactly the agents that the token names.
        """
        facts = {**BASE, "subject": {**BASE["subject"], "agents": said}, "agent": {**BASE["agent"], "id": agent}}
        for entrypoint, code in (("context/scope", "SCP-006"), ("context/admit", "ENT-007")):
            codes = {denial["code"] for denial in engine.query(entrypoint, facts)["denials"]}
            assert (code in codes) is (agent not in said)

    @pytest.mark.parametrize("said", ["RISK", 7, True, {"RISK": 1}, [["RISK"]], [None], "missing"])
    def test_odd_facts(self, engine, said):
        """
        Only a list with the agent, or null, lets it pass; a fact that is not there does not.
        """
        person = {**BASE["subject"], "agents": said}
        if said == "missing":
            del person["agents"]
        for entrypoint in ("context/scope", "context/admit"):
            assert engine.query(entrypoint, {**BASE, "subject": person})["allow"] is False


class TestDeclared:
    @pytest.fixture
    def settings(self, settings):
        return settings.model_copy(update={"agent_binding": "declared"})

    @pytest.mark.parametrize("agents", [None, ["CLASSIFIER"], 7])
    async def test_the_request_is_believed_and_it_shows(self, post, client, small, agents):
        """
        While requests are believed, any registered agent may be named; every pack, the readiness and every record, whether
        of something released, of a refusal or of the process itself, say so.
        """
        pack = (await post("/v1/packs", small, agents=agents)).json()
        assert "AGENT-DECLARED" in [warning["code"] for warning in pack["warnings"]]
        assert (await client.get("/readyz")).json()["warnings"] == ["AGENT-DECLARED", "DEVELOPMENT-KEYS"]
        is_problem(await post("/v1/packs", {**small, "agent_id": "NOBODY"}, agents=agents), 422, "GW-140")
        await post("/access/v1/evaluation", QUESTION, agents=agents)
        written = records(gateway_of(client))
        assert {"lane.opened", "request.opened", "item.ruled", "pack.sealed"} <= {one.kind for one in written}
        assert all("AGENT-DECLARED" in one.codes for one in written)
        assert all(list(one.codes) == sorted(one.codes) for one in written)
        check_ledger(gateway_of(client))

    async def test_past_rulings_are_decided_again(self, post, client, small, settings):
        """
        What a record says of the setting is no word of policy: its rulings replay to what they were.
        """
        await post("/v1/packs", small, agents=None)
        check_ledger(gateway_of(client))
        with replaying(settings, "embedded") as ask:
            again = replay(gateway_of(client).ledger.parts.evidence, ask, Filter())
        assert again.counts == {MATCH: len(small["items"])}

    async def test_it_warns_at_start(self, settings):
        """
        A gateway that believes requests says so when it starts.
        """
        with structlog.testing.capture_logs() as logs:
            async with running(settings, clock=lambda: NOW):
                pass
        assert [one["event"] for one in logs if one["log_level"] == "warning"] == [
            "unsafe_development_labels",
            "unsafe_declared_agents",
        ]


async def test_a_gateway_that_asks_the_token_warns_of_nothing(post, client, small):
    """
    As shipped, the token is asked, and no pack, record or probe has anything to say of it.
    """
    pack = (await post("/v1/packs", small, agents=["CLASSIFIER", "RISK"])).json()
    assert "AGENT-DECLARED" not in [warning["code"] for warning in pack["warnings"]]
    assert (await client.get("/readyz")).json()["warnings"] == ["DEVELOPMENT-KEYS"]
    assert not [one for one in records(gateway_of(client)) if "AGENT-DECLARED" in one.codes]
