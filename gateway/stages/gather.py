"""Stage: bring the candidates together, the caller's and those of the sources."""

import asyncio

from collections.abc import Sequence

from gateway.content.parsing import check_distinct
from gateway.errors import NoCandidatesError, SourceError, SourceUnavailableError, TooManyItemsError
from gateway.model import Candidate, Case, ScopeAnswer
from gateway.ports.sources import Source, Watch


async def gather(
    case: Case, scoped: ScopeAnswer, *, sources: Sequence[Source], max_items: int, watch: Watch
) -> list[Candidate]:
    """
    The caller's items in their order, then those of each source of the domain, fetched in parallel.

    A source that is not critical and does not answer in its time is left out: less is found, nothing is
    decided.  A critical one stops the request.

    Raises:
        SourceError: a critical source did not give its items.

        NoCandidatesError, DuplicateItemError, TooManyItemsError: what came together cannot be ruled on.
    """
    mine = [source for source in sources if case.domain in source.entry.domains]
    fetched = await asyncio.gather(*(_observed(source, case, scoped, watch) for source in mine))
    # Sources in the order of the registry, not of their answers: a slow network must not make another pack of the same request.
    candidates = [*case.request.items, *(item for batch in fetched for item in batch)]
    if not candidates:
        raise NoCandidatesError("there is no item to decide on", fields=[("items", "must not be empty")])
    if len(candidates) > max_items:
        raise TooManyItemsError(
            f"there are {len(candidates)} items; at most {max_items} are allowed",
            fields=[("items", f"must be at most {max_items}")],
        )
    check_distinct(candidates)
    return candidates


async def _observed(source: Source, case: Case, scoped: ScopeAnswer, watch: Watch) -> Sequence[Candidate]:
    with watch.source(source.entry.id) as count:
        items = await _fetch(source, case, scoped)
        count[0] = len(items)
        return items


async def _fetch(source: Source, case: Case, scoped: ScopeAnswer) -> Sequence[Candidate]:
    try:
        async with asyncio.timeout(source.entry.timeout_seconds):
            items = await source.fetch(scoped.filters, case.request.query)
    except TimeoutError as error:
        if source.entry.critical:
            msg = f"source {source.entry.id} did not answer in {source.entry.timeout_seconds} s"
            raise SourceUnavailableError(msg) from error
        return []
    except SourceError:
        if source.entry.critical:
            raise
        return []
    return [item for item in items if item.section in source.entry.sections]
