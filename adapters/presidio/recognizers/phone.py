"""
Telephone numbers of the six jurisdictions, Britain and the United States, by libphonenumber.

Presidio's recognizer scans the text once per region.  This one finds runs of digits once and asks
libphonenumber about each run, so that its time does not grow with the regions.
"""

import re

from typing import Final

import phonenumbers

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from adapters.presidio.recognizers.results import result

REGIONS: Final = ("SG", "HK", "IN", "TW", "ID", "AU", "GB", "US")
_RUN: Final = re.compile(r"(?<![\w.,/#-])\+?\(?\d(?:[ ().-]{0,2}\d){6,14}(?![\w/-]|[.,]\d)")

INTERNATIONAL: Final = 0.75
LOCAL: Final = 0.3
"""A bare local number looks like any reference; only a word or field that names it makes it a finding."""


class PhoneRecognizer(EntityRecognizer):
    """Valid numbers: with a country code by themselves, without one next to a word that names them."""

    def __init__(self) -> None:
        super().__init__(
            supported_entities=["PHONE_NUMBER"],
            name="PhoneRecognizer",
            context=[
                "phone",
                "telephone",
                "tel",
                "mobile",
                "mob",
                "cell",
                "call",
                "contact",
                "hp",
                "handphone",
                "whatsapp",
                "fax",
                "sms",
                "hotline",
                "dial",
                "ring",
                "reach",
                "telepon",
                "ponsel",
                "hp no",
                "電話",
                "手機",
            ],
        )

    def load(self) -> None:
        """Nothing to load."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        scored = ((run, _score(run.group())) for run in _RUN.finditer(text))
        return [result(self, run.start(), run.end(), score) for run, score in scored if score]


def _score(number: str) -> float:
    if number.startswith("+"):
        return INTERNATIONAL if _valid(number, None) else 0.0
    return LOCAL if any(_valid(number, region) for region in REGIONS) else 0.0


def _valid(number: str, region: str | None) -> bool:
    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(number, region)))
    except phonenumbers.NumberParseException:
        return False
