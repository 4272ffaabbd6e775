"""A request that is refused as a whole: on record once, with the codes, and sealed with what policy was asked, if it was."""

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
from gateway.ports.policy import Refused


async def record_refusal(
    error: GatewayError, subject: Subject, now: datetime, trace_id: str | None, *, ledger: Ledger
) -> None:
    """
    Record that a known caller was refused, once, with the codes; where policy refused, with what it was asked, sealed for a replay.

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
    refused = error.asked if isinstance(error.asked, Refused) else None
    draft, erasable = request_refused(act, [error.code, *error.reasons], refused)
    await ledger.append([draft], [erasable] if refused else [])
    error.recorded = True
