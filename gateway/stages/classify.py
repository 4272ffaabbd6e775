"""Stage: what kind of request is this?"""

import hashlib
import hmac

from datetime import UTC, datetime
from typing import Final

from gateway.errors import AgentUnknownError, FieldInvalidError, ModelUnknownError, PurposeUnknownError
from gateway.model import Case, PackRequest, PolicyVersion, Registry, Subject
from gateway.model.pseudonyms import tenant_key
from gateway.policy.vetting.membership import require_known
from ledger.canonical import jcs

_FIRST: Final = datetime(1900, 1, 1, tzinfo=UTC)
"""No record is older.  Years of fewer digits than four would come after today's where moments are compared as texts."""


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
    codes: tuple[str, ...] = (),
) -> Case:
    """
    Look up the agent, its domain and the model, and derive the ids of everything that follows.

    Ids depend on the request, the subject, the clock, the bundle, the detectors and what the session carries over, and from
    the stage `identify` on what is decided, so that a retry that comes to the same is the same decision.

    Raises:
        AgentUnknownError, PurposeUnknownError, ModelUnknownError: the registry has no such entry.

        FieldInvalidError: a word that the bundle does not know, a token budget that is larger than the model's window, or a
            moment that has not come, or none of which there are records.
    """
    require_known(request, registry.vocabulary)
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
    if request.as_of is not None and not _FIRST <= datetime.fromisoformat(request.as_of) <= now:
        problem = "must lie between 1900 and the moment of the request"
        raise FieldInvalidError(f"as_of: {problem}", fields=[("as_of", problem)])
    circumstances: list[object] = [
        now.isoformat(),
        trace_id,
        policy.revision,
        detectors,
        call,
        *([carried] if carried else []),
        *codes,
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
        vocabulary=registry.vocabulary,
        id_key=key,
        codes=codes,
        tenant_key=tenant_key(secret, subject.tenant),
    )


def _id_key(secret: bytes, request: PackRequest, subject: Subject, circumstances: list[object]) -> bytes:
    # What is not asked for leaves ids as they were before it could be.
    facts = [
        request.model_dump(mode="json", exclude={"as_of"} if request.as_of is None else None),
        subject.model_dump(mode="json"),
        circumstances,
    ]
    return hmac.new(secret, jcs(facts), hashlib.sha256).digest()
