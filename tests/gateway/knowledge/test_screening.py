"""Looking into documents."""

from dataclasses import replace

from gateway.knowledge.screening import look_again
from gateway.knowledge.taking_in import take_in
from tests.support.knowledge import OFFICER, Reading, offered


async def test_a_new_version_of_a_detector_looks_again(room):
    """What a newer detector has not seen is looked at once more, by text, and after a stop what is left of it."""
    await take_in(room, offered(), OFFICER)
    await take_in(room, offered(name="copy"), OFFICER)
    assert await look_again(room) == 0
    newer = Reading("2")
    again = replace(room, detectors=lambda _: (newer,))
    assert await look_again(again) == 8
    assert len(newer.seen) == 8
    assert await look_again(again) == 0
