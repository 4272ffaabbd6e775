"""
Calls of tools: in parallel, each in its own time, asked once more where the answer is too old.

Rules held here: what goes wrong with one call is that call's alone, and has a status of its own; whatever is wrong with an
answer, nothing of it is used.
"""

import asyncio

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from pydantic import JsonValue

from gateway.concurrency.apart import apart
from gateway.errors import (
    SourceChangedError,
    SourceError,
    SourceForeignError,
    SourceMalformedError,
    SourceOffError,
    SourceRefusedError,
    SourceStaleError,
    SourceTooLargeError,
    SourceUnavailableError,
    ToolNotAskableError,
)
from gateway.model import Candidate, Case, Registry
from gateway.model.policy_input import CallFacts, CallStatus, SearchFacts, SourceFacts
from gateway.model.request import RequestLimits
from gateway.ports.sources import Call, Result, SeenCall, Toolbox, Watch
from gateway.sourcing.items import as_of_source, item_of
from gateway.sourcing.plan import Planned, plan

STATUS: Final[Mapping[type[SourceError], CallStatus]] = {
    SourceOffError: "off",
    ToolNotAskableError: "not_askable",
    SourceUnavailableError: "unavailable",
    SourceRefusedError: "refused",
    SourceMalformedError: "malformed",
    SourceForeignError: "foreign",
    SourceTooLargeError: "too_large",
    SourceChangedError: "changed",
    SourceStaleError: "stale",
}
"""What each error of a call is told as."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call, and what came of it."""

    planned: Planned
    status: CallStatus
    item: Candidate | None = None
    error: SourceError | None = None
    size: int = 0
    """Bytes that came."""

    @property
    def facts(self) -> CallFacts:
        """What policy is told of it."""
        return {"tool": self.planned.tool.id, "source": self.planned.source.id, "status": self.status}


@dataclass(frozen=True, slots=True)
class Located:
    """A request with its jurisdictions."""

    case: Case
    calls: tuple[Called, ...] = ()
    """What was called to learn them; nothing where the request names them."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came together for a request."""

    items: tuple[Candidate, ...] = ()
    """The caller's in their order, those of each source of the domain, then those of tools."""

    sources: tuple[SourceFacts, ...] = ()
    """Which sources were asked, and what came of it."""

    calls: tuple[Called, ...] = ()
    """Which tools were called, and what came of it."""

    searches: tuple[SearchFacts, ...] = ()
    """Searches of documents that were made."""

    def joined(self, sources: Sequence[SourceFacts], searches: Sequence[SearchFacts]) -> "Gathered":
        """With what was searched afterwards."""
        return replace(self, sources=(*self.sources, *sources), searches=(*self.searches, *searches))

    @property
    def asked(self) -> list[Mapping[str, Any]]:
        """Everything that was asked, as policy is told of it."""
        return [*self.sources, *(call.facts for call in self.calls), *self.searches]


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """Calls tools for one request."""

    toolboxes: Mapping[str, Toolbox]
    """By id of their sources; a source without one is off."""

    limits: RequestLimits
    """What one result may hold."""

    watch: Watch
    vouched: Callable[[Candidate], bool]
    """Whether somebody verifiably vouches for an item that was brought."""

    async def planned(self, case: Case, registry: Registry) -> tuple[Planned, ...]:
        """The tools to call for the request."""
        # Signatures cost processor time in proportion to the items, and other requests wait on the event loop.
        return await apart(lambda: plan(case, registry, self.vouched))

    async def call(self, planned: Sequence[Planned], case: Case) -> list[Called]:
        """What came of each call, in the order of the plan."""
        return list(await asyncio.gather(*(self._watched(one, case) for one in planned)))

    async def _watched(self, planned: Planned, case: Case) -> Called:
        with self.watch.call(planned.tool.id, planned.source.id) as seen:
            called = await self._called(planned, case, seen)
            seen.status = called.status
        return called

    async def _called(self, planned: Planned, case: Case, seen: SeenCall) -> Called:
        try:
            item = await self._item(planned, case, seen)
        except SourceError as error:
            late = isinstance(error.__cause__, TimeoutError) and isinstance(error, SourceUnavailableError)
            status: CallStatus = "timed_out" if late else STATUS.get(type(error), "unavailable")
            return Called(planned, status, error=error, size=seen.size)
        return Called(planned, "answered" if item else "empty", item=item, size=seen.size)

    async def _item(self, planned: Planned, case: Case, seen: SeenCall) -> Candidate | None:
        name = planned.tool.id
        if planned.arguments is None:
            raise ToolNotAskableError(f"{name} cannot be asked with what the request says")
        toolbox = self.toolboxes.get(planned.source.id)
        if toolbox is None:
            raise SourceOffError(f"source {planned.source.id} has no connection, which {name} needs")
        result = await self._asked(toolbox, planned, planned.arguments, seen)
        if _is_stale(result, planned, case):
            result = await self._asked(toolbox, planned, planned.arguments, seen)
        if _is_stale(result, planned, case):
            raise SourceStaleError(f"source {planned.source.id} answered {name} with what is past its time to live")
        # What a source sends may be large, and other requests wait on the event loop.
        return await apart(lambda: item_of(result, planned, case, self.limits), size=result.size)

    async def _asked(
        self, toolbox: Toolbox, planned: Planned, arguments: Mapping[str, JsonValue], seen: SeenCall
    ) -> Result:
        seconds = planned.source.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                result = await toolbox.call(Call(planned.tool, arguments))
        except TimeoutError as error:
            msg = f"source {planned.source.id} did not answer {planned.tool.id} in {seconds:g} s"
            raise SourceUnavailableError(msg) from error
        seen.size += result.size
        return result


def _is_stale(result: Result, planned: Planned, case: Case) -> bool:
    return case.now - as_of_source(result, planned) > timedelta(seconds=planned.result.ttl_seconds)


def require_needed(called: Sequence[Called]) -> None:
    """
    Stop the request where a call that it needs gave no answer; the first in the order of the plan says why.

    Raises:
        SourceError: which call, and what came of it.
    """
    for one in called:
        if one.planned.needed and one.error is not None:
            raise one.error
