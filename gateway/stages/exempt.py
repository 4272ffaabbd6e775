"""Stage: which exceptions two officers approved that may apply."""

from gateway.audit.proving.waivers import Exempted, facts_of, proved_waivers
from gateway.model import Case
from gateway.ports.ledger import Proofs
from gateway.ports.waivers import Waivers


async def exempt(case: Case, *, waivers: Waivers, proofs: Proofs) -> Exempted:
    """
    Exceptions that policy is told of, the same for all items of the request.

    Raises:
        StoreError, RecordError: they cannot be told.

        UnprovedError: one of them is not on record as it is kept.
    """
    told = await proved_waivers(
        case.agent.id, case.request.purpose, case.subject, case.now, waivers=waivers, proofs=proofs
    )
    return Exempted(told, facts_of(told, case.subject, case.now, case.policy.revision))
