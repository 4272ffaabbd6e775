"""
The trust layer's public keys: from a file, or from a URL with caching and rotation.

Rules held here: keys that are old are fetched anew while the old ones go on serving; keys that are too old are not believed
any more; an answer is bounded in bytes, rate and total time; a key that is not known asks for the keys again, but no oftener than the limit, whoever sends such tokens.
"""

import asyncio
import json
import time

from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx

from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from adapters.shared.fetching import FetchRefusedError, FetchTooSlowError, fetch
from gateway.errors import ConfigurationError, KeysUnavailableError

_SECONDS: Final = 5.0
"""For the whole answer: whoever brings a token waits for it, before any deadline of the request's own."""

_MOST_BYTES: Final = 500_000
"""Bytes of a JWK set, at most."""


def key_set(document: object) -> KeySet:
    """
    A JWK set (RFC 7517) as keys.

    Raises:
        ConfigurationError: it is not one.
    """
    try:
        return KeySet.import_key_set(document)  # type: ignore[arg-type]
    except (JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError("the keys for tokens must be a JWK set (RFC 7517)") from error


class FixedKeys:
    """Keys that never change while the gateway runs."""

    def __init__(self, keys: KeySet) -> None:
        self._keys = keys

    async def keys(self, kid: str | None) -> KeySet:
        """All of them, whichever is asked for."""
        return self._keys


def file_keys(path: Path) -> FixedKeys:
    """
    The keys in a file.

    Raises:
        ConfigurationError: there are none.
    """
    try:
        return FixedKeys(key_set(json.loads(path.read_bytes())))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"no JWK set at {path}") from error


class FetchedKeys:
    """Keys from a URL."""

    def __init__(
        self,
        url: str,
        client: httpx.AsyncClient,
        *,
        refresh_seconds: float,
        stale_seconds: float,
        unknown_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            url: where the JWK set is.
            client: to fetch it with.
            refresh_seconds: how old keys may be before they are fetched anew.
            stale_seconds: how old they may be and still be believed when fetching fails.
            unknown_seconds: how long to wait at least between two fetches for keys that are not known.
            clock: seconds that never go back.
        """
        self._url = url
        self._client = client
        self._refresh = refresh_seconds
        self._stale = stale_seconds
        self._unknown = unknown_seconds
        self._clock = clock
        self._keys: KeySet | None = None
        self._fetched = self._tried = float("-inf")
        self._fetching: asyncio.Task[None] | None = None
        self.failures = 0

    async def keys(self, kid: str | None) -> KeySet:
        """
        The keys as they are known now, once *kid* was looked for among newer ones if it is not there.

        Raises:
            KeysUnavailableError: there are none that may be believed.
        """
        now = self._clock()
        age = now - self._fetched
        if self._keys is None or age > self._stale or (self._lacks(kid) and now - self._tried > self._unknown):
            await asyncio.shield(self._fetch())
        elif age > self._refresh and now - self._tried > self._unknown:
            self._fetch()
        if self._keys is None or self._clock() - self._fetched > self._stale:
            raise KeysUnavailableError("the trust layer's keys cannot be fetched")
        return self._keys

    def _lacks(self, kid: str | None) -> bool:
        return kid is not None and self._keys is not None and all(key.kid != kid for key in self._keys.keys)

    def _fetch(self) -> "asyncio.Task[None]":
        """One fetch at a time, shared by all who wait for it."""
        if self._fetching is None or self._fetching.done():
            self._tried = self._clock()
            self._fetching = asyncio.get_running_loop().create_task(self._get())
        return self._fetching

    async def _get(self) -> None:
        try:
            answer = await fetch(self._client, "GET", self._url, most_bytes=_MOST_BYTES, seconds=_SECONDS)
            self._keys, self._fetched = key_set(json.loads(answer.body)), self._clock()
        except (httpx.HTTPError, FetchRefusedError, FetchTooSlowError, ValueError, RecursionError, ConfigurationError):
            self.failures += 1
