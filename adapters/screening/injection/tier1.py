"""
Tier 1: rules and decoders, in a few milliseconds.

`promptbadger`'s rules and our own read the text as it would be read, and what is encoded or hidden in it; and what was
hidden in earnest is a finding by itself.
"""

import re

from collections.abc import Iterator
from functools import cache
from typing import Final

from promptbadger import Scanner

from adapters.screening.injection.rules import hits
from adapters.screening.text.decode import ENCODED, HIDDEN, readings
from adapters.screening.text.normalise import Unseen, normalised
from adapters.screening.text.view import View
from adapters.screening.text.windows import windows
from gateway.model import Finding

SHORTEST: Final = 12
"""Characters; no instruction fits in less."""

UNSHOWN: Final = frozenset({"hidden", "comment", "title"})
"""Where a page shows nothing, a sentence is a sign by itself."""

_NOTE: Final = re.compile(
    r"lint|todo|fixme|copyright|licen[cs]e|generated|prettier|doctoc|toc\b|https?:|template|contributor|placeholder|"
    r"begin|end\b|\b(?:start|stop)\b|omit|include|figure|image|diagram|screenshot|eof|utf-8|@|=",
    re.IGNORECASE,
)
"""What comments are for."""

PART: Final = 16_000
OVERLAP: Final = 1_000
"""Characters of a text that the package reads at once, and that two parts share."""

SENTENCE: Final = 12
"""Letters that make an encoded reading a message rather than a name."""

_DISGUISED: Final = {"percent": 0.3}
"""How much an encoding says by itself, where that is not `_ENCODED`: links hold it by right."""

_ENCODED: Final = 0.7


@cache
def scanner(*, deobfuscate: bool = False) -> Scanner:
    """The rules of the package, compiled once; with its own views where letters are written as digits."""
    return Scanner(deobfuscate=deobfuscate)


_LEET: Final = re.compile(
    r"(?:\b[a-z]*(?:[a-z][013457@$]|[013457@$][a-z])[a-z013457@$]*\b[^a-z0-9]{1,3}){2}", re.IGNORECASE
)
"""Two words in a row with digits among their letters."""


def rule_score(text: str) -> float:
    """The highest score of any rule in a text, 0 to 1."""
    return max((finding.score for finding in findings(text, "")), default=0.0)


def findings(text: str, path: str) -> list[Finding]:
    """What the rules find in one text."""
    return [one for one in in_steps(text, path) if one is not None]


def in_steps(text: str, path: str) -> Iterator[Finding | None]:
    """The same, and None wherever there may be a pause."""
    if len(text) < SHORTEST:
        return
    view, unseen = normalised(text)
    yield from _hidden(unseen, path)
    yield None
    for reading in (view, *hidden_readings(text, view, unseen)):
        yield from _packaged(reading, path)
        yield from _own(reading, path)
        yield None


def hidden_readings(text: str, view: View, unseen: Unseen) -> list[View]:
    """What is written in a text but not to be read by people, tag characters included."""
    spelled = [View(text).decoded(unseen.first, unseen.last, unseen.tags, "tags")] if unseen.tags else []
    return spelled + readings(view)


def _packaged(view: View, path: str) -> Iterator[Finding | None]:
    """The package's rules in one reading, a long one in parts, as some of its patterns take the square of the length."""
    for start, end in windows(view.text, PART, PART - OVERLAP):
        part = view.text[start:end]
        result = scanner(deobfuscate=bool(_LEET.search(part))).scan_context(part)
        for one in result.detections:
            span = view.span(start + one.span[0], start + one.span[1])
            via = view.via if one.view == "original" else one.view
            yield _finding(one.rule_id, result.score / 100, span, detector="promptbadger", via=via, path=path)
        yield None


def _own(view: View, path: str) -> Iterator[Finding]:
    """Our rules in one reading, more where it was not meant to be read by people; and the encoding itself."""
    undone = set(view.via.split("+"))
    disguised = bool(undone & (ENCODED | HIDDEN))
    for hit in hits(view.text):
        score = min(1.0, hit.score + 0.15) if disguised else hit.score
        yield _finding(hit.rule, score, view.span(hit.start, hit.end), detector="rules", via=view.via, path=path)
    if undone & UNSHOWN and is_prose(view.text):
        yield _finding(
            "hidden_text", 0.55, view.span(0, len(view.text)), detector="normaliser", via=view.via, path=path
        )
    # An encoding tells something only if it hid a message: identifiers, hashes and names of files are encoded by right.
    letters = sum(character.isalpha() for character in view.text)
    if undone & ENCODED and letters >= SENTENCE and (" " in view.text.strip() or "spaced" in undone):
        score = max(_DISGUISED.get(name, _ENCODED) for name in undone & ENCODED)
        yield _finding(
            "encoded_text", score, view.span(0, len(view.text)), detector="normaliser", via=view.via, path=path
        )


def is_prose(text: str) -> bool:
    """Whether a text reads as a sentence to somebody, and not as a note to a tool or an editor."""
    words = text.split()
    plain = sum(word.strip(".,;:!?'\"()").isalpha() for word in words)
    return len(words) >= 6 and plain >= 0.8 * len(words) and not _NOTE.search(text)


def _hidden(unseen: Unseen, path: str) -> Iterator[Finding]:
    """Signs that a text was made to be read otherwise than it looks."""
    signs = {
        "tag_characters": 0.95 if len(unseen.tags) >= 4 else 0.0,
        "unseen_characters": min(0.9, 0.3 + 0.1 * unseen.inside_words) if unseen.inside_words >= 2 else 0.0,
        "unseen_run": 0.8 if unseen.longest_run >= 8 else 0.0,
        "direction_override": 0.6 if unseen.directions else 0.0,
        "styled_letters": min(0.8, 0.3 + 0.02 * unseen.styled) if unseen.styled >= 10 else 0.0,
        "lookalike_words": min(0.9, 0.15 + 0.15 * unseen.lookalikes) if unseen.lookalikes else 0.0,
    }
    for name, score in signs.items():
        if score:
            yield _finding(name, score, (unseen.first, unseen.last), detector="normaliser", via="text", path=path)


def _finding(type_: str, score: float, span: tuple[int, int], *, detector: str, via: str, path: str) -> Finding:
    return Finding(
        kind="injection",
        type=type_,
        score=round(score, 4),
        start=span[0],
        end=span[1],
        detector=detector,
        via=via,
        path=path,
    )
