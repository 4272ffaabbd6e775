"""Items from a service over HTTP: ``POST`` the filters and the query, get a list of items as on the wire."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from adapters.shared.fetching import FetchRefusedError, FetchTooSlowError, fetch
from adapters.sources.directory import parse_items
from gateway.concurrency.apart import apart
from gateway.errors import SourceMalformedError, SourceUnavailableError
from gateway.model import Candidate, SourceEntry


class HttpSource:
    """A `gateway.ports.Source` behind an HTTP endpoint."""

    def __init__(self, entry: SourceEntry, client: httpx.AsyncClient, *, most_bytes: int = 8_000_000) -> None:
        """
        Args:
            entry: the source, as it is registered.
            client: to ask with.
            most_bytes: of an answer, unpacked.
        """
        self._entry = entry
        self._client = client
        self._most = most_bytes

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        asked = {"filters": dict(filters), "query": query}
        try:
            seconds = self._entry.timeout_seconds
            answer = await fetch(
                self._client, "POST", self._entry.location, most_bytes=self._most, seconds=seconds, json=asked
            )
        except (httpx.HTTPError, FetchTooSlowError) as error:
            raise SourceUnavailableError(f"source {self._entry.id} did not answer") from error
        except FetchRefusedError as error:
            raise SourceMalformedError(f"source {self._entry.id}: {error}") from error
        return await apart(lambda: parse_items(answer.body, self._entry.id), size=len(answer.body))
