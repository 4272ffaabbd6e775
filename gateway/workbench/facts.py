"""What policy would be told about one item outside a running request."""

from datetime import UTC, datetime

from gateway.content.parsing import shaped
from gateway.errors import AgentUnknownError, FieldInvalidError
from gateway.model import Candidate, PackRequest, Registry, Subject, utc_text
from gateway.model.policy_input import ReleaseInput
from gateway.policy.item import item_facts


def facts_for(item: Candidate, subject: Subject, around: object, registry: Registry, now: str | None) -> ReleaseInput:
    """
    The input of `context/release` for an item in which nothing was found.

    Args:
        item: the item.
        subject: the person.
        around: the request, or some of its fields; the rest is taken from the item and the person.
        registry: the agents and models.
        now: RFC 3339; None for the system's clock.

    Raises:
        AgentUnknownError: the registry has no such agent.

        FieldInvalidError: the request around it has a field that is none, or *now* is no time.
    """
    domain = item.provenance.domain
    default_agent = next(
        (a.id for a in registry.agents.values() if domain in a.domains and a.archetype == "worker"), "RISK"
    )
    fields = {
        "agent_id": default_agent,
        "purpose": "risk_assessment",
        "jurisdictions": [item.provenance.jurisdiction or "GLOBAL"],
        "model": next(iter(registry.models)),
        "token_budget": 1000,
        **(around if isinstance(around, dict) else {}),
    }
    request = shaped(PackRequest, fields)
    agent = registry.agents.get(request.agent_id)
    try:
        moment = datetime.now(UTC) if now is None else datetime.fromisoformat(now)
    except ValueError as error:
        raise FieldInvalidError("--now must be an RFC 3339 time", fields=[("--now", "is not a time")]) from error
    if agent is None:
        raise AgentUnknownError("the agent is not registered", fields=[("agent_id", "not registered")])
    return {
        "now": utc_text(moment),
        "subject": subject.facts(),
        "agent": {"id": agent.id, "archetype": agent.archetype, "domains": list(agent.domains)},
        "request": {
            "purpose": request.purpose,
            "domain": agent.domains[0],
            "entity": {"type": request.entity.type, "id": request.entity.id} if request.entity else None,
            "jurisdictions": list(request.jurisdictions),
            "has_query": bool(request.query),
        },
        "item": item_facts(item, moment),
        "findings": [],
        "reviews": [],
        "screened": ["pii/structured", "pii/patterns", "pii/full", "injection"],
    }
