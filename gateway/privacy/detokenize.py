"""What tokens stand for: decided by policy, and on record before it is told."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from gateway.audit.drafts import token_revealed
from gateway.audit.parts import act_alone
from gateway.model import DetokenizeAnswer, PolicyVersion, Subject, utc_text
from gateway.model.base import Model
from gateway.model.policy_input import DetokenizeInput
from gateway.policy.ask import ask
from gateway.policy.entrypoints import DETOKENIZE
from gateway.ports.ledger import Ledger
from gateway.ports.policy import PolicyEngine
from gateway.ports.stores import Secret


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
    known: Mapping[str, Secret],
    purpose: str,
    subject: Subject,
    now: datetime,
    policy: PolicyEngine,
    *,
    case: str | None = None,
) -> dict[str, DetokenizeAnswer]:
    """
    Policy's word on each token that the vault knows, by token.

    Args:
        known: what the vault knows of the tokens.
        purpose: what for; a registered one.
        subject: who asks.
        now: when.
        policy: who decides.
        case: the registered case that the requester names.

    Raises:
        PolicyError: policy gave no usable answer.
    """
    inputs: list[DetokenizeInput] = [
        {
            "now": utc_text(now),
            "subject": subject.facts(),
            "request": {"purpose": purpose, "case": case},
            "caller": {"purposes": list(subject.purposes), "session": subject.session_id},
            "token": {"type": secret.entity, "purpose": secret.purpose, "origin": secret.origin},
        }
        for secret in known.values()
    ]
    return dict(zip(known, await ask(policy, DETOKENIZE, inputs), strict=True))


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
    case: str | None = None,
) -> None:
    """One record for each token that was asked for, with the case that was named; never the token, which could be compared."""
    act = act_alone(now, subject.tenant, await ledger.subject_token(subject.tenant, subject.sub))
    act, named = replace(act, purpose=purpose), () if case is None else (case,)
    await ledger.append(
        [
            token_revealed(
                act, now, policy, kinds.get(one.token), sorted({*one.codes, *named}), told=one.value is not None
            )
            for one in revealed
        ]
    )
