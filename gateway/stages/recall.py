"""Stage: what reviewers said of this content before, where that matters."""

from collections.abc import Sequence

from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.model.policy_input import ReviewFacts
from gateway.model.pseudonyms import keyed_digest
from gateway.ports.stores import Reviews


async def recall(rulings: Sequence[Ruling], case: Case, *, reviews: Reviews) -> dict[str, tuple[ReviewFacts, ...]]:
    """
    What was said of content that is suspicious, or that officers may have validated, by decision id.

    Raises:
        StoreError: it cannot be told.
    """
    digests = await apart(lambda: _digests(rulings, case))
    if not digests:
        return {}
    known = await reviews.known(case.subject.tenant, sorted(set(digests.values())))
    return {decision_id: tuple(known.get(digest, ())) for decision_id, digest in digests.items()}


def _digests(rulings: Sequence[Ruling], case: Case) -> dict[str, str]:
    return {
        ruling.decision_id: keyed_digest(case.tenant_key, ruling.item.digest)
        for ruling in rulings
        if ruling.validatable or any(finding.kind == "injection" for finding in ruling.findings)
    }
