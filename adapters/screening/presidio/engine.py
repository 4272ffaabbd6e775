"""
The analyzers, one per profile, as they run inside a worker.

    structured   field names and patterns, and names of people in values that are free text
    patterns     patterns
    full         patterns and names of people
"""

import os
import re

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Final, NamedTuple

# Presidio reads this once, when it is imported; its own default is a minute for every pattern.
os.environ.setdefault("REGEX_TIMEOUT_SECONDS", "2")

from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry, RecognizerResult
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
    InVehicleRegistrationRecognizer,
    InVoterRecognizer,
    IpRecognizer,
    UsSsnRecognizer,
)

from adapters.screening.in_worker import Steps, finished
from adapters.screening.presidio import recognizers as own
from adapters.screening.presidio.context import WindowContextEnhancer
from adapters.screening.presidio.disguises import undisguised
from adapters.screening.presidio.fields import SCORE, says_something, type_of, words_of
from adapters.screening.presidio.pieces import across_lines, split_values
from adapters.screening.presidio.recognizers.gated import gated
from adapters.screening.presidio.recognizers.identifier import LIKELY
from adapters.screening.presidio.recognizers.person import SCORE as INTRODUCED
from adapters.screening.presidio.recognizers.person import introduced
from adapters.screening.text.decode import ENCODED, readings
from adapters.screening.text.merge import merged
from adapters.screening.text.normalise import normalised
from adapters.screening.text.view import View
from adapters.screening.text.windows import windows
from gateway.model import Finding
from gateway.model.content import Leaf

_SPELLED: Final = ENCODED | {"unescaped"}
"""Readings in which an identifier may stand that nobody sees in the text itself."""

FULL: Final = "pii/full"
PATTERNS: Final = "pii/patterns"
STRUCTURED: Final = "pii/structured"
PROFILES: Final = (STRUCTURED, PATTERNS, FULL)
FREE_WORDS: Final = 4
"""Words that make a value of a document a text that somebody wrote, rather than a code or a title."""

PART: Final = 5_000
"""Characters that an analyzer reads at once."""

EDGE: Final = 500
"""Characters at either end of a part that are its neighbour's to judge: no identifier is as long, with the words around it."""

MINIMUM_SCORE: Final = 0.3
"""Findings below are not worth telling policy about; its own thresholds are higher."""

DETECTOR: Final = "presidio"

_DIGIT: Final = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_TELLING: Final = re.compile(rf"[0-9@]|[A-Z]{{8}}|(?i:\bdot\b|\b{_DIGIT}[ ,-]{{1,3}}{_DIGIT}\b)")
"""Without a digit, an at sign, these in words, or a row of capitals no identifier is in a text."""

_ENCODED_SIGN: Final = re.compile(
    r"[A-Za-z0-9+/_=-]{20}|(?<![\w+/=-])(?=[A-Za-z+/_-]{0,11}[0-9])[A-Za-z0-9+/_=-]{12}|&#\w|(?:%[0-9A-Fa-f]{2}){2}|\\[ux]|(?:[0-9A-Fa-f]{2}[ :]){6}|(?:\w[ .*|]){7}"
)
"""What every encoding of an identifier matches somewhere."""

_NAMED: Final = re.compile(
    r"(?<![^\W\d_])(?:[^\W\d_a-z][^\W\d_]+[ '\-]{1,2}[^\W\d_a-z]|[^\W\d_]+ [^\W\d_]+ [^\W\d_]+ [^\W\d_])"
)
"""Two capitalised words, or a sentence: less holds no name that the model would find."""

_RECOGNIZERS: Final = (
    CreditCardRecognizer,
    partial(IbanRecognizer, regex_flags=re.IGNORECASE | re.MULTILINE | re.DOTALL),
    UsSsnRecognizer,
    InAadhaarRecognizer,
    InGstinRecognizer,
    AuAbnRecognizer,
    AuAcnRecognizer,
    AuMedicareRecognizer,
    AuTfnRecognizer,
    own.BankAccountRecognizer,
    own.BsbRecognizer,
    own.BusinessRegistrationRecognizer,
    own.CardRecognizer,
    own.HkidRecognizer,
    own.IfscRecognizer,
    own.NikRecognizer,
    own.NpwpRecognizer,
    own.NricRecognizer,
    own.PhoneRecognizer,
    own.SwiftRecognizer,
    own.TaiwanArcRecognizer,
    own.TaiwanIdRecognizer,
    own.TaiwanUbnRecognizer,
    own.UenRecognizer,
    own.UpiRecognizer,
)


_GATED: Final[dict[Callable[[], EntityRecognizer], str]] = {
    own.OfflineEmailRecognizer: "@",
    own.StrictPanRecognizer: r"[A-Z]{5}\d{4}[A-Z]",
    IpRecognizer: r"\d\.\d{1,3}\.|[0-9A-Fa-f]:[0-9A-Fa-f:]",
    InVehicleRegistrationRecognizer: r"[A-Za-z]{2}[ -]?\d{1,2}[ -]?[A-Za-z]{0,3}[ -]?\d{3,4}",
    InVoterRecognizer: r"[A-Za-z]{3}\d{7}",
}


@cache
def analyzer(profile: str, model: str) -> AnalyzerEngine:
    """The analyzer of a profile, warm."""
    recognizers: list[EntityRecognizer] = [make() for make in _RECOGNIZERS]
    recognizers += [gated(make(), sign) for make, sign in _GATED.items()]
    recognizers += own.passport_recognizers()
    if profile == FULL:
        recognizers.append(own.PersonRecognizer(model))
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
    return finished(steps(items, profile, model))


