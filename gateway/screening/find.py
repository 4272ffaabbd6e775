"""Looking into contents once: what detectors find, by content, from the cache where the same was looked at before."""

import asyncio

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress

from pydantic import JsonValue

from gateway.concurrency.apart import apart
from gateway.content.labels import as_leaves, telling
from gateway.content.leaves import leaves
from gateway.errors import DetectorUnavailableError
from gateway.model import Finding
from gateway.model.content import Leaf, content_digest
from gateway.ports.screening import Detector

CacheKey = tuple[str, str, str, str]
FindingCache = MutableMapping[CacheKey, tuple[Finding, ...]]
"""Findings by tenant, content digest, screening and detector version; never by subject."""


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
    return await find(texts, detector, screening, tenant, cache, _leaves_of_name)


async def screen_texts(
    texts: Sequence[str], detector: Detector, screening: str, tenant: str, cache: FindingCache
) -> dict[str, tuple[Finding, ...]]:
    """
    Findings in texts, by text.

    Raises:
        DetectorError: the detector did not answer.
    """
    return await find({text: (content_digest(text), text) for text in texts}, detector, screening, tenant, cache)


def _leaves_of_name(name: JsonValue) -> list[Leaf]:
    return as_leaves(str(name))


async def find(  # noqa: PLR0917
    contents: Mapping[str, tuple[str, JsonValue]],
    detector: Detector,
    screening: str,
    tenant: str,
    cache: FindingCache,
    read: Callable[[JsonValue], list[Leaf]] = leaves,
) -> dict[str, tuple[Finding, ...]]:
    """
    Findings by the names of contents with their digests, from the cache where the same content was screened before.

    Args:
        contents: by any names, each a digest and the content that it is of.
        detector: to look with.
        screening: what for.
        tenant: whose they are; what was found for another one is not looked up.
        cache: of findings.
        read: makes texts of a content.

    Raises:
        DetectorError: the detector did not answer.
    """
    # By content and not by item: a text that stands in a request twice is looked at once, and its findings go to both.
    keys = {name: (tenant, digest, screening, detector.version) for name, (digest, _) in contents.items()}
    found = await apart(lambda: _known(set(keys.values()), cache))
    unseen = {keys[name]: content for name, (_, content) in contents.items() if keys[name] not in found}
    if unseen:
        texts = await apart(lambda: [read(content) for content in unseen.values()])
        answers = await _answers(detector, texts, screening, tenant)
        if len(answers) != len(unseen):
            msg = f"detector {detector.name} was given {len(unseen)} items and answered for {len(answers)}"
            raise DetectorUnavailableError(msg)
        fresh = {key: tuple(some) for key, some in zip(unseen, answers, strict=True)}
        cache.update(fresh)
        found.update(fresh)
    return {name: found[key] for name, key in keys.items()}


def _known(keys: Iterable[CacheKey], cache: FindingCache) -> dict[CacheKey, tuple[Finding, ...]]:
    known: dict[CacheKey, tuple[Finding, ...]] = {}
    for key in keys:
        # Asked once: to look and then to take would let the cache drop it in between.
        with suppress(KeyError):
            known[key] = cache[key]
    return known


async def _answers(
    detector: Detector, texts: Sequence[Sequence[Leaf]], screening: str, tenant: str
) -> Sequence[Sequence[Finding]]:
    try:
        return await detector.detect(texts, screening, tenant)
    except asyncio.CancelledError as error:
        if (current := asyncio.current_task()) is not None and current.cancelling():
            raise
        # It was not this request that was cancelled, but something of a detector's: that is no reason to leave without an answer.
        raise DetectorUnavailableError("a detector gave up") from error
