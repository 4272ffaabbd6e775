"""Stage: look into the content of what was admitted."""

import asyncio

from collections import defaultdict
from collections.abc import Mapping, MutableMapping, Sequence

from pydantic import JsonValue

from gateway.concurrency.apart import apart
from gateway.content.leaves import leaves
from gateway.content.turns import found_only_joined, joined_turns
from gateway.errors import DetectorUnavailableError
from gateway.model import Case, Finding, Ruling
from gateway.model.content import content_digest
from gateway.ports.screening import Detector

CacheKey = tuple[str, str, str, str]
FindingCache = MutableMapping[CacheKey, tuple[Finding, ...]]
"""Findings by tenant, content digest, screening and detector version; never by subject."""


async def screen(
    rulings: Sequence[Ruling], case: Case, *, detectors: Sequence[Detector], cache: FindingCache
) -> list[Ruling]:
    """
    Add to every admitted ruling what the detectors that policy asked for find in its content.

    Turns of a conversation are looked at once more together with the turns of the same author before them, since an
    attack may be spread over several.

    Raises:
        DetectorError: a detector is missing or did not answer.  The whole request stops.
    """
    wanted: dict[str, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        for screening in ruling.screen:
            wanted[screening].append(ruling)
    jobs = [_screen(name, some, case.subject.tenant, detectors, cache) for name, some in wanted.items()]
    done = dict(zip(wanted, await asyncio.gather(*jobs), strict=True))
    return [_with_findings(ruling, done) for ruling in rulings]


_Result = tuple[Detector, dict[str, tuple[Finding, ...]]]


async def _screen(
    screening: str, rulings: Sequence[Ruling], tenant: str, detectors: Sequence[Detector], cache: FindingCache
) -> _Result:
    """Findings by decision id, of each item alone and, where that can matter, of turns together."""
    detector = next((d for d in detectors if d.serves(screening)), None)
    if detector is None:
        msg = f"no detector does the screening {screening} that policy asks for"
        raise DetectorUnavailableError(msg)
    alone = {ruling.decision_id: (ruling.item.digest, ruling.item.content) for ruling in rulings}
    found = await _find(alone, detector, screening, tenant, cache)
    if detector.reads_across and (together := await apart(lambda: joined_turns(rulings))):
        texts = await apart(lambda: {one.last.decision_id: (content_digest(one.text), one.text) for one in together})
        joined = await _find(texts, detector, screening, tenant, cache)
        for join in together:
            name = join.last.decision_id
            found[name] += found_only_joined(join, joined[name], found)
    return detector, found


async def _find(
    contents: Mapping[str, tuple[str, JsonValue]], detector: Detector, screening: str, tenant: str, cache: FindingCache
) -> dict[str, tuple[Finding, ...]]:
    """Findings by the names of contents with their digests, from the cache where the same content was screened before."""
    # By content and not by item: a text that stands in a request twice is looked at once, and its findings go to both.
    keys = {name: (tenant, digest, screening, detector.version) for name, (digest, _) in contents.items()}
    found = {key: cache[key] for key in set(keys.values()) if key in cache}
    unseen = {keys[name]: content for name, (_, content) in contents.items() if keys[name] not in found}
    if unseen:
        texts = await apart(lambda: [leaves(content) for content in unseen.values()])
        answers = await detector.detect(texts, screening)
        if len(answers) != len(unseen):
            msg = f"detector {detector.name} was given {len(unseen)} items and answered for {len(answers)}"
            raise DetectorUnavailableError(msg)
        fresh = {key: tuple(some) for key, some in zip(unseen, answers, strict=True)}
        cache.update(fresh)
        found.update(fresh)
    return {name: found[key] for name, key in keys.items()}


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
