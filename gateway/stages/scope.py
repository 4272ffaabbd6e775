"""Stage: may this be asked at all, and what may be looked for?"""

from gateway.errors import RequestRefusedError
from gateway.model import Case, ScopeAnswer
from gateway.policy.agent import AgentBinding
from gateway.policy.ask import ask
from gateway.policy.entrypoints import SCOPE
from gateway.ports.policy import PolicyEngine, Refused


async def scope(case: Case, *, policy: PolicyEngine, binding: AgentBinding) -> ScopeAnswer:
    """
    Policy's word on the request as a whole, with the filters that bind retrieval.

    Raises:
        AgentNotOfTokenError: the token does not speak for the agent.

        RequestRefusedError: policy refuses the request for another reason.

        PolicyError: policy gave no usable answer.
    """
    facts = case.facts()
    [answer] = await ask(policy, SCOPE, [facts])
    if not answer.allow:
        error = _refusal(case, answer, binding)
        error.asked = Refused(case.policy, SCOPE.name, facts, answer)
        raise error
    return answer


def _refusal(case: Case, answer: ScopeAnswer, binding: AgentBinding) -> RequestRefusedError:
    if binding.broken(answer.denials):
        return binding.refusal(case.subject)
    reasons = sorted(denial.code for denial in answer.denials)
    return RequestRefusedError("policy refuses this request", reasons=reasons)
