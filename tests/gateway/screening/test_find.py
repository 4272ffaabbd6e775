"""Looking into contents once."""

import pytest

from gateway.errors import DetectorUnavailableError
from gateway.screening.find import screen_texts, serving
from tests.support.knowledge import Reading


async def test_a_content_is_looked_at_once():
    """A text is looked at once for each tenant, screening and version of a detector, however often it is asked for."""
    cache, detector = {}, Reading()
    for tenant, screening, reader in (
        ("gfm", "injection", detector),
        ("gfm", "injection", detector),
        ("other", "injection", detector),
        ("gfm", "rendering", detector),
        ("gfm", "injection", Reading("2")),
    ):
        found = await screen_texts(["ATTACK", "none", "ATTACK"], reader, screening, tenant, cache)
        assert found.keys() == {"ATTACK", "none"}
    assert len(detector.seen) == 6
    assert len(cache) == 8


def test_a_screening_that_nobody_does():
    """Where no detector does a screening that policy asks for there is an error, and no empty answer."""
    with pytest.raises(DetectorUnavailableError):
        serving((), "injection")
