"""The running gateway, from start to clean stop."""

from gateway.bootstrap.gateway import running
from tests.support.clock import NOW
from tests.support.oracle import records


async def test_lanes_open_and_close_on_record(settings):
    """
    A start is on record, and an end on purpose too; a lane without its end broke off.
    """
    async with running(settings, clock=lambda: NOW):
        pass
    async with running(settings, clock=lambda: NOW) as gateway:
        kinds = [one.kind for one in records(gateway) if one.kind.startswith("lane.")]
        assert kinds == ["lane.opened", "lane.closed", "lane.opened"]
