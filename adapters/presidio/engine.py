"""
The analyzers, one per profile, as they run inside a worker.

    structured   field names and patterns
    patterns     patterns
    full         patterns and names of people
"""

import os

from collections.abc import Sequence
from functools import cache
from typing import Final

# Presidio reads this once, when it is imported; its own default is a minute for every pattern.
os.environ.setdefault("REGEX_TIMEOUT_SECONDS", "2")

from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import NoOpNlpEngine
from presidio_analyzer.predefined_recognizers import (
    AuAbnRecognizer,
    AuAcnRecognizer,
    AuMedicareRecognizer,
    AuTfnRecognizer,
    CreditCardRecognizer,
    IbanRecognizer,
    InAadhaarRecognizer,
    InGstinRecognizer,
    InPanRecognizer,
    InPassportRecognizer,
    InVehicleRegistrationRecognizer,
    InVoterRecognizer,
    IpRecognizer,
    SgUenRecognizer,
)

from adapters.presidio.context import WindowContextEnhancer
from adapters.presidio.fields import SCORE, type_of, words_of
from adapters.presidio.recognizers import (
    HkidRecognizer,
    NricRecognizer,
    OfflineEmailRecognizer,
    PersonRecognizer,
    PhoneRecognizer,
)
from gateway.model import Finding
from gateway.ports import Leaf

PROFILES: Final = ("pii/structured", "pii/patterns", "pii/full")
MINIMUM_SCORE: Final = 0.3
"""Findings below are not worth telling policy about; its own thresholds are higher."""

DETECTOR: Final = "presidio"

_PREDEFINED: Final = (
    CreditCardRecognizer,
    OfflineEmailRecognizer,
    IbanRecognizer,
    IpRecognizer,
    SgUenRecognizer,
    InAadhaarRecognizer,
    InGstinRecognizer,
    InPanRecognizer,
    InPassportRecognizer,
    InVehicleRegistrationRecognizer,
    InVoterRecognizer,
    AuAbnRecognizer,
    AuAcnRecognizer,
    AuMedicareRecognizer,
    AuTfnRecognizer,
)


@cache
def analyzer(profile: str, model: str) -> AnalyzerEngine:
    """The analyzer of a profile, warm."""
    recognizers: list[EntityRecognizer] = [make() for make in _PREDEFINED]
    recognizers += [NricRecognizer(), HkidRecognizer(), PhoneRecognizer()]
    if profile == "pii/full":
        recognizers.append(PersonRecognizer(model))
    return AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=recognizers, supported_languages=["en"]),
        nlp_engine=NoOpNlpEngine([{"lang_code": "en", "model_name": ""}]),
        context_aware_enhancer=WindowContextEnhancer(),
        default_score_threshold=MINIMUM_SCORE,
    )


def warm(model: str) -> None:
    """Load everything, so that the first item does not wait."""
    for profile in PROFILES:
        scan([[Leaf("Call Alice Tan on +65 6123 4567 now.")]], profile, model)


def scan(items: Sequence[Sequence[Leaf]], profile: str, model: str) -> list[list[Finding]]:
    """Findings for every item, in order."""
    engine = analyzer(profile, model)
    return [[finding for leaf in item for finding in _scan_leaf(leaf, engine)] for item in items]


def _scan_leaf(leaf: Leaf, engine: AnalyzerEngine) -> list[Finding]:
    by_name = type_of(leaf.key) if leaf.key else None
    findings = [
        Finding(
            kind="pii",
            type=result.entity_type,
            score=round(result.score, 4),
            start=result.start,
            end=result.end,
            detector=DETECTOR,
            path=leaf.path,
        )
        for result in engine.analyze(leaf.text, "en", context=[words_of(leaf.key).replace("_", " ")])
    ]
    if by_name is not None and leaf.text.strip() and all(finding.type != by_name for finding in findings):
        whole = Finding(
            kind="pii",
            type=by_name,
            score=SCORE,
            start=0,
            end=len(leaf.text),
            detector=DETECTOR,
            via="field",
            path=leaf.path,
        )
        findings.append(whole)
    return findings
