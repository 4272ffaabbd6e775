"""What tokens stand for: decided by policy, and on record before it is told."""

import secrets

from collections.abc import Mapping, Sequence
from datetime import datetime

from gateway.model import DetokenizeAnswer, PolicyVersion, Subject, utc_text, uuid7
from gateway.model.base import Model
from gateway.policy.ask import ask
from gateway.ports.ledger import Ledger
from gateway.ports.policy import PolicyEngine
from gateway.ports.stores import Secret
from ledger.record import Draft, FindingCount, PolicyPart


class Revealed(Model):
    """What one token stands for, or why it is not said."""

    token: str
    """As asked."""

    value: str | None = None
    """What it stands for; null where policy does not allow it."""

    codes: tuple[str, ...] = ()
    """Why it is not said, sorted."""


UNKNOWN = "DTK-000"
"""The vault of the requester's tenant holds no such token."""


async def decide(
    known: Mapping[str, Secret], purpose: str, subject: Subject, now: datetime, policy: PolicyEngine
) -> dict[str, DetokenizeAnswer]:
    """
    Policy's word on each token that the vault knows, by token.

    Raises:
        PolicyError: policy gave no usable answer.
    """
    inputs = [
        {
            "now": utc_text(now),
            "subject": subject.facts(),
            "request": {"purpose": purpose},
            "token": {"type": secret.entity, "purpose": secret.purpose},
        }
        for secret in known.values()
    ]
    return dict(zip(known, await ask(policy, "context/detokenize", inputs, DetokenizeAnswer), strict=True))


def revealed_or_not(token: str, known: Mapping[str, Secret], answers: Mapping[str, DetokenizeAnswer]) -> Revealed:
    """What the requester is told of a token."""
    if token not in known:
        return Revealed(token=token, codes=(UNKNOWN,))
    answer = answers[token]
    if not answer.allow:
        return Revealed(token=token, codes=tuple(sorted({denial.code for denial in answer.denials})))
    return Revealed(token=token, value=known[token].value)


async def record_revealed(
    revealed: Sequence[Revealed],
    kinds: Mapping[str, str],
    subject: Subject,
    now: datetime,
    *,
    ledger: Ledger,
    purpose: str,
    policy: PolicyVersion,
) -> None:
    """One record for each token that was asked for, revealed or not; never the token, which could be compared."""
    request_id = uuid7(now, secrets.token_bytes(10))
    part = PolicyPart(
        revision=policy.revision,
        engine=policy.engine,
        engine_version=policy.engine_version,
        entrypoint="context/detokenize",
    )
    person = await ledger.subject_token(subject.tenant, subject.sub)
    drafts = [
        Draft(
            kind="token.revealed",
            decision_id=uuid7(now, secrets.token_bytes(10)),
            trace_id=request_id,
            request_id=request_id,
            tenant=subject.tenant,
            subject=person,
            purpose=purpose,
            policy=part,
            findings=(FindingCount(type=f"pii:{kinds[one.token]}", count=1),) if one.token in kinds else (),
            outcome="released" if one.value is not None else "denied",
            codes=one.codes,
            at=utc_text(now),
        )
        for one in revealed
    ]
    await ledger.append(drafts)
