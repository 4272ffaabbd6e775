"""
Words near a finding, for it and against it, in time linear in the findings.

Presidio's own enhancer compares every finding with every token of the text, which is most of its time on dense JSON.
This one looks at the characters around a finding, at the name of the field it stands in, and at the head of its column
in a table.  A word that names a reference (order, batch, build …) right before a run of digits counts against it.
"""

import re

from functools import lru_cache
from typing import Final

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.context_aware_enhancers import ContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts

BEFORE: Final = 60
AFTER: Final = 24
"""Characters before and after a finding that count as its context."""

NEAR: Final = 24
UNIT: Final = 14
"""Characters before a finding in which a reference is named, and after it in which a unit is."""

LABEL: Final = 32
DOUBTFUL: Final = 0.3
"""A finding that scores no more than DOUBTFUL by itself needs the word that names it within LABEL characters."""

BOOST: Final = 0.35
"""As in Presidio's enhancer, with its minimum of 0.4 for a finding with context."""

PENALTY: Final = 0.35
"""What a word that names a reference takes away; a check over letters and brackets outweighs it."""

CHECKED: Final = {
    "IN_AADHAAR": 0.45,
    "AU_ABN": 0.5,
    "AU_ACN": 0.45,
    "AU_TFN": 0.45,
    "AU_MEDICARE": 0.45,
    "CREDIT_CARD": 0.7,
}
"""Highest score without context for bare digits whose check passed; Presidio gives them all 1.0."""

_REFERENCE: Final = re.compile(
    r"(?<![^\W_])(?:order|purchase order|po|invoice|inv|batch|lot|part|sku|tracking|shipment|parcel|consignment|container|"
    r"waybill|awb|build|commit|ticket|version|model|serial|s/n|timestamp|ts|epoch|qty|quantity|price|amount|total|sum|"
    r"requests?|revision|rev|release|issue|job|run|request|session|trace|hash|port|pid|flight|booking|confirmation|asset|"
    r"barcode|isbn|ean|upc|imei|catalogue|item|product|stock|voucher|coupon|transaction|txn|receipt|queue|node|"
    r"error|row|rows|records|line|page|figure|table|section|clause|notice|meter|sensor|firmware|chip|cas|doi|patent|case no)"
    r"(?:[ _.:#-]{0,3}(?:no|nos|num|nbr|number|id|ref|reference|code|hash)\b)?[\s:=.,#\"'()\[\]-]{0,6}$",
    re.IGNORECASE,
)
_REFERENCE_FIELD: Final = re.compile(
    r"(?:^|_)(?:order|po|invoice|inv|batch|lot|part|sku|tracking|shipment|parcel|container|waybill|awb|build|commit|ticket|"
    r"version|serial|ts|timestamp|epoch|time|qty|quantity|price|amount|total|count|revision|release|job|run|request|"
    r"session|trace|hash|port|pid|flight|booking|asset|barcode|isbn|ean|upc|imei|item|product|stock|transaction|txn|"
    r"receipt|error|row|line|page|size|bytes|duration|latency|created|updated|offset|score)s?(?:_(?:id|no|number|ref|code|at|ms|ns|s))?$"
)
_UNIT: Final = re.compile(
    r"^\s?(?:requests?|rows?|records?|bytes|[kmg]b|ms|ns|users|events|transactions|units|items|pcs|hits|lines|tokens|times)\b",
    re.IGNORECASE,
)


_PART_OF_CODE: Final = re.compile(r"[A-Za-z0-9][-_/.]$")


class WindowContextEnhancer(ContextAwareEnhancer):
    """Raises the score of a finding that words near it name, and lowers that of digits a reference is named before."""

    def __init__(self) -> None:
        super().__init__(BOOST, 0.4, BEFORE, AFTER)

    def enhance_using_context(
        self,
        text: str,
        raw_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        recognizers: list[EntityRecognizer],
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        words = {recognizer.id: tuple(recognizer.context or ()) for recognizer in recognizers}
        field = " ".join(context or ())
        heads = _Columns(text)
        for result in raw_results:
            known = words.get(result.recognition_metadata[RecognizerResult.RECOGNIZER_IDENTIFIER_KEY], ())
            result.score = min(result.score, CHECKED.get(result.entity_type, 1.0))
            if result.entity_type in CHECKED and _PART_OF_CODE.search(text[max(0, result.start - 2) : result.start]):
                result.score = 0.0
                continue
            reach = LABEL if result.score <= DOUBTFUL else BEFORE
            near = f"{field} {_near(text, result.start, result.end, reach, heads)}"
            if known and _pattern(known).search(near):
                result.score = min(1.0, max(result.score + BOOST, 0.4))
            elif is_reference(text, result.start, result.end, field):
                result.score = max(0.0, result.score - PENALTY)
        return raw_results


def _near(text: str, start: int, end: int, reach: int, heads: "_Columns") -> str:
    """What stands around a finding; in a table, the head of its column and the rest of its cell."""
    before, after = text[max(0, start - reach) : start], text[end : end + AFTER]
    head = heads.head_of(start)
    if head is None:
        return f"{before} {after}"
    return f"{head} {before.rpartition('|')[2]} {after.partition('|')[0]}"


def is_reference(text: str, start: int, end: int, field: str) -> bool:
    """Whether the words right before a value, its unit or its field's name say that it is a reference or a count."""
    before = text[max(0, start - NEAR) : start]
    return bool(
        _REFERENCE.search(before)
        or _UNIT.search(text[end : end + UNIT])
        or (field and _REFERENCE_FIELD.search(field.replace(" ", "_")))
    )


class _Columns:
    """The heads of a Markdown or pipe table's columns."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._heads: list[str] | None = None

    def head_of(self, index: int) -> str | None:
        """The head of the column that a place stands in; None outside a table."""
        start = self._text.rfind("\n", 0, index) + 1
        if not self._text.startswith("|", start):
            return None
        if self._heads is None:
            self._heads = next(line for line in self._text.split("\n") if line.startswith("|")).split("|")
        column = self._text.count("|", start, index)
        return self._heads[column].strip() if column < len(self._heads) else ""


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])", re.IGNORECASE)
