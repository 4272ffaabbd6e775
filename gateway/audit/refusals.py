"""A request that is refused as a whole: on record once, with the codes and nothing of the request."""

from datetime import datetime

from gateway.audit.drafts import request_refused
from gateway.audit.parts import act_alone
from gateway.errors import (
    DeadlineExceededError,
    GatewayError,
    OverloadedError,
    RateLimitedError,
    RecordError,
    RevealRateError,
)
from gateway.model import Subject
from gateway.ports.ledger import Ledger


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
    shed = isinstance(error, OverloadedError | RateLimitedError)
    if isinstance(error, DeadlineExceededError | RevealRateError):
        # Time was spent on the one; the other is what an auditor looks for.
        shed = False
    if error.recorded or shed or isinstance(error, RecordError):
        return
    token = await ledger.subject_token(subject.tenant, subject.sub)
    act = act_alone(now, subject.tenant, token, trace_id=trace_id)
    await ledger.append([request_refused(act, [error.code, *error.reasons])])
    error.recorded = True
