"""
Exceptions on request that count for a request: approved, not over, and each of them on record.

Rule held here: what is kept as approved and is not on record as that, by two officers, stops the request; it is not passed over,
so that whoever wrote it is looked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gateway.errors import UnprovedError
from gateway.model import Subject, utc_text
from gateway.model.policy_input import ExceptionFacts
from gateway.ports.ledger import KeptClaim, Proofs
from gateway.ports.waivers import APPROVED, REVOKED, KeptWaiver, Waiver, Waivers
from ledger.record import Kind


@dataclass(frozen=True, slots=True)
class Exempted:
    """Exceptions on request that a request is told of."""

    told: Sequence[KeptWaiver] = ()
    facts: Sequence[ExceptionFacts] = ()
    """The same as policy hears of them."""


NO_EXCEPTIONS: Final = Exempted()

KIND: Kind = "exception.reviewed"


async def proved_waivers(
    agent: str, purpose: str, requester: Subject, now: datetime, *, waivers: Waivers, proofs: Proofs
) -> Sequence[KeptWaiver]:
    """
    Exceptions of the requester's tenant that may apply to a request for this agent and purpose.

    Raises:
        StoreError, RecordError: they cannot be told.

        UnprovedError: one of them is not on record as it is kept.
    """
    kept = await waivers.in_force(requester.tenant, utc_text(now))
    told = [one for one in kept if one.waiver.is_about(agent, purpose)]
    if not told:
        return ()
    records = await proofs.require([_claim(one.waiver, requester.tenant) for one in told])
    for one, record in zip(told, records, strict=True):
        if one.waiver.approved is None or record["subject"] != one.waiver.approved.token:
            raise UnprovedError("an exception is kept as approved by another officer than the record says")
        if record["subject"] == one.waiver.asked.token:
            raise UnprovedError("an exception is kept as approved, and one officer alone is on record")
    return told


def _claim(waiver: Waiver, tenant: str) -> KeptClaim:
    proof = waiver.approved.proof if waiver.approved else None
    return KeptClaim(tenant, KIND, APPROVED, waiver.said(APPROVED), proof, frozenset({REVOKED}))


def facts_of(kept: Sequence[KeptWaiver], requester: Subject, now: datetime, revision: str) -> list[ExceptionFacts]:
    """What policy is told of them; *revision* is of the bundle that decides."""
    return [one.waiver.facts(now, revision, used=one.used, requester=requester) for one in kept]
