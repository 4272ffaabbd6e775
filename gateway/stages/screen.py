"""Stage: look into the content of what was admitted."""

import asyncio

from collections import defaultdict
from collections.abc import MutableMapping, Sequence

from gateway.content import content_digest, leaves
from gateway.errors import DetectorUnavailableError
from gateway.model import Case, Finding, Ruling
from gateway.ports import Detector

CacheKey = tuple[str, str, str, str]
FindingCache = MutableMapping[CacheKey, tuple[Finding, ...]]
"""Findings by tenant, content digest, screening and detector version; never by subject."""


async def screen(
    rulings: Sequence[Ruling], case: Case, *, detectors: Sequence[Detector], cache: FindingCache
) -> list[Ruling]:
    """
    Add to every admitted ruling what the detectors that policy asked for find in its content.

    Raises:
        DetectorError: a detector is missing or did not answer.  The whole request stops.
    """
    wanted: dict[str, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        for screening in ruling.screen:
            wanted[screening].append(ruling)
    jobs = [_run(name, some, case.subject.tenant, detectors, cache) for name, some in wanted.items()]
    done = dict(zip(wanted, await asyncio.gather(*jobs), strict=True))
    return [_with_findings(ruling, done) for ruling in rulings]


_Result = tuple[Detector, dict[str, tuple[Finding, ...]]]


async def _run(
    screening: str,
    rulings: Sequence[Ruling],
    tenant: str,
    detectors: Sequence[Detector],
    cache: FindingCache,
) -> _Result:
    """Findings by decision id, from the cache where the same content was screened before."""
    detector = next((d for d in detectors if d.serves(screening)), None)
    if detector is None:
        msg = f"no detector does the screening {screening} that policy asks for"
        raise DetectorUnavailableError(msg)
    keys = {r.decision_id: (tenant, content_digest(r.item.content), screening, detector.version) for r in rulings}
    found = {key: cache[key] for key in set(keys.values()) if key in cache}
    unseen = {keys[r.decision_id]: r for r in rulings if keys[r.decision_id] not in found}
    if unseen:
        answers = await detector.detect([leaves(r.item.content) for r in unseen.values()], screening)
        if len(answers) != len(unseen):
            msg = f"detector {detector.name} was given {len(unseen)} items and answered for {len(answers)}"
            raise DetectorUnavailableError(msg)
        fresh = {key: tuple(some) for key, some in zip(unseen, answers, strict=True)}
        cache.update(fresh)
        found.update(fresh)
    return detector, {decision_id: found[key] for decision_id, key in keys.items()}


def _with_findings(ruling: Ruling, done: dict[str, _Result]) -> Ruling:
    if not ruling.screen:
        return ruling
    results = [done[screening] for screening in ruling.screen]
    return ruling.model_copy(
        update={
            "findings": tuple(f for _, found in results for f in found[ruling.decision_id]),
            "detectors": {detector.name: detector.version for detector, _ in results},
        }
    )
