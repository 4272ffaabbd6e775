"""Reading the ledger for an auditor: a tenant's own records, and a record of the reading."""

import asyncio
import json
import secrets

from typing import Any

from gateway.bootstrap import Gateway
from gateway.errors import RecordError
from gateway.model import Subject, utc_text, uuid7
from ledger.aside import Aside
from ledger.errors import LedgerError
from ledger.query import Filter
from ledger.record import Draft


async def read_records(wanted: Filter, subject: Subject, gateway: Gateway) -> dict[str, Any]:
    """
    A page of records, once the reading of it is on record.

    Raises:
        RecordError: the store did not answer, or the reading could not be recorded.
    """
    now = gateway.clock()
    decision_id = uuid7(now, secrets.token_bytes(10))
    draft = Draft(
        kind="ledger.read",
        decision_id=decision_id,
        trace_id=decision_id,
        request_id=decision_id,
        tenant=subject.tenant,
        subject=await gateway.recorder.subject_token(subject.tenant, subject.sub),
        codes=tuple(sorted(f"FILTER-{name.upper()}" for name in wanted.model_fields_set)),
        at=utc_text(now),
    )
    await gateway.recorder.append([draft], [Aside()])
    try:
        page = await asyncio.to_thread(gateway.store.query, wanted)
    except LedgerError as error:
        raise RecordError("the ledger did not answer") from error
    return {"records": [json.loads(body) for body in page.records], "next": page.next}
