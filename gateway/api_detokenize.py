"""What tokens stand for, over HTTP: for those whom policy allows, each answer on record before it is given."""

import secrets

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from gateway.api import Known, Running, read_document, require
from gateway.bootstrap.gateway import Gateway
from gateway.describing import body_of
from gateway.model import DetokenizeAnswer, PolicyVersion, Subject, utc_text, uuid7
from gateway.model.base import Model, Name
from gateway.policy import ask
from gateway.ports import PolicyEngine, Secret
from gateway.wire import shaped
from ledger.record import Draft, FindingCount, PolicyPart

router = APIRouter(prefix="/v1")


class DetokenizeBody(Model):
    """Tokens, and what for."""

    tokens: Annotated[tuple[Name, ...], Field(min_length=1, max_length=100)]
    """As they stand in a text, such as `<PERSON:…>`."""

    purpose: Name
    """Why."""


class Revealed(Model):
    """What one token stands for, or why it is not said."""

    token: str
    """As asked."""

    value: str | None = None
    """What it stands for; null where policy does not allow it."""

    codes: tuple[str, ...] = ()
    """Why it is not said, sorted."""


class DetokenizeReply(Model):
    """An answer for every token, in the order asked."""

    tokens: tuple[Revealed, ...]
    """In the order asked."""


BODIES = (DetokenizeBody,)
_ASKED = {"tokens": ["<PERSON:0123456789abcdef>"], "purpose": "counterparty_review"}

UNKNOWN = "DTK-000"
"""The vault of the requester's tenant holds no such token."""


@router.post("/detokenize", openapi_extra=body_of(DetokenizeBody, _ASKED))
async def detokenize(request: Request, gateway: Running, subject: Known) -> DetokenizeReply:
    """
    What tokens stand for, where policy allows it.

    Raises:
        ScopeMissingError: the token lacks the scope `pii:detokenize`.

        PolicyError, AsideError, RecordError: nothing is said.
    """
    require(subject, "pii:detokenize")
    body = shaped(DetokenizeBody, await read_document(request, gateway))
    now = gateway.clock()
    known = await gateway.pipeline.vault.look_up(subject.tenant, body.tokens)
    policy = gateway.pipeline.policy.pinned()
    answers = await _decide(known, body.purpose, subject, now, policy)
    revealed = [_revealed(token, known, answers) for token in body.tokens]
    kinds = {token: secret.entity for token, secret in known.items()}
    await _record(revealed, kinds, subject, gateway, purpose=body.purpose, policy=policy.version)
    return DetokenizeReply(tokens=tuple(revealed))


async def _decide(
    known: Mapping[str, Secret], purpose: str, subject: Subject, now: datetime, policy: PolicyEngine
) -> dict[str, DetokenizeAnswer]:
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


def _revealed(token: str, known: Mapping[str, Secret], answers: Mapping[str, DetokenizeAnswer]) -> Revealed:
    if token not in known:
        return Revealed(token=token, codes=(UNKNOWN,))
    answer = answers[token]
    if not answer.allow:
        return Revealed(token=token, codes=tuple(sorted({denial.code for denial in answer.denials})))
    return Revealed(token=token, value=known[token].value)


async def _record(
    revealed: Sequence[Revealed],
    kinds: Mapping[str, str],
    subject: Subject,
    gateway: Gateway,
    *,
    purpose: str,
    policy: PolicyVersion,
) -> None:
    """One record for each token that was asked for, revealed or not; never the token, which could be compared."""
    now = gateway.clock()
    request_id = uuid7(now, secrets.token_bytes(10))
    part = PolicyPart(
        revision=policy.revision,
        engine=policy.engine,
        engine_version=policy.engine_version,
        entrypoint="context/detokenize",
    )
    person = await gateway.recorder.subject_token(subject.tenant, subject.sub)
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
    await gateway.recorder.append(drafts)
