"""Stage: bring the candidates together, the caller's and those of the sources."""

import asyncio

from collections.abc import Sequence
from typing import Literal

from gateway.concurrency.apart import weigh_also
from gateway.content.parsing import check_distinct
from gateway.errors import NoCandidatesError, SourceError, SourceUnavailableError, TooManyItemsError
from gateway.model import Candidate, Case, Registry, ScopeAnswer
from gateway.model.policy_input import SourceFacts
from gateway.model.request import Fetched
from gateway.ports.sources import Source, Watch
from gateway.sourcing.calling import Called, Gathered, Located, ToolCaller, require_needed

Status = Literal["answered", "empty", "unavailable"]


async def gather(
    case: Case,
    scoped: ScopeAnswer,
    located: Located,
    sources: Sequence[Source],
    registry: Registry,
    *,
    caller: ToolCaller | None,
    max_items: int,
    watch: Watch,
    searched: bool = False,
) -> Gathered:
    """
    The caller's items, those of the sources and the results of tools; all of them are asked in parallel.

    A source that is not critical and does not answer in its time is left out, as is a tool that the contract only wants: less is
    found, nothing is decided.  A critical one, or a tool that the contract needs, stops the request.

    Args:
        case: the request.
        scoped: what may be looked for.
        located: calls that were made already.
        sources: those that items are fetched from.
        registry: says which tools are called.
        caller: calls them; None where no connections are set, so that tools are off.
        max_items: how many items there may be in all.
        watch: sees how it goes.
        searched: whether documents are searched afterwards, so that there may be none yet.

    Raises:
        SourceError: a source or a tool that is needed did not give what it should.

        NoCandidatesError, DuplicateItemError, TooManyItemsError: what came together cannot be ruled on.
    """
    mine = [source for source in sources if case.domain in source.entry.domains]
    fetching = asyncio.gather(*(_observed(source, case, scoped, watch) for source in mine))
    fetched, calls = await asyncio.gather(fetching, _called(case, registry, located, caller))
    require_needed(calls)
    # In the order of the registry and of the contract, not of the answers: a slow network must not make another pack of the same request.
    brought = [*(item for batch, _ in fetched for item in batch), *(call.item for call in calls if call.item)]
    candidates = (*case.request.items, *brought)
    if not candidates and not searched:
        raise NoCandidatesError("there is no item to decide on", fields=[("items", "must not be empty")])
    if len(candidates) > max_items:
        raise TooManyItemsError(
            f"there are {len(candidates)} items; at most {max_items} are allowed",
            fields=[("items", f"must be at most {max_items}")],
        )
    check_distinct(candidates)
    weigh_also(item.content for item in brought)
    return Gathered(candidates, tuple(told for _, told in fetched), calls)


async def _called(case: Case, registry: Registry, located: Located, caller: ToolCaller | None) -> tuple[Called, ...]:
    """All calls in the order of the plan, those made already with what came of them then."""
    if caller is None:
        return ()
    # A call that was made to learn the jurisdictions is not made again: the record of one request is one.
    planned, known = await caller.planned(case, registry), {call.planned.tool.id: call for call in located.calls}
    made = await caller.call([one for one in planned if one.tool.id not in known], case)
    known |= {call.planned.tool.id: call for call in made}
    return tuple(known[one.tool.id] for one in planned)


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
