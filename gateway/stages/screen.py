"""Stage: look into the content of what was admitted."""

import asyncio

from collections import defaultdict
from collections.abc import Coroutine, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from gateway.concurrency.apart import apart
from gateway.content.labels import telling
from gateway.content.leaves import leaves, names
from gateway.content.turns import found_only_joined, joined_turns
from gateway.errors import ScreeningTooCostlyError
from gateway.model import Case, Finding, Ruling
from gateway.model.content import content_digest
from gateway.ports.screening import Detector, ScreeningLimits
from gateway.screening.find import FindingCache, find, screen_names, serving

_T = TypeVar("_T")


async def screen(
    rulings: Sequence[Ruling],
    case: Case,
    *,
    detectors: Sequence[Detector],
    cache: FindingCache,
    limits: ScreeningLimits,
) -> list[Ruling]:
    """
    Add to every admitted ruling what the detectors that policy asked for find in its content.

    Turns of a conversation are looked at once more together with the turns of the same author before them, since an
    attack may be spread over several.

    Raises:
        ScreeningTooCostlyError: it would cost more than it may; no detector was asked.

        DetectorError: a detector is missing or did not answer.  The whole request stops.
    """
    wanted: dict[str, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        for screening in ruling.screen:
            wanted[screening].append(ruling)
    tenant = case.subject.tenant
    costs = await apart(lambda: _costs(wanted, tenant, detectors, cache))
    _require_within(limits, costs, case)
    jobs = [_screen(name, some, tenant, detectors, cache) for name, some in wanted.items()]
    done = dict(zip(wanted, await _all_or_none(jobs), strict=True))
    return [_with_findings(ruling, done) for ruling in rulings]


def _costs(
    wanted: Mapping[str, Sequence[Ruling]], tenant: str, detectors: Sequence[Detector], cache: FindingCache
) -> dict[str, float]:
    """Estimated seconds by item id, of what is not in the cache."""
    costs: dict[str, float] = defaultdict(float)
    for screening, rulings in wanted.items():
        detector = serving(detectors, screening)
        alone = ((ruling.item.id, ruling.item.digest, ruling.item.content) for ruling in rulings)
        # Names of members are looked at once for all items that have them.
        named = (
            (ruling.item.id, f"name:{content_digest(name)}", name)
            for ruling in rulings
            for name in telling(names(ruling.item.content))
        )
        joins = joined_turns(rulings) if detector.reads_across else ()
        joined = ((join.last.item.id, content_digest(join.text), join.text) for join in joins)
        counted: set[str] = set()
        for item, digest, content in chain(alone, joined, named):
            if digest not in counted and (tenant, digest, screening, detector.version) not in cache:
                costs[item] += detector.cost(leaves(content), screening)
                counted.add(digest)
    return costs


def _require_within(limits: ScreeningLimits, costs: Mapping[str, float], case: Case) -> None:
    """
    Raises:
        ScreeningTooCostlyError: an item, or all together, would cost more than they may.
    """
    places = {item.id: f"items.{place}.content" for place, item in enumerate(case.request.items)}
    over = {places.get(item, "items"): cost for item, cost in costs.items() if cost > limits.item}
    if over:
        raise ScreeningTooCostlyError(
            f"an item would take more than {limits.item:g} s of a processor to screen; split it into several",
            fields=[
                (field, f"would take about {cost:.0f} s to screen; at most {limits.item:g} s are allowed")
                for field, cost in over.items()
            ],
        )
    if (together := sum(costs.values())) > limits.request:
        raise ScreeningTooCostlyError(
            f"the items would take more than {limits.request:g} s of a processor to screen; send fewer of them at once",
            fields=[
                ("items", f"would take about {together:.0f} s to screen; at most {limits.request:g} s are allowed")
            ],
        )


async def _all_or_none(jobs: Sequence[Coroutine[Any, Any, _T]]) -> list[_T]:
    """The answers of all; once one fails, nobody waits for the others any more."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


_Result = tuple[Detector, dict[str, tuple[Finding, ...]]]


async def _screen(
    screening: str, rulings: Sequence[Ruling], tenant: str, detectors: Sequence[Detector], cache: FindingCache
) -> _Result:
    """Findings by decision id, of each item alone and, where that can matter, of turns together."""
    detector = serving(detectors, screening)
    alone = {ruling.decision_id: (ruling.item.digest, ruling.item.content) for ruling in rulings}
    found = await find(alone, detector, screening, tenant, cache)
    # Names apart from values: the same few stand in every record of a kind, and are looked at once for all of them.
    named = await apart(lambda: {ruling.decision_id: names(ruling.item.content) for ruling in rulings})
    of_names = await screen_names([one for some in named.values() for one in some], detector, screening, tenant, cache)
    for decision, paths in named.items():
        found[decision] += tuple(
            _of_name(f, name, path) for name, path in paths.items() for f in of_names.get(name, ())
        )
    if detector.reads_across and (together := await apart(lambda: joined_turns(rulings))):
        texts = await apart(lambda: {one.last.decision_id: (content_digest(one.text), one.text) for one in together})
        joined = await find(texts, detector, screening, tenant, cache)
        for join in together:
            name = join.last.decision_id
            found[name] += found_only_joined(join, joined[name], found)
    return detector, found


def _of_name(finding: Finding, name: str, path: str) -> Finding:
    """A finding in a name, as one of its item: of all of the name, since it may have been read otherwise than it is written."""
    return finding.model_copy(update={"start": 0, "end": len(name), "path": path})


def _with_findings(ruling: Ruling, done: dict[str, _Result]) -> Ruling:
    if not ruling.screen:
        return ruling
    # In the order in which policy asked, not in which detectors were done, or the same request would not give the same bytes.
    results = [done[screening] for screening in ruling.screen]
    return ruling.model_copy(
        update={
            "findings": tuple(f for _, found in results for f in found[ruling.decision_id]),
            "detectors": {detector.name: detector.version for detector, _ in results},
        }
    )