def steps(items: Sequence[Sequence[Leaf]], profile: str, model: str) -> Steps:
    """The same with a pause after every value, and within long ones."""
    searched = FULL if profile == STRUCTURED else profile
    engines = _Engines(analyzer(searched, model), analyzer(PATTERNS, model))
    answers = []
    for item in items:
        found: list[Finding] = []
        for one in _scan_item(item, engines, profile):
            if one is None:
                yield
            else:
                found.append(one)
        answers.append(merged(found))
        yield
    return answers


class _Engines(NamedTuple):
    full: AnalyzerEngine
    """Of the profile that was asked for; of the values of a document those that are free text are searched in full."""

    patterns: AnalyzerEngine
    """For pieces and codes, which are too short to hold a name that a model would find."""


def _scan_item(item: Sequence[Leaf], engines: _Engines, profile: str) -> Iterator[Finding | None]:
    """Findings, and None wherever there may be a pause."""
    for leaf in item:
        yield from _by_name(leaf)
        names = profile == FULL or (profile == STRUCTURED and _is_free(leaf.text))
        if _TELLING.search(leaf.text) or not leaf.text.isascii() or (names and _NAMED.search(leaf.text)):
            # A code that no name is looked for in goes through the patterns of its profile alone.
            used = engines if names or profile != STRUCTURED else engines._replace(full=engines.patterns)
            yield from _scan_leaf(leaf, used)
            yield None
    for together in split_values(item):
        yield from _scan_split(together, engines.patterns)


def _is_free(text: str) -> bool:
    return len(text.split(None, FREE_WORDS - 1)) >= FREE_WORDS


def _scan_leaf(leaf: Leaf, engines: _Engines) -> Iterator[Finding | None]:
    """What stands in a value: as it is read, across its line breaks, and in what is encoded in it."""
    view, _ = normalised(leaf.text)
    field = words_of(leaf.key).replace("_", " ")
    for result in _results(engines.full, view.text, field):
        yield None if result is None else _finding(result, view, leaf.path)
    for rejoined in across_lines(view):
        for result in _results(engines.patterns, rejoined.text, field):
            start, end = rejoined.span(result.start, result.end) if result else (0, 0)
            if result is None:
                yield None
            elif result.score >= LIKELY and end - start > result.end - result.start:
                yield _finding(result, rejoined, leaf.path)
    yield from _scan_disguised(view, leaf.path, field, engines.patterns)
    for reading in readings(view) if _ENCODED_SIGN.search(view.text) else ():
        if set(reading.via.split("+")) & _SPELLED:
            for result in _results(engines.full, reading.text, field):
                yield None if result is None else _finding(result, reading, leaf.path)


def _scan_disguised(view: View, path: str, field: str, engine: AnalyzerEngine) -> Iterator[Finding | None]:
    """What a reader would put together, where that makes an identifier of what was none."""
    for reading in undisguised(view):
        for result in _results(engine, reading.view.text, field):
            if result is None:
                yield None
            elif result.score >= LIKELY and reading.touches(*reading.view.span(result.start, result.end)):
                yield _finding(result, reading.view, path)


def _results(engine: AnalyzerEngine, text: str, field: str) -> Iterator[RecognizerResult | None]:
    """What an analyzer finds in a text, None after each part of a long one: it takes the square of what it finds at once."""
    parts = windows(text, PART, PART - 2 * EDGE)
    for start, end in parts:
        first = start + EDGE if start else 0
        last = end - EDGE if end < len(text) else end
        for result in engine.analyze(text[start:end], "en", context=[field]):
            result.start, result.end = result.start + start, result.end + start
            # What begins near an edge may be half of something; the neighbour has it whole, and its words around it too.
            if first <= result.start < last:
                yield result
        yield None
    if len(parts) > 1 and "PERSON" in engine.get_supported_entities("en"):
        # The head of a table may be many parts away from its rows.
        yield from (RecognizerResult("PERSON", start, end, INTRODUCED) for start, end in introduced(text))


def _scan_split(together: Sequence[Leaf], engine: AnalyzerEngine) -> Iterator[Finding | None]:
    """An identifier in pieces: for each piece its own finding."""
    joined = "".join(leaf.text for leaf in together)
    ends = list(accumulate(len(leaf.text) for leaf in together))
    for result in _results(engine, joined, words_of(together[0].key).replace("_", " ")):
        if result is None:
            yield None
            continue
        # Those that it touches alone: a list may have ten thousand values, and as many findings.
        for place in range(bisect_right(ends, result.start), bisect_left(ends, result.end) + 1):
            leaf, index = together[place], ends[place] - len(together[place].text)
            start, end = max(result.start - index, 0), min(result.end - index, len(leaf.text))
            if result.score >= LIKELY and start < end and (result.start < index or result.end > index + len(leaf.text)):
                yield _made(result.entity_type, result.score, (start, end), via="split", path=leaf.path)


def _by_name(leaf: Leaf) -> Iterator[Finding]:
    """What the name of the field says of the value, whatever that looks like."""
    by_name = type_of(leaf.key) if leaf.key else None
    if by_name is not None and leaf.text.strip() and says_something(leaf.text, by_name):
        yield _made(by_name, SCORE, (0, len(leaf.text)), via="field", path=leaf.path)


def _finding(result: RecognizerResult, view: View, path: str) -> Finding:
    return _made(result.entity_type, result.score, view.span(result.start, result.end), via=view.via, path=path)


def _made(type_: str, score: float, span: tuple[int, int], *, via: str, path: str) -> Finding:
    start, end = span
    return Finding(
        kind="pii", type=type_, score=round(score, 4), start=start, end=end, detector=DETECTOR, via=via, path=path
    )
