"""Fixtures of the tests of reports: a log that grows."""

import pytest

from tests.support.strategies import new_lane


@pytest.fixture
def log(tmp_path):
    """A store, and the lane that is written to it."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane
    store.close()
