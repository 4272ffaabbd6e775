"""What policy is told about an item."""

from datetime import datetime
from typing import Any

from gateway.model import Candidate


def item_labels(item: Candidate, now: datetime) -> dict[str, Any]:
    """What policy is told about an item: its labels, never its id, content or score."""
    facts = item.provenance.model_dump()
    fetched_at = facts.pop("fetched_at")
    age = None if fetched_at is None else (now - datetime.fromisoformat(fetched_at)).total_seconds()
    return {
        **facts,
        "section": item.section,
        "media_type": item.media_type,
        "age_seconds": None if age is None else int(age // 1),
    }
