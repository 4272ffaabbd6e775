"""
How far a text bears out a claim, by its words: no model, the same every time, and told in numbers.

Method: a claim's content words (stems) and figures are looked for in every run of three sentences of the source; the score is the
weighted share that is found in the best run, a figure, reference or name in capitals weighing three times a word.  A figure that is
not found, a denial on one side alone, or a word whose opposite stands in its place each take the score to a part of itself.
What it cannot do is follow a rewording with other words, or see that the right words stand in the wrong relation;
docs/packs.md has its measured precision and recall (`python -m bench.citations`).
"""

import json
import re

from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue

from gateway.digest import sentences

_TOKEN: Final = re.compile(r"[A-Za-z]+[-/]\d[\w./-]*|\w*\d[\w.,:/%-]*|\w+(?:'t)?")
_SCALE: Final = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9}
_COUNTED: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_NUMBERS: Final = {**{word: number for number, word in enumerate(_COUNTED)}, **_TENS}
_STOP: Final = frozenset(
    "a an the of to in on at by for from with and or as is are was were be been it its this that these those which who has have had"
    " do does did will would shall should can could their there his her they them also each every any all into under over per such"
    " than then so if when where while".split()
)
_DENIALS: Final = frozenset("not no never none nor without cannot neither".split())
_OPPOSITES: Final = (
    ("above", "below"),
    ("over", "under"),
    ("before", "after"),
    ("least", "most"),
    ("allow", "prohibit"),
    ("approv", "reject"),
    ("effective", "ineffective"),
    ("conditionally", "unconditionally"),
    ("high", "low"),
    ("rise", "fall"),
    ("increas", "decreas"),
    ("retail", "accredited"),
    ("with", "without"),
)
_OPPOSITE: Final = {word: other for pair in _OPPOSITES for word, other in (pair, pair[::-1])}
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ied", "ies", "edly", "ed", "es", "s", "ly", "al")
_RUN: Final = 3
"""Sentences that are read together."""

_HEAVY: Final = 3.0
_LACKING_FIGURE: Final = 0.3
_LACKING_NAME: Final = 0.6
_SPREAD: Final = 0.85
"""What a score is worth where it takes more than one sentence."""

_OTHER_SENSE: Final = 0.4


def support(claim: str, content: JsonValue) -> float:
    """
    How far a content bears out a claim.

    Args:
        claim: one statement, in words.
        content: of the source: text or JSON.

    Returns:
        0 to 1; 0 where the claim says nothing that could be looked for.
    """
    return Source(content).support(claim)


class _Meaning:
    """What a text speaks of."""

    def __init__(self, text: str) -> None:
        self.weights: dict[str, float] = {}
        self.plain: set[str] = set()
        self.names: set[str] = set()
        self.denials = 0
        tokens = _TOKEN.findall(text.replace("_", " "))
        for place, token in enumerate(tokens):
            self._take(token, tokens[place + 1] if place + 1 < len(tokens) else "", first=place == 0)

    def _take(self, token: str, following: str, *, first: bool) -> None:
        low = token.casefold()
        if low in _DENIALS or low.endswith("n't"):
            self.denials += 1
            return
        self.plain.add(_stem(low))
        figure = _figure(low, following.casefold())
        if figure is not None:
            self.weights[figure] = _HEAVY
        elif low not in _STOP and low not in _SCALE:
            if not first and token[0].isupper():
                self.names.add(_stem(low))
            self.weights[_stem(low)] = _HEAVY if token.isupper() else 1.0

    @property
    def figures(self) -> set[str]:
        return {word for word in self.weights if word.startswith("#")}


class Source:
    """A content that several claims are held against, read once."""

    def __init__(self, content: JsonValue) -> None:
        self._runs = [(_Meaning(run), _SPREAD if spread else 1.0) for run, spread in _runs(content)]

    def support(self, claim: str) -> float:
        """As the function of this name."""
        wanted = _Meaning(claim)
        return round(max((_score(wanted, run) * worth for run, worth in self._runs), default=0.0), 4)


def _figure(token: str, following: str) -> str | None:
    """A number in one spelling, or a reference as it stands; None for a word."""
    if token in _NUMBERS:
        return f"#{float(_NUMBERS[token]):g}"
    if not any(letter.isdigit() for letter in token):
        return None
    plain = token.rstrip(".,:-%/")
    found = re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)([a-z]{0,2})", plain)
    if found is None:
        return f"#{plain}"
    scale = found[2] or following
    return f"#{round(float(found[1].replace(',', '')) * _SCALE.get(scale, 1.0), 6):.12g}"


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)].rstrip("ei")
    return word.rstrip("ei") if len(word) > 4 else word


def _score(claim: _Meaning, run: _Meaning) -> float:
    total = sum(claim.weights.values())
    if not total:
        return 0.0
    score = sum(weight for word, weight in claim.weights.items() if word in run.weights or word in run.plain) / total
    if claim.figures - run.figures:
        score *= _LACKING_FIGURE
    if claim.names - run.plain:
        score *= _LACKING_NAME
    if _turned(claim, run):
        score *= _OTHER_SENSE
    return score


def _turned(claim: _Meaning, run: _Meaning) -> bool:
    """Whether one of them denies what the other does not, or a word of the claim has only its opposite in the source."""
    if bool(claim.denials) != bool(run.denials):
        return True
    missing = claim.plain - run.plain
    return any(_OPPOSITE.get(word) in run.plain for word in missing if word in _OPPOSITE)


def _runs(content: JsonValue) -> Iterator[tuple[str, bool]]:
    found = (
        sentences(content) if isinstance(content, str) and not content.lstrip().startswith("{") else [_flat(content)]
    )
    for size in range(1, _RUN + 1):
        for start in range(max(len(found) - size + 1, 0)):
            yield " ".join(found[start : start + size]), size > 1


def _flat(content: JsonValue) -> str:
    """A JSON document as words."""
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except ValueError:
            return str(content)
    if isinstance(content, dict):
        return ", ".join(f"{name.replace('_', ' ')} is {_flat(value)}" for name, value in content.items())
    if isinstance(content, list):
        return ", ".join(map(_flat, content))
    return str(content)
