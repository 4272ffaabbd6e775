"""What an officer did, as it is kept beside the ledger, with the act that its record is made of."""

from datetime import datetime

from gateway.audit.parts import Act, act_alone
from gateway.model import Subject, utc_text
from gateway.model.base import RecordProof
from gateway.ports.ledger import Ledger
from gateway.ports.waivers import OfficerAct
from ledger.erasable import fresh_salt


async def officer_act(ledger: Ledger, officer: Subject, now: datetime, reason: str) -> tuple[Act, OfficerAct]:
    """
    The act for the record of one step of an officer, and what is kept of the officer, with the proof that joins them.

    Raises:
        RecordError: the ledger has no token for the officer.
    """
    token = await ledger.subject_token(officer.tenant, officer.sub)
    on_record = act_alone(now, officer.tenant, token)
    return on_record, OfficerAct(
        officer=officer.sub,
        person=officer.person,
        token=token,
        role=officer.role,
        department=officer.department,
        at=utc_text(now),
        reason=reason,
        proof=RecordProof(record=on_record.request_id, salt=fresh_salt().hex()),
    )
