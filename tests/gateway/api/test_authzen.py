"""AuthZEN's words in ours: defaults, semantics, and what cannot be asked."""

from typing import Any

import pytest

from gateway.api.authzen import OTHER_SUBJECT, Evaluation, Evaluations, evaluate, evaluate_all
from gateway.errors import FieldInvalidError, PolicyUnavailableError
from gateway.model import Subject
from gateway.policy.agent import AgentBinding
from tests.support.clock import NOW
from tests.support.packing import REGISTRY

PERSON = Subject(
    sub="ann", tenant="gfm", role="analyst", department="RMG", jurisdictions=("SG",), agents=("RISK", "NOBODY")
)
ITEM = {"type": "item", "id": "sop", "properties": {"source_type": "bank_sop", "section": "entity"}}
QUESTION: dict[str, Any] = {
    "subject": {"type": "user", "id": "ann"},
    "action": {"name": "risk_assessment"},
    "resource": ITEM,
    "context": {"agent_id": "RISK", "jurisdictions": ["SG"], "more": "is ignored"},
}
BINDING = AgentBinding(("act.sub",))


class Listening:
    """Allows what is from a bank's procedure, for the agents of the token, and remembers which items it was asked about."""

    def __init__(self):
        self.asked = []

    async def evaluate(self, entrypoint, inputs):
        if entrypoint == "context/scope":
            return [self.scope(facts) for facts in inputs]
        self.asked += inputs
        allowed = [facts["item"]["source_type"] == "bank_sop" for facts in inputs]
        refusal = {"code": "TRU-001", "message": "x"}
        return [
            {
                "allow": allow,
                "denials": [] if allow else [refusal],
                "trust_class": "TRUSTED",
                "authority_tier": 1,
                "screen": [],
                "obligations": [],
                "exceptions": [],
                "taken_as": "third_party_api",
            }
            for allow in allowed
        ]

    def scope(self, facts):
        codes = ["SCP-001"] + ["SCP-006"] * (facts["agent"]["id"] not in facts["subject"]["agents"])
        denials = [{"code": code, "message": "x"} for code in codes]
        return {"allow": False, "denials": denials, "filters": {}, "release_mode": "durable"}


async def decided(question, policy=None):
    asked = Evaluation.model_validate(question)
    return await evaluate(asked, PERSON, registry=REGISTRY, policy=policy or Listening(), now=NOW, binding=BINDING)


async def test_nobody_vouches_for_the_labels_of_a_question():
    """
    A question brings no content, so that its labels are the caller's word, and the answer says what policy takes them as.
    """
    policy = Listening()
    answer = await decided(QUESTION, policy)
    assert policy.asked[0]["item"]["attestation"] is None
    assert answer.context == {"reasons": [], "taken_as": "third_party_api"}


async def test_policy_hears_the_labels_and_not_the_id():
    """
    The resource's properties are the item's section and labels; its id is no label.
    """
    policy = Listening()
    assert (await decided(QUESTION, policy)).decision is True
    [facts] = policy.asked
    assert (facts["item"]["section"], facts["item"]["source_type"]) == ("entity", "bank_sop")
    assert facts["request"]["purpose"] == "risk_assessment"
    assert "sop'" not in str(facts).replace("bank_sop", "")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"subject": {"type": "user", "id": "ben"}}, OTHER_SUBJECT),
        ({"action": {"name": "fun"}}, "GW-141"),
        ({"context": {**QUESTION["context"], "agent_id": "NOBODY"}}, "GW-140"),
        ({"resource": {**ITEM, "properties": {"authority_tier": 1}}}, "GW-121"),
        ({"resource": {**ITEM, "properties": {"jurisdiction": "FR"}}}, "GW-120"),
    ],
)
async def test_what_cannot_be_asked_is_refused_without_asking(change, code):
    """
    A question that means nothing here is a refusal with a reason, and policy is not asked about the item.
    """
    policy = Listening()
    answer = await decided({**QUESTION, **change}, policy)
    assert (answer.decision, [reason["code"] for reason in answer.context["reasons"]]) == (False, [code])
    assert policy.asked == []


@pytest.mark.parametrize("agent", ["CLASSIFIER", "NO-SUCH-AGENT", "", "risk"])
@pytest.mark.parametrize("change", [{}, {"action": {"name": "fun"}}, {"resource": {**ITEM, "properties": {"rank": 1}}}])
async def test_an_agent_of_somebody_else(agent, change):
    """
    A question for an agent that the token does not name has one answer, whatever else is wrong and whether there is such an
    agent or not; policy is not asked about the item unless the question is in order.
    """
    policy = Refusing()
    answer = await decided({**QUESTION, **change, "context": {**QUESTION["context"], "agent_id": agent}}, policy)
    [reason] = answer.context["reasons"]
    assert (answer.decision, reason["code"]) == (False, "GW-143")
    assert reason["message"] == "the token does not speak for this agent"


class Refusing(Listening):
    """Refuses every item for its agent, and for more that must not be told."""

    async def evaluate(self, entrypoint, inputs):
        answers = await super().evaluate(entrypoint, inputs)
        denials = [{"code": "ENT-006", "message": "x"}, {"code": "ENT-007", "message": "x"}]
        return [
            answer if entrypoint == "context/scope" else {**answer, "allow": False, "denials": denials}
            for answer in answers
        ]


async def test_policy_that_does_not_answer_is_an_error():
    """
    A refusal is policy's word; where policy gives none there is none.
    """

    class Gone:
        async def evaluate(self, entrypoint, inputs):
            raise PolicyUnavailableError("gone")

    with pytest.raises(PolicyUnavailableError):
        await decided(QUESTION, Gone())


GOOD, BAD = {"resource": ITEM}, {"resource": {**ITEM, "properties": {"source_type": "hearsay"}}}


@pytest.mark.parametrize(
    ("semantic", "decisions"),
    [
        ("execute_all", [True, False, True, False]),
        ("deny_on_first_deny", [True, False]),
        ("permit_on_first_permit", [True]),
    ],
)
async def test_a_batch_ends_where_its_semantic_says(semantic, decisions):
    """
    Each semantic answers up to and with what ends it; what comes after is not even asked.
    """
    policy, parts = Listening(), {name: QUESTION[name] for name in ("subject", "action", "context")}
    batch = Evaluations.model_validate(
        {**parts, "evaluations": [GOOD, BAD, GOOD, BAD], "options": {"evaluations_semantic": semantic}}
    )
    answers = await evaluate_all(batch, PERSON, registry=REGISTRY, policy=policy, now=NOW, binding=BINDING)
    assert [answer.decision for answer in answers] == decisions
    assert len(policy.asked) == len(decisions)


def test_a_question_says_more_than_its_defaults():
    """
    A part that a question has itself replaces the default, whole; one that nobody has is an error.
    """
    batch = Evaluations.model_validate({**QUESTION, "evaluations": [{"context": {"agent_id": "X"}}]})
    [question] = batch.questions()
    assert question.context == {"agent_id": "X"}
    assert question.subject.id == "ann"
    with pytest.raises(FieldInvalidError):
        Evaluations.model_validate({"evaluations": [GOOD]}).questions()


def test_without_a_list_the_defaults_are_the_question():
    """
    A batch without questions is one.
    """
    assert [one.resource.id for one in Evaluations.model_validate(QUESTION).questions()] == ["sop"]
