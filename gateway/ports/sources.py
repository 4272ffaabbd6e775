"""Where items are fetched from."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from gateway.model import Candidate, SourceEntry


class Source(Protocol):
    """A place that items are fetched from."""

    @property
    def entry(self) -> SourceEntry:
        """Its line in the registry."""

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        """
        Items within the filters that policy set.

        Raises:
            SourceUnavailableError: the source did not answer.

            SourceMalformedError: it answered with something that is not items.
        """


class Watch(Protocol):
    """Sees how sources do."""

    def source(self, name: str) -> AbstractContextManager[list[int]]:
        """One retrieval; the number of items goes into the list."""
