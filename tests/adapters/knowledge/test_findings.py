"""Findings by content."""

import pytest

from adapters.knowledge.findings import KeptFindings, KnownFindings
from adapters.knowledge.store import SqliteDocuments
from gateway.model import Finding

KEY = ("gfm", "d", "injection", "1")
FOUND = (Finding(kind="injection", type="rule", score=0.5, start=0, end=3, detector="x"),)


@pytest.fixture
def store(tmp_path):
    made = SqliteDocuments(tmp_path / "knowledge.sqlite")
    yield made
    made.close()


def test_what_is_kept_outlives_the_process(store, tmp_path):
    """What documents were found to hold is known after a restart; what requests found is held in memory alone."""
    KeptFindings(store, 10).update({KEY: FOUND, (*KEY[:3], "2"): ()})
    KnownFindings(store, 10)[("gfm", "e", "injection", "1")] = FOUND
    other = SqliteDocuments(tmp_path / "knowledge.sqlite")
    known = KnownFindings(other, 10)
    assert (known[KEY], known[*KEY[:3], "2"]) == (FOUND, ())
    assert ("gfm", "e", "injection", "1") not in known
    assert ("other", *KEY[1:]) not in known
    other.close()


def test_memory_is_bounded(store):
    """However much is looked up, so much is held."""
    known = KeptFindings(store, 2)
    for number in range(5):
        known["gfm", str(number), "injection", "1"] = ()
    assert len(known) == 2
    assert ("gfm", "0", "injection", "1") in known
