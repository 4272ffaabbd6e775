"""How late the event loop is."""

import asyncio
import contextlib
import time

from prometheus_client import CollectorRegistry

from gateway.observability.lag import EVERY, LoopLag
from tests.support.web import gateway_of


def _hold(seconds):
    time.sleep(seconds)


async def test_a_held_loop_is_seen():
    """
    Whatever holds the loop makes the measurement late by as much.
    """
    registry = CollectorRegistry()
    task = asyncio.create_task(LoopLag(registry).run())
    await asyncio.sleep(0)
    _hold(4 * EVERY)
    await asyncio.sleep(EVERY)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert registry.get_sample_value("ctxgate_loop_lag_seconds_sum") >= 2 * EVERY
    assert registry.get_sample_value("ctxgate_loop_lag_seconds_count") >= 1


async def test_a_running_gateway_measures(client):
    """
    The measurement runs while the gateway does, and is on the page of metrics.
    """
    registry = gateway_of(client).observer.registry
    for _ in range(100):
        if registry.get_sample_value("ctxgate_loop_lag_seconds_count"):
            break
        await asyncio.sleep(EVERY)
    text = (await client.get("/metrics")).text
    assert "ctxgate_loop_lag_seconds_bucket" in text
    assert "ctxgate_apart_working" in text
    assert registry.get_sample_value("ctxgate_loop_lag_seconds_count") >= 1
