"""What policy would be told about one item outside a running request."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from gateway.content.leaves import is_document
from gateway.content.parsing import shaped
from gateway.errors import AgentUnknownError, FieldInvalidError
from gateway.model import Candidate, PackRequest, Registry, Subject, utc_text
from gateway.model.case import Attested
from gateway.model.policy_input import ReleaseInput
from gateway.model.words.labels import declared
from gateway.policy.item import item_facts, record_facts
from gateway.policy.vetting.membership import require_item_known, require_known

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def facts_for(
    item: Candidate,
    subject: Subject,
    around: object,
    registry: Registry,
    now: str | None,
    *,
    base: Mapping[str, Any] = NOTHING,
    vouching: Callable[[Candidate, datetime], Attested] | None = None,
) -> ReleaseInput:
    """
    The input of `context/release` for an item in whose content and labels nothing was found.

    Args:
        item: the item.
        subject: the person.
        around: the request, or some of its fields; for the rest see `assumed`.
        registry: the agents and models.
        now: RFC 3339; None for the system's clock.
        base: the input that every case starts from, for what neither the request nor the item says.
        vouching: finds out who vouches for its labels; where it is left out nobody does, so that they are a caller's word.

    Raises:
        AgentUnknownError: the registry has no such agent.

        FieldInvalidError: the request around it lacks a field or has one that is none, a word is none that the bundle knows, or *now* is no time.
    """
    fields = {
        **assumed(item, subject, around, registry, base),
        "model": next(iter(registry.models)),
        "token_budget": 1000,
        **(around if isinstance(around, dict) else {}),
    }
    request = shaped(PackRequest, fields)
    require_known(request.model_copy(update={"items": ()}), registry.vocabulary)
    require_item_known(item, registry.vocabulary)
    agent = registry.agents.get(request.agent_id)
    try:
        moment = datetime.now(UTC) if now is None else datetime.fromisoformat(now)
    except ValueError as error:
        raise FieldInvalidError("--now must be an RFC 3339 time", fields=[("--now", "is not a time")]) from error
    if agent is None:
        raise AgentUnknownError("the agent is not registered", fields=[("agent_id", "not registered")])
    vouched = vouching(item, moment) if vouching else Attested(item)
    known = declared(item.provenance.labels or {}, item.provenance.source_type, registry.vocabulary.labels)
    attested = replace(vouched, labels_declared=known, structured=is_document(item.content), label_findings=())
    domain = registry.domain_of(agent, request.entity.type if request.entity else None)
    return {
        "now": utc_text(moment),
        "subject": subject.facts(),
        "agent": {"id": agent.id, "archetype": agent.archetype, "domains": list(agent.domains)},
        "request": {
            "purpose": request.purpose,
            "domain": domain,
            "entity": {"type": request.entity.type, "id": request.entity.id} if request.entity else None,
            "jurisdictions": list(request.jurisdictions),
            "has_query": bool(request.query),
            "historical": request.as_of is not None,
        },
        "item": item_facts(attested, moment),
        "records": record_facts([attested], request.entity, registry.domains[domain].record, moment),
        "exceptions": [],
        "findings": [],
        "reviews": [],
        "screened": ["pii/structured", "pii/patterns", "pii/full", "injection", "rendering"],
    }


def assumed(
    item: Candidate, subject: Subject, around: object, registry: Registry, base: Mapping[str, Any] = NOTHING
) -> dict[str, object]:
    """
    What the request around an item does not say and is taken from elsewhere, by field.

    The agent is the first worker of the item's domain that the token speaks for, the jurisdiction the item's; what that leaves open is as in the
    officers' cases.  What nobody knows is left out.
    """
    domain, index = item.provenance.domain, item.provenance.jurisdiction
    workers = [a.id for a in registry.agents.values() if domain in a.domains and a.archetype == "worker"]
    worker = next((name for name in workers if name in (subject.agents or workers)), None)
    agent, request = base.get("agent", {}), base.get("request", {})
    taken = {
        "agent_id": worker or agent.get("id"),
        "purpose": request.get("purpose"),
        "jurisdictions": [index]
        if index
        else request.get("jurisdictions", list(registry.vocabulary.jurisdictions[-1:])),
    }
    given = around if isinstance(around, dict) else {}
    return {name: value for name, value in taken.items() if value is not None and name not in given}
