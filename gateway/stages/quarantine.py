"""Stage: put what looks like instructions into quarantine, where it waits for two officers."""

from collections.abc import Sequence

from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.model.content import content_text
from gateway.model.pseudonyms import keyed_digest, keyed_name
from gateway.model.review import ReviewScope, quarantine_id
from gateway.ports.stores import QuarantinedItem, Reviews


async def quarantine(rulings: Sequence[Ruling], case: Case, *, reviews: Reviews, secret: bytes) -> None:
    """
    Keep the content of what is quarantined, for review, under the keyed name of who brought it.

    Raises:
        StoreError: it is not kept.
    """
    person = keyed_name(secret, case.subject.sub)
    erasable = await apart(
        lambda: [_held(ruling, case, person) for ruling in rulings if ruling.outcome == "quarantined"]
    )
    if erasable:
        await reviews.quarantine(erasable)


async def discard(rulings: Sequence[Ruling], case: Case, *, reviews: Reviews) -> None:
    """
    Delete what was kept for review, of rulings that are not on record after all.

    Raises:
        StoreError: it is not known to be gone.
    """
    await reviews.erase(case.subject.tenant, [ruling.decision_id for ruling in rulings])


def _held(ruling: Ruling, case: Case, person: str) -> QuarantinedItem:
    digest = keyed_digest(case.tenant_key, ruling.item.digest)
    scope = ReviewScope(agent=case.agent.id, purpose=case.request.purpose, source_id=ruling.item.provenance.source_id)
    return QuarantinedItem(
        id=quarantine_id(digest, scope),
        tenant=case.subject.tenant,
        digest=digest,
        scope=scope,
        item_id=ruling.item.id,
        decision_id=ruling.decision_id,
        findings=tuple(sorted({finding.type for finding in ruling.findings if finding.kind == "injection"})),
        at=case.at,
        person=person,
        content=content_text(ruling.item.content),
    )
