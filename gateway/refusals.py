"""The record of a request that was refused as a whole."""

import secrets

from datetime import datetime

from gateway.errors import GatewayError, RecordError
from gateway.model import Subject, utc_text, uuid7
from gateway.ports import Ledger
from gateway.stages.record import refused
from ledger.aside import Aside


async def record_refusal(
    error: GatewayError, subject: Subject, now: datetime, trace_id: str | None, *, ledger: Ledger
) -> None:
    """
    Record that a known caller was refused, with the codes and nothing of the request.

    An error of the ledger itself cannot be recorded and is left to the caller.

    Raises:
        RecordError: the refusal is not on record; the caller hears of that instead.
    """
    if isinstance(error, RecordError):
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
    await ledger.append([draft], [Aside()])
