"""What policy is told about an item."""

from datetime import datetime

from gateway.model import Candidate
from gateway.model.policy_input import ItemFacts


def item_facts(item: Candidate, now: datetime) -> ItemFacts:
    """The labels of an item: never its id, content or score; its age instead of the time it was fetched at."""
    source = item.provenance
    return {
        "source_id": source.source_id,
        "source_type": source.source_type,
        "version": source.version,
        "effective_date": source.effective_date,
        "expiry_date": source.expiry_date,
        "owner": source.owner,
        "ttl_seconds": source.ttl_seconds,
        "data_classification": source.data_classification,
        "jurisdiction": source.jurisdiction,
        "domain": source.domain,
        "entity_id": source.entity_id,
        "doc_section": source.doc_section,
        "section": item.section,
        "media_type": item.media_type,
        "age_seconds": age_seconds(item, now),
    }


def age_seconds(item: Candidate, now: datetime) -> int | None:
    """Whole seconds since the item was fetched, rounded down; None where that is not known."""
    fetched_at = item.provenance.fetched_at
    return None if fetched_at is None else int((now - datetime.fromisoformat(fetched_at)).total_seconds() // 1)
