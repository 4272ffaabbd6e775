"""Stage: what do the labels of each item say, beside what they name?"""

import asyncio

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gateway.content.labels import labels_of
from gateway.model import Case, Finding
from gateway.model.case import Attested
from gateway.model.policy_input import LabelFindingFacts
from gateway.ports.screening import Detector
from gateway.screening.find import FindingCache, screen_names, serving


async def vet(
    candidates: Sequence[Attested],
    case: Case,
    screenings: Sequence[str],
    *,
    detectors: Sequence[Detector],
    cache: FindingCache,
) -> list[Attested]:
    """
    Every candidate with what is found in its labels, in the order they came.

    Of all of them, also those that policy will refuse: a record names what was refused too.  Labels repeat, so that a text is
    looked at once for each that differs.

    Args:
        candidates: all of them.
        case: the request.
        screenings: what policy wants labels to be looked at for; without any nobody looked.
        detectors: to look with.
        cache: of findings, by content.

    Raises:
        DetectorError: a detector is missing or did not answer.  The whole request stops.
    """
    if not screenings:
        return list(candidates)
    # By text and not by item, and for all at once: most labels are the same from item to item and from request to request.
    labels = [labels_of(one.item) for one in candidates]
    texts = list(dict.fromkeys(text for some in labels for text in some.values()))
    tenant = case.subject.tenant
    jobs = [screen_names(texts, serving(detectors, name), name, tenant, cache) for name in screenings]
    found = await asyncio.gather(*jobs)
    return [
        replace(one, label_findings=tuple(_summary(some, found))) for one, some in zip(candidates, labels, strict=True)
    ]


def _summary(labels: Mapping[str, str], found: Sequence[Mapping[str, Sequence[Finding]]]) -> list[LabelFindingFacts]:
    """The highest score of each type in each label, in a stable order."""
    highest: dict[tuple[str, str, str], LabelFindingFacts] = {}
    for label, text in labels.items():
        for finding in (one for some in found for one in some.get(text, ())):
            key = (label, finding.kind, finding.type)
            if key not in highest or highest[key]["score"] < finding.score:
                highest[key] = {"label": label, "kind": finding.kind, "type": finding.type, "score": finding.score}
    return [highest[key] for key in sorted(highest)]
