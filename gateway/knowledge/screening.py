"""Documents are looked into once, when they come in, for all that their parts are looked at for in requests."""

import asyncio

from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.content.labels import labels_of
from gateway.knowledge.room import KnowledgeRoom
from gateway.model import Candidate, Finding, Registry
from gateway.model.policy_input import FindingFacts
from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata
from gateway.screening.find import screen_names, screen_texts, serving

_AT_ONCE = 16
"""Chunks that a detector is given at once: it must answer for all of them within its time."""


@dataclass(slots=True)
class Seen:
    """What was found."""

    findings: list[Finding] = field(default_factory=list)
    detectors: dict[str, str] = field(default_factory=dict)
    screened: list[str] = field(default_factory=list)

    def facts(self) -> list[FindingFacts]:
        """The highest score of each type, in a stable order."""
        highest: dict[tuple[str, str], FindingFacts] = {}
        for one in self.findings:
            key = (one.kind, one.type)
            if key not in highest or highest[key]["score"] < one.score:
                highest[key] = {"kind": one.kind, "type": one.type, "score": one.score}
        return [highest[key] for key in sorted(highest)]


def names_of(document: str, labels: Provenance, metadata: Metadata | None, title: str | None) -> list[str]:
    """All short texts that a document brings beside its own."""
    item = Candidate(id=document, section="knowledge", content="", provenance=labels, metadata=metadata)
    return [*labels_of(item).values(), *([title] if title else [])]


async def look(  # noqa: PLR0917 - what they look at
    room: KnowledgeRoom,
    registry: Registry,
    tenant: str,
    names: Sequence[str],
    texts: Sequence[str],
    wanted: Sequence[str],
) -> Seen:
    """
    What is found in labels and chunks; each content is looked at once for each version of a detector, in whichever process.

    Args:
        room: with the detectors and what is known already.
        registry: under which they look.
        tenant: whose document it is.
        names: labels and titles.
        texts: of the chunks.
        wanted: screenings.

    Raises:
        DetectorError: a detector is missing or did not answer.
    """
    seen = Seen()
    detectors = room.detectors(registry)
    for screening in wanted:
        detector = serving(detectors, screening)
        found = await screen_names(names, detector, screening, tenant, room.findings)
        seen.findings += (one for some in found.values() for one in some)
        # Of a long document all at once would be more than a detector may take for one answer.
        for start in range(0, len(texts), _AT_ONCE):
            found = await screen_texts(texts[start : start + _AT_ONCE], detector, screening, tenant, room.findings)
            seen.findings += (one for some in found.values() for one in some)
        seen.detectors[detector.name] = detector.version
        seen.screened.append(screening)
    return seen


async def look_again(room: KnowledgeRoom) -> int:
    """
    Look at what a detector of this version has not seen, until there is nothing left; how many texts there were.

    What is left undone when this ends is done by whoever calls it next.

    Raises:
        DetectorError: a detector is missing or did not answer.
    """
    count = 0
    detectors = room.detectors(room.pinned().registry)
    for screening in await asyncio.to_thread(room.store.screenings):
        detector = serving(detectors, screening)
        while some := await asyncio.to_thread(room.store.unscreened, screening, detector.version, _AT_ONCE):
            for tenant in {one for one, _, _ in some}:
                texts = [text for whose, _, text in some if whose == tenant]
                await screen_texts(texts, detector, screening, tenant, room.findings)
            count += len(some)
    return count
