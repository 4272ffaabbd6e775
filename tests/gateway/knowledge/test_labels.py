"""Combinations of labels, and what settles them."""

from gateway.knowledge.labels import FACTS, OF_A_CHUNK, settled, tuple_key
from gateway.knowledge.reading.deciding import deciding
from gateway.model.request import Provenance
from tests.support.bundles import SHIPPED


def test_the_shipped_rules_are_settled_by_labels_and_foreseen():
    """
    Under the shipped rules documents can be searched, and answers be used again.
    """
    found = deciding(SHIPPED)
    assert found.unkept == frozenset()
    assert found.foreseen
    assert found.facts < FACTS
    assert {"jurisdiction", "domain", "doc_section", "ttl_seconds", "labels"} <= found.facts
    assert OF_A_CHUNK <= FACTS


def test_a_key_says_all_but_when():
    """
    Every label but the time of its origin is in the key; the same labels in another order give the same key.
    """
    one = Provenance(source_id="SOP", labels={"approved_on": "2026-01-01", "document_type": "policy"})
    other = Provenance(source_id="SOP", labels={"document_type": "policy", "approved_on": "2026-01-01"})
    assert tuple_key("gfm", one, 1) == tuple_key("gfm", other, 1)
    later = one.model_copy(update={"fetched_at": "2026-03-01T00:00:00.000000Z"})
    assert tuple_key("gfm", one, 1) == tuple_key("gfm", later, 1)
    for changed in ("source_id", "version", "owner", "doc_section", "corpus"):
        assert tuple_key("gfm", one, 1) != tuple_key("gfm", one.model_copy(update={changed: "x"}), 1)
    assert len({tuple_key(tenant, one, origin) for tenant in ("gfm", "other") for origin in (1, 2)}) == 4


def test_facts_that_nothing_reads_settle_nothing():
    """
    Items that differ in what no rule reads, or in their age alone, are settled alike.
    """
    read = frozenset({"owner", "age_seconds"})
    assert settled({"owner": "a", "version": "1", "age_seconds": 1}, read) == settled(
        {"owner": "a", "age_seconds": 2}, read
    )
    assert settled({"owner": "a"}, read) != settled({"owner": "b"}, read)
