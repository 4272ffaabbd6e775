"""Records outside the pipeline: a request refused as a whole, and questions that release nothing."""

import secrets

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from gateway.audit.drafts import refused
from gateway.errors import DeadlineExceededError, GatewayError, OverloadedError, RateLimitedError, RecordError
from gateway.model import PolicyVersion, Subject, utc_text, uuid7
from gateway.ports.ledger import Ledger
from ledger.record import Draft, Kind, PolicyPart

SYSTEM_TENANT: Final = "-"
"""Tenant of what no person did."""


async def record_refusal(
    error: GatewayError, subject: Subject, now: datetime, trace_id: str | None, *, ledger: Ledger
) -> None:
    """
    Record that a known caller was refused, once, with the codes and nothing of the request.

    An error of the ledger itself cannot be recorded and is left to the caller.  What is turned away for load, before any
    work, is counted and not recorded: a flood of requests would else be one of records.

    Raises:
        RecordError: the refusal is not on record; the caller hears of that instead.
    """
    shed = isinstance(error, OverloadedError | RateLimitedError) and not isinstance(error, DeadlineExceededError)
    if error.recorded or shed or isinstance(error, RecordError):
        return
    decision_id = uuid7(now, secrets.token_bytes(10))
    draft = refused(
        subject,
        await ledger.subject_token(subject.tenant, subject.sub),
        decision_id=decision_id,
        at=utc_text(now),
        trace_id=trace_id or decision_id,
        codes=[error.code, *error.reasons],
    )
    await ledger.append([draft])
    error.recorded = True


async def record_evaluations(
    decided: Sequence[tuple[bool, Sequence[str]]],
    subject: Subject,
    policy: PolicyVersion,
    now: datetime,
    *,
    ledger: Ledger,
) -> None:
    """
    Record answers on labels alone: "denied" with the codes, or no outcome, since nothing was released.

    Raises:
        RecordError: they are not on record, so they may not be given.
    """
    token = await ledger.subject_token(subject.tenant, subject.sub)
    request_id = uuid7(now, secrets.token_bytes(10))
    part = PolicyPart(
        revision=policy.revision,
        engine=policy.engine,
        engine_version=policy.engine_version,
        entrypoint="context/admit",
    )
    drafts = [
        Draft(
            kind="item.ruled",
            decision_id=uuid7(now, secrets.token_bytes(10)),
            trace_id=request_id,
            request_id=request_id,
            tenant=subject.tenant,
            subject=token,
            policy=part,
            outcome=None if allowed else "denied",
            codes=tuple(sorted(codes)),
            at=utc_text(now),
        )
        for allowed, codes in decided
    ]
    await ledger.append(drafts)


async def record_lane(kind: Kind, now: datetime, *, ledger: Ledger) -> None:
    """
    Record that this process began, or ended in order.

    Raises:
        RecordError: it is not on record.
    """
    decision_id = uuid7(now, secrets.token_bytes(10))
    draft = Draft(
        kind=kind,
        decision_id=decision_id,
        trace_id=decision_id,
        request_id=decision_id,
        tenant=SYSTEM_TENANT,
        at=utc_text(now),
    )
    await ledger.append([draft])
