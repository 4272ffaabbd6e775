"""Stage: what reviewers said of this content before, and what they are to look at now."""

from collections.abc import Sequence

from gateway.content import content_digest, content_text
from gateway.model import Case, Ruling
from gateway.model.facts import ReviewFacts, ReviewScope
from gateway.ports import Held, Reviews
from gateway.pseudonyms import keyed_digest
from gateway.quarantine import held_id


async def recall(rulings: Sequence[Ruling], case: Case, *, reviews: Reviews) -> dict[str, tuple[ReviewFacts, ...]]:
    """
    What was said of the content of suspicious rulings, by decision id.

    Raises:
        AsideError: it cannot be told.
    """
    digests = {
        ruling.decision_id: _digest(ruling, case)
        for ruling in rulings
        if any(finding.kind == "injection" for finding in ruling.findings)
    }
    if not digests:
        return {}
    known = await reviews.known(case.subject.tenant, sorted(set(digests.values())))
    return {decision_id: tuple(known.get(digest, ())) for decision_id, digest in digests.items()}


async def hold(rulings: Sequence[Ruling], case: Case, *, reviews: Reviews) -> None:
    """
    Keep the content of what was set aside for review.

    Raises:
        AsideError: it is not kept.
    """
    aside = [_held(ruling, case) for ruling in rulings if ruling.outcome == "quarantined"]
    if aside:
        await reviews.hold(aside)


async def let_go(rulings: Sequence[Ruling], case: Case, *, reviews: Reviews) -> None:
    """
    Delete what was kept for review, of rulings that are not on record after all.

    Raises:
        AsideError: it is not known to be gone.
    """
    await reviews.erase(case.subject.tenant, [ruling.decision_id for ruling in rulings])


def _held(ruling: Ruling, case: Case) -> Held:
    digest = _digest(ruling, case)
    scope = ReviewScope(agent=case.agent.id, purpose=case.request.purpose, source_id=ruling.item.provenance.source_id)
    return Held(
        id=held_id(digest, scope),
        tenant=case.subject.tenant,
        digest=digest,
        scope=scope,
        item_id=ruling.item.id,
        decision_id=ruling.decision_id,
        findings=tuple(sorted({finding.type for finding in ruling.findings if finding.kind == "injection"})),
        at=case.at,
        content=content_text(ruling.item.content),
    )


def _digest(ruling: Ruling, case: Case) -> str:
    return keyed_digest(case.tenant_key, content_digest(ruling.item.content))
