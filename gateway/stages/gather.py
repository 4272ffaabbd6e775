"""Stage: bring the candidates together, the caller's and those of the sources."""

import asyncio

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gateway.concurrency.apart import weigh_also
from gateway.content.parsing import check_distinct
from gateway.errors import NoCandidatesError, SourceError, SourceUnavailableError, TooManyItemsError
from gateway.model import Candidate, Case, ScopeAnswer
from gateway.model.policy_input import SourceFacts
from gateway.model.request import Fetched
from gateway.ports.sources import Source, Watch

Status = Literal["answered", "empty", "unavailable"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came together."""

    items: tuple[Candidate, ...]
    """The caller's in their order, then those of each source of the domain."""

    sources: tuple[SourceFacts, ...]
    """Which sources were asked, and what came of it."""


async def gather(
    case: Case, scoped: ScopeAnswer, *, sources: Sequence[Source], max_items: int, watch: Watch
) -> Gathered:
    """
    The caller's items and those of the sources, which are fetched from in parallel.

    A source that is not critical and does not answer in its time is left out: less is found, nothing is
    decided.  A critical one stops the request.

    Raises:
        SourceError: a critical source did not give its items.

        NoCandidatesError, DuplicateItemError, TooManyItemsError: what came together cannot be ruled on.
    """
    mine = [source for source in sources if case.domain in source.entry.domains]
    fetched = await asyncio.gather(*(_observed(source, case, scoped, watch) for source in mine))
    # Sources in the order of the registry, not of their answers: a slow network must not make another pack of the same request.
    candidates = (*case.request.items, *(item for batch, _ in fetched for item in batch))
    if not candidates:
        raise NoCandidatesError("there is no item to decide on", fields=[("items", "must not be empty")])
    if len(candidates) > max_items:
        raise TooManyItemsError(
            f"there are {len(candidates)} items; at most {max_items} are allowed",
            fields=[("items", f"must be at most {max_items}")],
        )
    check_distinct(candidates)
    weigh_also(item.content for batch, _ in fetched for item in batch)
    return Gathered(candidates, tuple(told for _, told in fetched))


async def _observed(
    source: Source, case: Case, scoped: ScopeAnswer, watch: Watch
) -> tuple[Sequence[Candidate], SourceFacts]:
    with watch.source(source.entry.id) as count:
        items = await _fetch(source, case, scoped)
        count[0] = len(items or ())
    status: Status = "unavailable" if items is None else "answered" if items else "empty"
    return items or (), {"id": source.entry.id, "critical": source.entry.critical, "status": status}


async def _fetch(source: Source, case: Case, scoped: ScopeAnswer) -> Sequence[Candidate] | None:
    try:
        async with asyncio.timeout(source.entry.timeout_seconds):
            items = await source.fetch(scoped.filters, case.request.query)
    except TimeoutError as error:
        if source.entry.critical:
            msg = f"source {source.entry.id} did not answer in {source.entry.timeout_seconds} s"
            raise SourceUnavailableError(msg) from error
        return None
    except SourceError:
        if source.entry.critical:
            raise
        return None
    return [Fetched.of(item, source.entry.id) for item in items if item.section in source.entry.sections]
