"""Stage: what kind of request is this?"""

import hashlib
import hmac

from datetime import datetime

from gateway.errors import AgentUnknownError, FieldInvalidError, ModelUnknownError, PurposeUnknownError
from gateway.model import Case, PackRequest, PolicyVersion, Registry, Subject
from gateway.model.pseudonyms import tenant_key
from ledger.canonical import jcs


def classify(
    request: PackRequest,
    subject: Subject,
    *,
    registry: Registry,
    policy: PolicyVersion,
    detectors: dict[str, str],
    now: datetime,
    trace_id: str | None,
    secret: bytes,
    call: str,
    carried: str | None = None,
) -> Case:
    """
    Look up the agent, its domain and the model, and derive the ids of everything that follows.

    Ids depend on the request, the subject, the clock, the bundle, the detectors and what the session carries over alone,
    so that a retry of the same request is the same decision.

    Raises:
        AgentUnknownError, PurposeUnknownError, ModelUnknownError: the registry has no such entry.

        FieldInvalidError: the token budget is larger than the model's window.
    """
    agent = registry.agents.get(request.agent_id)
    if agent is None:
        raise AgentUnknownError("the agent is not registered", fields=[("agent_id", "not registered")])
    if request.purpose not in registry.purposes:
        raise PurposeUnknownError("the purpose is not registered", fields=[("purpose", "not registered")])
    model = registry.models.get(request.model)
    if model is None:
        raise ModelUnknownError("the model is not registered", fields=[("model", "not registered")])
    if request.token_budget > model.window:
        raise FieldInvalidError(
            "the token budget is larger than the model's window",
            fields=[("token_budget", f"must be at most {model.window}")],
        )
    circumstances: list[object] = [
        now.isoformat(),
        trace_id,
        policy.revision,
        detectors,
        call,
        *([carried] if carried else []),
    ]
    key = _id_key(secret, request, subject, circumstances)
    return Case(
        request=request,
        subject=subject,
        agent=agent,
        model=model,
        domain=registry.domain_of(agent, request.entity.type if request.entity else None),
        now=now,
        trace_id=trace_id or key[:16].hex(),
        policy=policy,
        id_key=key,
        tenant_key=tenant_key(secret, subject.tenant),
    )


def _id_key(secret: bytes, request: PackRequest, subject: Subject, circumstances: list[object]) -> bytes:
    facts = [request.model_dump(mode="json"), subject.model_dump(mode="json"), circumstances]
    return hmac.new(secret, jcs(facts), hashlib.sha256).digest()
