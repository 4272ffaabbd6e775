"""Where items are fetched from."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from pydantic import JsonValue

from gateway.model import Candidate, SourceEntry
from gateway.model.sources.tools import Tool, tool_pin

STARTS_WITHIN: Final = 20.0
"""Seconds that a source has which is only then started, or connected to; how long it has for an answer the registry says."""


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


@dataclass(frozen=True, slots=True)
class Call:
    """A tool with what its arguments are for one request."""

    tool: Tool
    arguments: Mapping[str, JsonValue]
    """By parameter; whether they are what the server takes is for the server to say."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered, before anybody believes it."""

    content: Mapping[str, JsonValue]
    """A JSON object that fits what the server offered under the tool's pin; empty where there is nothing about what was asked."""

    fetched_at: datetime
    """When the system of record said it: the server's word where it gives one, else when it came."""

    size: int
    """Bytes that came."""


@dataclass(frozen=True, slots=True)
class Offered:
    """One operation as a server describes it."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    """JSON Schema of its arguments."""

    output: Mapping[str, JsonValue] | None
    """JSON Schema of its results; None where the server gives none."""

    @property
    def pin(self) -> str:
        """What stands in the table `tools` once an officer has accepted it."""
        return tool_pin(self.name, self.description, self.parameters, self.output)


class Toolbox(Protocol):
    """
    A source that tools are called of.

    It neither labels nor judges what it answers, sets no deadline of its own, and may be cancelled at any time; the gateway does
    all three.  It keeps nothing between calls but connections and what the server offers.
    """

    @property
    def entry(self) -> SourceEntry:
        """Its line in the registry."""

    async def call(self, call: Call) -> Result:
        """
        Ask, once.

        Raises:
            SourceUnavailableError: the server did not answer.

            SourceMalformedError: it answered with something that is no result, or that its own schema forbids.

            SourceChangedError: it offers something else under this name than the pin of the tool says, or nothing.

            SourceRefusedError: it answered that it cannot or will not.

            SourceTooLargeError: it answers with more than may be taken.
        """

    async def offered(self) -> Sequence[Offered]:
        """
        What the server offers now, for `ctxgate source check`.

        Raises:
            SourceError: as for a call.
        """

    async def aclose(self) -> None:
        """Give back connections and end what was started for them; never fails."""


@dataclass(slots=True)
class SeenCall:
    """What is seen of a call."""

    status: str = "failed"
    """What came of it (`gateway.model.policy_input.CallStatus`); this while nothing has."""

    size: int = 0
    """Bytes that came, of both answers where it was asked twice."""


class Watch(Protocol):
    """Sees how sources do."""

    def source(self, name: str) -> AbstractContextManager[list[int]]:
        """One retrieval; the number of items goes into the list."""

    def call(self, tool: str, source: str) -> AbstractContextManager[SeenCall]:
        """One call of a tool; what came of it and how much goes into what is given."""
