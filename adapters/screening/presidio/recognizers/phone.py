"""
Telephone numbers of the six jurisdictions, Britain and the United States, by libphonenumber.

Presidio's recognizer scans the text once per region.  This one finds runs of digits once and asks
libphonenumber about each run, so that its time does not grow with the regions.
"""

import re

from functools import lru_cache
from typing import Final

import phonenumbers

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from adapters.screening.presidio.recognizers.identifier import WEAK
from adapters.screening.presidio.recognizers.results import result

REGIONS: Final = ("SG", "HK", "IN", "TW", "ID", "AU", "GB", "US")
_RUN: Final = re.compile(
    r"(?<![\w.,/#@-])(?<!\w[-/])\+?\(?\d(?:[ ().-]{0,2}\d){6,14}(?:(?: ?(?:x|ext\.?|extension) ?)\d{1,6})?(?![\w/@-]|[.,]\d)"
)

INTERNATIONAL: Final = 0.75
GROUPED: Final = 0.45
"""A local number written in the groups that its region writes: enough by itself, not beside a word that names a reference."""

LOCAL: Final = 0.3
"""A bare local number looks like any reference; only a word or field that names it makes it a finding."""

_CONTEXT: Final = (
    "phone telephone tel mobile mob cell call called contact hp handphone whatsapp fax sms hotline dial ring reach text "
    "telepon ponsel nomor_hp reached landline helpline 電話 手機 手提 電話號碼 电话 手机 फ़ोन मोबाइल"
)


class PhoneRecognizer(EntityRecognizer):
    """Valid numbers: with a country code, or in a region's groups, by themselves; bare next to a word that names them."""

    def __init__(self) -> None:
        super().__init__(
            supported_entities=["PHONE_NUMBER"],
            name="PhoneRecognizer",
            context=[word.replace("_", " ") for word in _CONTEXT.split()],
        )

    def load(self) -> None:
        """Nothing to load."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        scored = ((run, _score(run.group())) for run in _RUN.finditer(text))
        return [result(self, run.start(), run.end(), score) for run, score in scored if score]


@lru_cache(maxsize=10_000)
def _score(number: str) -> float:
    if number.startswith(("+", "00", "(+")):
        plus = "+" + number.removeprefix("00") if number.startswith("00") else number
        if _parsed(plus, None) is not None:
            return INTERNATIONAL
    parsed = [(region, found) for region in REGIONS if (found := _parsed(number, region)) is not None]
    if not parsed:
        return 0.0 if number.isdigit() else WEAK
    return GROUPED if any(_is_grouped(number, found) for _, found in parsed) else LOCAL


def _parsed(number: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        found = phonenumbers.parse(number, region)
    except phonenumbers.NumberParseException:
        return None
    return found if phonenumbers.is_valid_number(found) else None


def _is_grouped(number: str, found: phonenumbers.PhoneNumber) -> bool:
    """Whether the digits stand in groups as the region writes them, whatever separates these."""
    if number.strip("+()").isdigit():
        return False
    written = phonenumbers.format_number(found, phonenumbers.PhoneNumberFormat.NATIONAL)
    return _groups(number) == _groups(written) or "(" in number


def _groups(number: str) -> list[str]:
    return re.findall(r"\d+", number)
