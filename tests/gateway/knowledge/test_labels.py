"""Combinations of labels."""

from gateway.knowledge.labels import tuple_key
from gateway.model.request import Provenance

LABELS = Provenance(source_id="a", jurisdiction="SG", fetched_at="2026-03-01T00:00:00Z")


def test_what_tells_two_apart():
    """Tenant, origin and each label tell two combinations apart; when they were fetched does not."""
    key = tuple_key("gfm", LABELS, 1)
    assert key == tuple_key("gfm", LABELS.model_copy(update={"fetched_at": None}), 1)
    others = [
        tuple_key("other", LABELS, 1),
        tuple_key("gfm", LABELS, 2),
        tuple_key("gfm", LABELS.model_copy(update={"jurisdiction": "HK"}), 1),
        tuple_key("gfm", LABELS.model_copy(update={"doc_section": "SG"}), 1),
    ]
    assert len({key, *others}) == 5
