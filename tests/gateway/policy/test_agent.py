"""The agent of a request and its token: policy's word as an error."""

import pytest

from gateway.errors import AgentNotOfTokenError, PolicyMalformedError
from gateway.model import Subject
from gateway.model.policy_answer import Denial
from gateway.policy.agent import OF_ITEM, OF_REQUEST, AgentBinding
from gateway.policy.annotations import annotations
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from tests.support.clock import NOW

PERSON = Subject(sub="ann", tenant="gfm", role="analyst", department="RMG", jurisdictions=("SG",), agents=("RISK",))


def test_the_rules_are_there():
    """
    Both codes that mean it are given by a rule of the shipped policies.
    """
    given = {block.code for rego in load_bundle(HOME / "policies").modules.values() for block in annotations(rego)}
    assert {OF_REQUEST, OF_ITEM} <= given


@pytest.mark.parametrize(
    ("codes", "broken"), [((), False), (("SCP-001",), False), (("SCP-001", OF_REQUEST), True), ((OF_ITEM,), True)]
)
def test_which_refusals_mean_it(codes, broken):
    """
    A refusal is for the agent where one of its codes says so.
    """
    denials = [Denial(code=code, message="x") for code in codes]
    assert AgentBinding().broken(denials) is broken


@pytest.mark.parametrize("agent", ["CLASSIFIER", "NO-SUCH-AGENT", "risk", ""])
async def test_an_agent_that_is_not_the_tokens(engine, agent):
    """
    Policy refuses the agent alone, and the error tells nothing of it.
    """
    with pytest.raises(AgentNotOfTokenError) as caught:
        await AgentBinding().require(agent, PERSON, NOW, policy=engine)
    error = caught.value
    assert (error.detail, error.reasons) == ("the token does not speak for this agent", (OF_REQUEST,))
    assert error.fields == (("agent_id", "is not an agent that the token speaks for"),)


@pytest.mark.parametrize("agents", [("RISK", "NEW"), None])
async def test_an_agent_that_is(engine, agents):
    """
    An agent of the token passes, registered or not, and any where requests are believed, whatever else policy says.
    """
    person = PERSON.model_copy(update={"agents": agents})
    for agent in ("RISK", "NEW"):
        await AgentBinding().require(agent, person, NOW, policy=engine)


def test_a_token_that_names_none():
    """
    Its error names the claims that could have.
    """
    nobody = PERSON.model_copy(update={"agents": ()})
    assert "needs the claim act.sub or azp" in AgentBinding(("act.sub", "azp")).refusal(nobody).detail


async def test_policy_that_does_not_answer():
    """
    Where policy gives no answer, nobody passes.
    """

    class Short:
        async def evaluate(self, entrypoint, inputs):
            return []

    with pytest.raises(PolicyMalformedError):
        await AgentBinding().require("RISK", PERSON, NOW, policy=Short())
