"""Items from a service over HTTP: ``POST`` the filters and the query, get a list of items as on the wire."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from adapters.sources.directory import parse_items
from gateway.concurrency.apart import apart
from gateway.errors import SourceUnavailableError
from gateway.model import Candidate, SourceEntry


class HttpSource:
    """A `gateway.ports.Source` behind an HTTP endpoint."""

    def __init__(self, entry: SourceEntry, client: httpx.AsyncClient) -> None:
        self._entry = entry
        self._client = client

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        asked = {"filters": dict(filters), "query": query}
        try:
            response = await self._client.post(self._entry.location, json=asked, timeout=self._entry.timeout_seconds)
            response.raise_for_status()
        except httpx.HTTPError as error:
            raise SourceUnavailableError(f"source {self._entry.id} did not answer") from error
        body = response.content
        return await apart(lambda: parse_items(body, self._entry.id), size=len(body))
