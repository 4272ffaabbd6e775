"""
Whether the token speaks for the agent that a request names: policy's word, as an error of its own.

Rules held here: policy decides (SCP-006 of the request, ENT-007 of an item); whoever names an agent that the token does not
speak for gets one answer, the same whether there is such an agent or not, and hears of nothing else that is wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gateway.errors import AgentNotOfTokenError
from gateway.model import Subject, utc_text
from gateway.model.policy_answer import Denial
from gateway.model.policy_input import ScopeInput
from gateway.policy.ask import ask
from gateway.policy.entrypoints import SCOPE
from gateway.ports.policy import PolicyEngine

OF_REQUEST: Final = "SCP-006"
OF_ITEM: Final = "ENT-007"

AGENT_DECLARED: Final = "AGENT-DECLARED"
"""What every pack and record says while the gateway believes which agent a request is for."""

NO_PERSON: Final = "NO-PERSON"
"""What the record of a request says that a service made on nobody's behalf, in the role that its channel gives it."""


@dataclass(frozen=True, slots=True)
class AgentBinding:
    """How the agent of a request is held to its token."""

    claims: tuple[str, ...] = ("agents",)
    """The claims that may say for which agents a token speaks; errors name them."""

    def broken(self, denials: Sequence[Denial]) -> bool:
        """Whether policy refuses because the token does not speak for the agent."""
        return any(denial.code in {OF_REQUEST, OF_ITEM} for denial in denials)

    def refusal(self, subject: Subject) -> AgentNotOfTokenError:
        """The one answer to whoever names an agent that is not the token's."""
        # Other reasons would differ between an agent that there is and one that there is not.
        detail = "the token does not speak for this agent"
        if not subject.agents:
            detail = f"the token speaks for no agent: it needs the claim {' or '.join(self.claims)}"
        field = ("agent_id", "is not an agent that the token speaks for")
        return AgentNotOfTokenError(detail, fields=[field], reasons=[OF_REQUEST])

    async def require(self, agent: str, subject: Subject, now: datetime, *, policy: PolicyEngine) -> None:
        """
        Ask policy about the agent alone, where a request cannot be asked about as a whole.

        Raises:
            AgentNotOfTokenError: the token does not speak for it.

            PolicyError: policy gave no usable answer.
        """
        [answer] = await ask(policy, SCOPE, [_facts(agent, subject, now)])
        if not answer.allow and self.broken(answer.denials):
            raise self.refusal(subject)


def of_policy(codes: Iterable[str]) -> list[str]:
    """The codes of a ruling's record without what it says of the gateway's settings: those that policy gave."""
    return [code for code in codes if code not in {AGENT_DECLARED, NO_PERSON}]


def _facts(agent: str, subject: Subject, now: datetime) -> ScopeInput:
    """A request of which nothing is known but its agent: policy refuses it, and says whether for the agent."""
    return {
        "now": utc_text(now),
        "subject": subject.facts(),
        "agent": {"id": agent, "archetype": "", "domains": []},
        "request": {
            "purpose": "",
            "domain": "",
            "entity": None,
            "jurisdictions": [],
            "has_query": False,
            "historical": False,
        },
    }
