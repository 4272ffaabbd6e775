"""What policy is told about an item."""

from datetime import timedelta

import pytest

from pydantic import TypeAdapter

from gateway.model import Candidate
from gateway.model.case import Attested
from gateway.model.policy_input import ItemFacts
from gateway.model.registry import RecordFields
from gateway.model.request import Entity
from gateway.policy.item import item_facts, record_facts
from tests.support.clock import NOW


def labels(**source):
    item = {"id": "secret-name", "section": "knowledge", "content": "secret text", "score": 0.123, "provenance": source}
    return item_facts(Attested(Candidate.model_validate(item)), NOW)


def test_labels_and_nothing_else():
    """
    Policy learns labels, section and media type: never the id, the content or the score.
    """
    facts = labels(source_id="SOP", source_type="bank_sop")
    assert TypeAdapter(ItemFacts).validate_python(facts, strict=True)["source_id"] == "SOP"
    assert not {"secret-name", "secret text", 0.123} & set(map(str, facts.values()))
    assert "fetched_at" not in facts


@pytest.mark.parametrize(("seconds", "age"), [(0, 0), (59.4, 59), (60, 60), (-0.5, -1), (-3600, -3600)])
def test_age(seconds, age):
    """
    An age is in whole seconds, rounded down, so that an item from the future is never of age 0.
    """
    assert labels(fetched_at=(NOW - timedelta(seconds=seconds)).isoformat())["age_seconds"] == age


def test_an_age_that_is_not_known():
    """
    Without a time of fetching there is no age, rather than a young one.
    """
    assert labels()["age_seconds"] is None


def test_what_a_record_lists_is_bounded():
    """
    Every item's question holds what the record lists: a text longer than any entity's name is not told as related, and one in
    the place of a jurisdiction is told short, so that it still is one that nobody is in.
    """
    content = {"related": ["E-2", "x" * 100_000], "jurisdictions": ["y" * 100_000]}
    item = {"id": "r", "section": "entity", "content": content, "provenance": {"entity_id": "E-1"}}
    mark = {"method": "fetch", "issuer": "s", "key": None, "signed_at": None, "age_seconds": 0, "verified": True}
    fields = RecordFields(source_ids=("s",), related="related", jurisdictions="jurisdictions")
    record = Attested(Candidate.model_validate(item), attestation=mark)
    [told] = record_facts([record], Entity(type="project", id="E-1"), fields, NOW)
    assert (told["related"], told["jurisdictions"]) == (["E-2"], ["y" * 200])
