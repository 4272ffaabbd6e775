"""
How late the event loop is.

Whatever holds the loop, or the interpreter from a thread, makes every other request wait as long; a task that wants to be called
at a certain time and sees when it is called measures that, whoever did it.
"""

import asyncio

from typing import Final

from prometheus_client import CollectorRegistry, Histogram

EVERY: Final = 0.1
"""Seconds between two measurements."""

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class LoopLag:
    """Measures it all the time."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._lag = Histogram(
            "ctxgate_loop_lag_seconds",
            "How late the event loop was, ten times a second.",
            buckets=_SECONDS,
            registry=registry,
        )

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            self._lag.observe(max(0.0, loop.time() - due))
