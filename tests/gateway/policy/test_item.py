"""What policy is told about an item."""

from datetime import timedelta

import pytest

from pydantic import TypeAdapter

from gateway.model import Candidate
from gateway.model.case import Attested
from gateway.model.policy_input import ItemFacts
from gateway.policy.item import item_facts
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
