"""One worker pool for all detectors, and one calibration of this machine for what they may cost."""

from collections.abc import Iterator

import pytest

from adapters.screening.workers import WorkerPool
from tests.support.effort import Effort
from tests.support.screening import pool_of


@pytest.fixture(scope="session")
def pool() -> Iterator[WorkerPool]:
    """A pool of one thread in this process, whose detectors are loaded once."""
    made = pool_of()
    yield made
    made.close()


@pytest.fixture(scope="session")
def effort() -> Effort:
    """Bounds on work, calibrated once; what is over its bound is calibrated and measured again, in its own test."""
    return Effort()
