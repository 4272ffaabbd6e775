"""
Bundles from a bundle server: fetched with an ETag, checked, and swapped in or refused.

Rules held here: a bundle that is not signed by the configured key, does not compile or fails a check is refused on
record, once, and the active one stays; a server that does not answer changes nothing.
"""

import asyncio

from collections.abc import Awaitable, Callable

import httpx
import structlog

from gateway.errors import BundleInvalidError, GatewayError
from gateway.policy.bundle import Bundle

log = structlog.get_logger()

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
            read: archive to bundle; raises `BundleInvalidError`.
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

    async def run(self) -> None:
        """Fetch for ever; whatever goes wrong, the active bundle stays and the next turn tries again."""
        while True:
            try:
                await self.fetch()
            except (httpx.HTTPError, GatewayError) as error:
                log.warning("bundle_not_fetched", kind=type(error).__name__)
            await asyncio.sleep(self._seconds)

    async def fetch(self) -> bool:
        """
        Fetch once.

        Returns:
            Whether a bundle was adopted.

        Raises:
            httpx.HTTPError: the server did not answer with a bundle.
        """
        headers = {"If-None-Match": self._etag} if self._etag else {}
        response = await self._client.get(self._url, headers=headers, timeout=10)
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return False
        response.raise_for_status()
        self._etag = response.headers.get("etag")
        try:
            await self._adopt(self._read(response.content))
        except BundleInvalidError as error:
            await self._refuse(error)
            return False
        return True
