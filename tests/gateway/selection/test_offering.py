"""Which tools a question needs."""

import pytest

from gateway.model.sources.offering import Fit, Labels, Offering
from gateway.selection.offering import needed

LABELS = Labels(
    source_id="tool_registry",
    source_type="reference_data",
    data_classification="INTERNAL",
    jurisdiction="GLOBAL",
    domain="ALL",
    ttl_seconds=60,
)
TERMS = Offering(
    near=Fit(least=0.2, share=0.2),
    others=Fit(least=0.6, share=0.5),
    most=2,
    unsure=0.8,
    notes={},
    section="tool_schema",
    labels=LABELS,
)


@pytest.mark.parametrize(
    ("fits", "near", "shown"),
    [
        ({"a": 2.0, "b": 0.3}, set(), ["a"]),
        ({"a": 2.0, "b": 1.0}, set(), ["a", "b"]),
        ({"a": 2.0, "b": 0.3}, {"b"}, ["a"]),
        ({"a": 2.0, "b": 0.4}, {"b"}, ["a", "b"]),
        ({"a": 2.0, "b": 1.5, "c": 1.6}, set(), ["a", "c"]),
        ({"b": 1.0, "a": 1.0, "c": 1.0}, set(), ["a", "b"]),
        ({"a": 0.7, "b": 0.1, "c": 0.0}, {"b", "c"}, ["a", "b", "c"]),
        ({"a": 0.5, "b": 0.0}, {"b"}, ["b"]),
        ({"a": 0.0}, set(), []),
        ({"a": 0.0}, {"a", "gone"}, ["a"]),
        ({}, set(), []),
    ],
    ids=[
        "only what fits far better",
        "what fits half as well",
        "near, and hardly at all",
        "near, for which less is enough",
        "so many at most, the best",
        "the first by name of equals",
        "unsure: all that are near as well",
        "unsure, and the other too weak",
        "nothing fits",
        "near alone, of those there are",
        "no tool",
    ],
)
def test_needed(fits, near, shown):
    """
    By how well each fits, by what is near, and by what is done where no word says what is needed.
    """
    assert needed(fits, near, TERMS) == shown
