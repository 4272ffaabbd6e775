"""
Bundles from a bundle server: fetched with an ETag, checked, and swapped in or refused.

Rules held here: a bundle that is not signed by the configured key, is older than one before, has expired, does not compile or fails
a check is refused on record, once, and the active one stays; a server that does not answer, or answers whatever it likes, changes
nothing and ends nothing: it is counted, logged and asked again.
"""

import asyncio
import time

from collections.abc import Awaitable, Callable
from typing import Final

import httpx
import structlog

from adapters.shared.fetching import fetch
from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle

log = structlog.get_logger()

NOT_FETCHED: Final = "BUNDLES-NOT-FETCHED"
"""The bundle server has not answered well for several turns."""

MOST_BYTES: Final = 20_000_000
"""Bytes of an archive, at most."""

SECONDS: Final = 30.0
"""For one whole archive."""

_LATE_TURNS: Final = 3

Read = Callable[[bytes], Bundle]
Adopt = Callable[[Bundle], Awaitable[None]]
Refuse = Callable[[BundleInvalidError], Awaitable[None]]


class BundlePoller:
    """Asks one URL for newer bundles."""

    def __init__(
        self, url: str, client: httpx.AsyncClient, *, read: Read, adopt: Adopt, refuse: Refuse, seconds: float
    ) -> None:
        """
        Args:
            url: of the archive.
            client: to fetch with.
            read: archive to bundle, on another thread; raises `BundleInvalidError`.
            adopt: lets a bundle decide; raises `BundleInvalidError` if it may not.
            refuse: records a refusal.
            seconds: between two fetches.
        """
        self._url = url
        self._client = client
        self._read = read
        self._adopt = adopt
        self._refuse = refuse
        self._seconds = seconds
        self._etag: str | None = None
        self._succeeded = time.monotonic()
        self._failed_in_a_row = 0
        self.failures = 0
        """Turns since the start that ended without an answer to go by."""

    @property
    def age(self) -> float:
        """Seconds since the server last answered with something to go by, a bundle or that there is no newer one."""
        return time.monotonic() - self._succeeded

    @property
    def late(self) -> bool:
        """Whether several turns in a row have failed."""
        return self._failed_in_a_row >= _LATE_TURNS

    async def run(self) -> None:
        """Fetch for ever; whatever goes wrong, the active bundle stays and the next turn tries again."""
        while True:
            await self.turn()
            await asyncio.sleep(self._seconds)

    async def turn(self) -> None:
        """Fetch once, and survive it."""
        try:
            await self.fetch()
        except Exception as error:  # noqa: BLE001 - a task that ends fetches nothing ever after, and nobody hears of it
            self.failures += 1
            self._failed_in_a_row += 1
            log.warning("bundle_not_fetched", kind=type(error).__name__)

    async def fetch(self) -> bool:
        """
        Fetch once.

        Returns:
            Whether there was a bundle that decides now.

        Raises:
            FetchRefusedError, FetchTooSlowError, httpx.HTTPError: the server did not answer with a bundle.

            GatewayError: the bundle could not be taken in, or refused on record, for reasons that are not the bundle's.
        """
        headers = {"If-None-Match": self._etag} if self._etag else {}
        answer = await fetch(self._client, "GET", self._url, most_bytes=MOST_BYTES, seconds=SECONDS, headers=headers)
        adopted = answer.status != httpx.codes.NOT_MODIFIED and await self._taken(answer.body)
        if answer.status != httpx.codes.NOT_MODIFIED:
            # Not before it was adopted, or refused on record: what was neither is asked for again.
            self._etag = answer.headers.get("etag")
        self._succeeded, self._failed_in_a_row = time.monotonic(), 0
        return adopted

    async def _taken(self, body: bytes) -> bool:
        try:
            await self._adopt(await asyncio.to_thread(self._bundle, body))
        except BundleInvalidError as error:
            log.warning("bundle_refused", code=error.code)
            await self._refuse(error)
            return False
        return True

    def _bundle(self, body: bytes) -> Bundle:
        """
        Raises:
            BundleInvalidError: whatever it is that cannot be read, so that it is refused once and not at every turn.
        """
        try:
            return self._read(body)
        except BundleInvalidError:
            raise
        except Exception as error:
            raise BundleInvalidError("the archive cannot be read") from error
