"""A room to take documents in."""

import pytest

from tests.support.knowledge import Reading, room_at


@pytest.fixture
def detector():
    return Reading()


@pytest.fixture
def room(tmp_path, detector):
    made = room_at(tmp_path, detector)
    yield made
    made.store.close()
