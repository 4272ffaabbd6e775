"""Stage: what reviewers said of this content before, where that matters."""

from collections.abc import Sequence

from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.model.policy_input import ReviewFacts
from gateway.model.pseudonyms import keyed_digest
from gateway.model.review import VERDICTS, said_of_review
from gateway.ports.ledger import KeptClaim, Proofs
from gateway.ports.stores import KeptReview, Reviews


async def recall(
    rulings: Sequence[Ruling], case: Case, *, reviews: Reviews, proofs: Proofs
) -> dict[str, tuple[ReviewFacts, ...]]:
    """
    What was said of content that is suspicious, or that officers may have validated, by decision id.

    Raises:
        StoreError, RecordError: it cannot be told.

        UnprovedError: a verdict is kept that is not on record; what could release content is not passed over in silence.
    """
    digests = await apart(lambda: _digests(rulings, case))
    if not digests:
        return {}
    tenant = case.subject.tenant
    known = await reviews.known(tenant, sorted(set(digests.values())))
    # All of them, also those that policy would not go by: whoever wrote one that is not on record is looked for.
    await proofs.require([_claim(tenant, digest, one) for digest, kept in known.items() for one in kept])
    facts = {digest: tuple(one.facts for one in kept) for digest, kept in known.items()}
    return {decision_id: facts.get(digest, ()) for decision_id, digest in digests.items()}


def _claim(tenant: str, digest: str, kept: KeptReview) -> KeptClaim:
    """What the record of a verdict must say; of the content that this verdict is looked up for, not of one that the row names."""
    facts = kept.facts
    said = said_of_review(facts["id"], digest, facts["scope"], facts["verdict"], facts["expires"])
    return KeptClaim(tenant, "quarantine.reviewed", facts["verdict"].upper(), said, kept.proof, VERDICTS)


def _digests(rulings: Sequence[Ruling], case: Case) -> dict[str, str]:
    return {
        ruling.decision_id: keyed_digest(case.tenant_key, ruling.item.digest)
        for ruling in rulings
        if ruling.validatable or any(finding.kind == "injection" for finding in ruling.findings)
    }
