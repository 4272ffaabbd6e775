"""
The task that goes on with erasures which are not complete: readers leave, services come back.

Rules held here: a failure stops nothing and is tried again; what is logged is codes and places, and never what is erased.
"""

import asyncio

from collections.abc import Callable
from datetime import datetime

import structlog

from gateway.errors import GatewayError
from gateway.privacy.erasure import Eraser
from ledger.errors import LedgerError

log = structlog.get_logger()


class Resuming:
    """Goes on with the erasures of all tenants."""

    def __init__(self, eraser: Eraser, clock: Callable[[], datetime], *, seconds: float) -> None:
        """
        Args:
            eraser: does it.
            clock: the time now.
            seconds: how long to wait between two rounds.
        """
        self._eraser = eraser
        self._clock = clock
        self._seconds = seconds

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await asyncio.sleep(self._seconds)
            await self.round()

    async def round(self) -> list[str]:
        """Go on once; the certificates of what is complete now."""
        try:
            return await self._eraser.resume(None, None, self._clock())
        except GatewayError as error:
            log.warning("erasure_not_complete", code=error.code, left=[place for place, _ in error.fields])
        except (LedgerError, OSError) as error:
            log.warning("erasure_not_complete", code=type(error).__name__, left=[])
        return []
