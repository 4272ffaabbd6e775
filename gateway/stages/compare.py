"""Stage: put on record where a shadow bundle would have decided otherwise."""

from gateway.audit.drafts import shadow_disagreed
from gateway.concurrency.apart import apart
from gateway.model import Case
from gateway.policy.shadow import disagreements
from gateway.ports.ledger import Ledger
from gateway.ports.policy import PolicyEngine


async def compare(policy: PolicyEngine, case: Case, *, ledger: Ledger) -> None:
    """
    Record what a shadow bundle would have decided otherwise, with its question in the erasable side, for replay.

    Raises:
        RecordError: it is not durable, so nothing may be released.
    """
    found = disagreements(policy)
    if not found:
        return
    token = await ledger.subject_token(case.subject.tenant, case.subject.sub)
    drafted = await apart(lambda: [shadow_disagreed(one, index, case, token) for index, one in enumerate(found)])
    await ledger.append([draft for draft, _ in drafted], [erasable for _, erasable in drafted])
