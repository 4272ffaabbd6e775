"""Stage: look into the content of what was admitted."""

import asyncio

from collections import defaultdict
from collections.abc import Callable, Mapping, MutableMapping, Sequence

from pydantic import JsonValue

from gateway.content.labels import as_leaves, telling
from gateway.content.leaves import leaves, names
from gateway.content.turns import found_only_joined, joined_turns
from gateway.errors import DetectorUnavailableError
from gateway.model import Case, Finding, Ruling
from gateway.model.content import Leaf, content_digest
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
    detector = serving(detectors, screening)
    alone = {ruling.decision_id: (ruling.item.digest, ruling.item.content) for ruling in rulings}
    found = await _find(alone, detector, screening, tenant, cache)
    # Names apart from values: the same few stand in every record of a kind, and are looked at once for all of them.
    named = {ruling.decision_id: names(ruling.item.content) for ruling in rulings}
    of_names = await screen_names([one for some in named.values() for one in some], detector, screening, tenant, cache)
    for decision, paths in named.items():
        found[decision] += tuple(
            _of_name(f, name, path) for name, path in paths.items() for f in of_names.get(name, ())
        )
    if detector.reads_across and (together := joined_turns(rulings)):
        texts = {join.last.decision_id: (content_digest(join.text), join.text) for join in together}
        joined = await _find(texts, detector, screening, tenant, cache)
        for join in together:
            name = join.last.decision_id
            found[name] += found_only_joined(join, joined[name], found)
    return detector, found


def serving(detectors: Sequence[Detector], screening: str) -> Detector:
    """
    The detector that does a screening.

    Raises:
        DetectorUnavailableError: there is none.
    """
    detector = next((d for d in detectors if d.serves(screening)), None)
    if detector is None:
        msg = f"no detector does the screening {screening} that policy asks for"
        raise DetectorUnavailableError(msg)
    return detector


async def screen_names(
    found: Sequence[str], detector: Detector, screening: str, tenant: str, cache: FindingCache
) -> dict[str, tuple[Finding, ...]]:
    """
    Findings in names, by name: each that differs and says something is looked at once, whatever has it.

    Raises:
        DetectorError: the detector did not answer.
    """
    texts = {name: (f"name:{content_digest(name)}", name) for name in telling(found)}
    return await _find(texts, detector, screening, tenant, cache, _leaves_of_name)


async def screen_texts(
    texts: Sequence[str], detector: Detector, screening: str, tenant: str, cache: FindingCache
) -> dict[str, tuple[Finding, ...]]:
    """
    Findings in texts, by text.

    Raises:
        DetectorError: the detector did not answer.
    """
    return await _find({text: (content_digest(text), text) for text in texts}, detector, screening, tenant, cache)


def _leaves_of_name(name: JsonValue) -> list[Leaf]:
    return as_leaves(str(name))


def _of_name(finding: Finding, name: str, path: str) -> Finding:
    """A finding in a name, as one of its item: of all of the name, since it may have been read otherwise than it is written."""
    return finding.model_copy(update={"start": 0, "end": len(name), "path": path})


async def _find(  # noqa: PLR0917
    contents: Mapping[str, tuple[str, JsonValue]],
    detector: Detector,
    screening: str,
    tenant: str,
    cache: FindingCache,
    read: Callable[[JsonValue], list[Leaf]] = leaves,
) -> dict[str, tuple[Finding, ...]]:
    """Findings by the names of contents with their digests, from the cache where the same content was screened before."""
    # By content and not by item: a text that stands in a request twice is looked at once, and its findings go to both.
    keys = {name: (tenant, digest, screening, detector.version) for name, (digest, _) in contents.items()}
    found = {key: cache[key] for key in set(keys.values()) if key in cache}
    unseen = {keys[name]: content for name, (_, content) in contents.items() if keys[name] not in found}
    if unseen:
        answers = await detector.detect([read(content) for content in unseen.values()], screening)
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
