"""Stage: may this be asked at all, and what may be looked for?"""

from gateway.errors import RequestRefusedError
from gateway.model import Case, ScopeAnswer
from gateway.policy.agent import AgentBinding
from gateway.policy.ask import ask
from gateway.policy.entrypoints import SCOPE
from gateway.ports.policy import PolicyEngine


async def scope(case: Case, *, policy: PolicyEngine, binding: AgentBinding) -> ScopeAnswer:
    """
    Policy's word on the request as a whole, with the filters that bind retrieval.

    Raises:
        AgentNotOfTokenError: the token does not speak for the agent.

        RequestRefusedError: policy refuses the request for another reason.

        PolicyError: policy gave no usable answer.
    """
    [answer] = await ask(policy, SCOPE, [case.facts()])
    if not answer.allow and binding.broken(answer.denials):
        raise binding.refusal(case.subject)
    if not answer.allow:
        reasons = sorted(denial.code for denial in answer.denials)
        raise RequestRefusedError("policy refuses this request", reasons=reasons)
    return answer
