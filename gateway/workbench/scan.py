"""
Screening alone: what the detectors see in texts that no request brings.

The same path as in the pipeline, with findings placed in the text itself, also where that is a JSON document, and kept
only where policy would act on them.  Findings never hold the text they are about.
"""

import asyncio

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gateway.content.json_offsets import values
from gateway.content.leaves import leaves_and_names
from gateway.errors import ConfigurationError, DetectorUnavailableError
from gateway.model import Finding
from gateway.policy.bundle import Bundle
from gateway.ports.screening import Detector

ALONE: Final = ""
"""Tenant of texts that no request brings."""

NOTABLE: Final = 0.2
"""A sign of injection that scores less is counted in the score and not shown."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found in one text."""

    findings: tuple[Finding, ...]
    """Personal data that policy would act on, and notable signs of injection; offsets in code points of the text."""

    injection_score: float
    """The highest score of a sign of injection, 0 where there is none."""

    injection_flagged: bool
    """Whether policy would set the text aside, or refuse it."""


@dataclass(frozen=True, slots=True)
class ScanLimits:
    """From which scores policy acts."""

    pii: Mapping[str, float]
    """By entity type, and "default"."""

    injection: float

    @classmethod
    def of(cls, bundle: Bundle, trust: str) -> "ScanLimits":
        """
        The limits in a bundle's tables.

        Raises:
            ConfigurationError: it has none for that trust class.
        """
        tables: dict[str, Any] = bundle.data["context"]
        try:
            return cls(tables["pii"]["minimum_score"], tables["injection"]["thresholds"][trust]["quarantine"])
        except (KeyError, TypeError) as error:
            raise ConfigurationError(f"the policies have no threshold for the trust class {trust}") from error

    def act_on(self, finding: Finding) -> bool:
        """Whether a finding counts: personal data that policy would treat, or a sign of some weight."""
        if finding.kind == "injection":
            return finding.score >= NOTABLE
        return finding.score >= self.pii.get(finding.type, self.pii["default"])


async def scan_texts(
    texts: Sequence[str], profile: str, *, detectors: Sequence[Detector], limits: ScanLimits
) -> list[Scan]:
    """
    What is in each text, in order.

    Raises:
        DetectorError: a detector is missing or did not answer, so none of the texts was screened.
    """
    items = [leaves_and_names(text) for text in texts]
    screenings = (f"pii/{profile}", "injection")
    # All are found before any is asked, since a coroutine that nobody awaits would be left behind by the error.
    serving = [_serving(detectors, screening) for screening in screenings]
    runs = [detector.detect(items, screening, ALONE) for detector, screening in zip(serving, screenings, strict=True)]
    found = await asyncio.gather(*runs)
    return [_scan(text, [*pii, *injection], limits) for text, pii, injection in zip(texts, *found, strict=True)]


def _serving(detectors: Sequence[Detector], screening: str) -> Detector:
    for detector in detectors:
        if detector.serves(screening):
            return detector
    raise DetectorUnavailableError(f"no detector does the screening {screening}")


def _scan(text: str, found: Sequence[Finding], limits: ScanLimits) -> Scan:
    placed = [_placed(finding, text) for finding in found if limits.act_on(finding)]
    score = max((finding.score for finding in found if finding.kind == "injection"), default=0.0)
    placed.sort(key=lambda one: (one.start, one.end, one.kind, one.type))
    return Scan(tuple(placed), score, score >= limits.injection)


def _placed(finding: Finding, text: str) -> Finding:
    if not finding.path:
        return finding
    start, end = values(text)[finding.path].span(finding.start, finding.end)
    return finding.model_copy(update={"start": start, "end": end})
