"""Where traces of requests go."""

import contextlib

from typing import Any, Protocol


class Spans(Protocol):
    """Makes spans of distributed tracing."""

    def request(self, name: str, traceparent: str | None) -> contextlib.AbstractContextManager[object]:
        """A span for a request, below the caller's where it names one."""

    def stage(self, name: str) -> contextlib.AbstractContextManager[object]:
        """A span for a stage of the request at hand."""

    def traceparent(self) -> str | None:
        """The header for calls that the request at hand makes."""


class Traces(Protocol):
    """Keeps traces."""

    def put(self, tenant: str, trace_id: str, at: str, document: dict[str, Any]) -> None:
        """Keep a trace soon; never waits."""
