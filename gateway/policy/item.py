"""What policy is told about an item, and about the record of the request's entity."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Final

from pydantic import JsonValue

from gateway.errors import TooManyItemsError
from gateway.model import Candidate
from gateway.model.case import Attested
from gateway.model.policy_input import ItemFacts, RecordFacts
from gateway.model.registry import RecordFields
from gateway.model.request import Entity

MOST_RECORDS: Final = 8
"""So many different items may be brought as the entity's record; the gateway fetches one, and a caller hardly more."""

MOST_RELATED: Final = 256
"""Of the entities that a record lists as related so many are told; items of the others are refused."""

_LONGEST: Final = 200
"""Characters of a name that a record gives: so long may the name of an entity be, and each item's question holds them all."""


def item_facts(attested: Attested, now: datetime) -> ItemFacts:
    """The labels of an item and who vouches for them: never its id, content or score; its age, not when it was fetched."""
    item = attested.item
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
        "corpus": source.corpus,
        "labels": dict(source.labels or {}),
        "labels_declared": attested.labels_declared or not source.labels,
        "age_days": age_days(source.effective_date, now),
        "section": item.section,
        "media_type": item.media_type,
        "age_seconds": age_seconds(item, now),
        "channel": item.channel,
        "attestation": attested.attestation,
        "prompt": attested.prompt,
        "meets_schema": attested.meets_schema,
        "structured": attested.structured,
        "label_findings": None if attested.label_findings is None else list(attested.label_findings),
        "tools": attested.tools,
    }


def is_record(item: Candidate, entity: Entity | None) -> bool:
    """Whether an item is brought as the record of the request's entity: whether it is one is for policy to say."""
    return (
        entity is not None
        and item.section == "entity"
        and item.provenance.entity_id == entity.id
        and isinstance(item.content, dict)
    )


def record_facts(
    candidates: Iterable[Attested], entity: Entity | None, fields: RecordFields, now: datetime
) -> list[RecordFacts]:
    """
    What is brought as the record of the request's entity and verifiably comes from whom it names; what says the same, once.

    Args:
        candidates: all items of the request.
        entity: what the request is about.
        fields: which members of such a record say something about other items.
        now: what its age is told by.

    Raises:
        TooManyItemsError: there are more than `MOST_RECORDS`.
    """
    # What nobody verifiably vouches for could crowd out the record that policy would believe.
    vouched = (
        one for one in candidates if one.attestation and one.attestation["verified"] and is_record(one.item, entity)
    )
    told: list[RecordFacts] = []
    for record in (_record(one, fields, now) for one in vouched):
        if record not in told:
            told.append(record)
        # Told of some alone, policy would not hear of a restriction that stands in the one after them.
        if len(told) > MOST_RECORDS:
            problem = f"must be brought as the record of the entity at most {MOST_RECORDS} times"
            raise TooManyItemsError(
                "too many items are brought as the record of the entity", fields=[("items", problem)]
            )
    return told


def _record(attested: Attested, fields: RecordFields, now: datetime) -> RecordFacts:
    item, source = attested.item, attested.item.provenance
    content = item.content if isinstance(item.content, dict) else {}
    return {
        "section": item.section,
        "source_id": source.source_id,
        "source_type": source.source_type,
        "corpus": source.corpus,
        "data_classification": source.data_classification,
        "jurisdiction": source.jurisdiction,
        "domain": source.domain,
        "entity_id": source.entity_id,
        "labels": dict(source.labels or {}),
        "age_seconds": age_seconds(item, now),
        "channel": item.channel,
        "attestation": attested.attestation,
        # No entity has a longer name; a jurisdiction that is cut is still one, and none that is on record.
        "related": [text for text in _texts(content.get(fields.related)) if len(text) <= _LONGEST][:MOST_RELATED],
        "jurisdictions": [text[:_LONGEST] for text in _texts(content.get(fields.jurisdictions))][:MOST_RELATED],
    }


def _texts(value: JsonValue) -> Iterator[str]:
    """The texts in a member that holds one or a list of them."""
    values: Iterable[JsonValue] = value if isinstance(value, list) else [value]
    return (text for text in values if isinstance(text, str))


def age_seconds(item: Candidate, now: datetime) -> int | None:
    """Whole seconds since the item was fetched, rounded down; None where that is not known."""
    fetched_at = item.provenance.fetched_at
    return None if fetched_at is None else int((now - datetime.fromisoformat(fetched_at)).total_seconds() // 1)


def age_days(effective_date: str | None, now: datetime) -> int | None:
    """Whole days, UTC, since the first day on which the source applies; negative before it, None where there is none."""
    if effective_date is None:
        return None
    return (now.astimezone(UTC).date() - date.fromisoformat(effective_date)).days
