"""
The texts that are worst for a pattern, made from the pattern itself, and what they cost.

A pattern that is not linear shows it on a repetition: of something that it may repeat, of the way to there and then that, of any
beginning of itself (a search starts anew at each), or of one or two of its characters.  All of these are tried on short texts,
growing ones only for the most costly, so that also an exponential pattern is found out in a moment.
"""

import re
import time

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from re import _constants as codes  # as the compiler of patterns reads them
from re import _parser as parser
from typing import Any, Final, NamedTuple

LONG: Final = 250_000
"""Characters of the longest text: about the largest item."""

_SHORT: Final = 1_000
_LONGER: Final = 8_000
_GROWING: Final = (18, 24, 36, 48, 80, 120, 250, _SHORT)
_NOISE: Final = 0.5
"""Milliseconds that say nothing."""

_END: Final = "\x00"
_MANY: Final = 12
"""A repetition of fewer is a constant."""

_SAMPLE: Final = "a1A _-\n.,/<>()[]\"'=:;@#%&*+|\\!?^$\t0\u00e9\u5ffd"
_CATEGORIES: Final[dict[Any, Callable[[str], bool]]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_NOT_DIGIT: lambda one: not one.isdigit(),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda one: not one.isspace(),
    codes.CATEGORY_WORD: lambda one: one.isalnum() or one == "_",
    codes.CATEGORY_NOT_WORD: lambda one: not (one.isalnum() or one == "_"),
}
_REPEATS: Final = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}
_AROUND: Final = {codes.ASSERT, codes.ASSERT_NOT}


class Worst(NamedTuple):
    """A text, as a beginning and what is repeated after it, and what a pattern costs on it."""

    start: str
    pump: str
    seconds_per_kb: float
    size: int

    def text(self, size: int) -> str:
        """The text, of so many characters, with an end that hardly any pattern takes for one."""
        return (self.start + self.pump * (size // len(self.pump) + 1))[: size - 1] + _END


def worst(pattern: str, flags: int, find: Callable[[str], object], enough: float) -> Worst:
    """
    The worst text for a pattern, of `LONG` characters, or a shorter one that costs too much already.

    Args:
        pattern: as it is written.
        flags: of `re`.
        find: looks for it everywhere in a text.
        enough: seconds for a thousand characters that are too much.
    """
    short = [_cost(start, pump, find, enough) for start, pump in _candidates(pattern, flags)]
    most = sorted(short, key=lambda one: (one.size < _SHORT, one.seconds_per_kb), reverse=True)[:3]
    for size in (_SHORT, _LONGER, LONG):
        # What was given up keeps its size: it would not come back.
        again = [_measured(one, size if one.size >= _SHORT // 2 else one.size, find) for one in most]
        most = sorted(again, key=lambda one: -one.seconds_per_kb)[: 3 if size < LONG else 1]
        if most[0].seconds_per_kb > enough:
            break
    tall = [_measured(Worst("", pump, 0.0, 0), LONG, find) for pump in _tall(parser.parse(pattern, flags), flags)]
    return max([most[0], *tall], key=lambda one: one.seconds_per_kb)


def _cost(start: str, pump: str, find: Callable[[str], object], enough: float) -> Worst:
    measured = Worst(start, pump, 0.0, 0)
    for size in _GROWING:
        measured = _measured(measured, size, find)
        # Not twice as long where it is hopeless: an exponential one would never come back.
        if measured.seconds_per_kb > 8 * enough and measured.seconds_per_kb * size > _NOISE:
            break
    return measured


def _measured(one: Worst, size: int, find: Callable[[str], object]) -> Worst:
    text = one.text(size)
    began = time.thread_time()
    find(text)
    took = time.thread_time() - began
    return one._replace(seconds_per_kb=took / max(len(text), 1) * 1000, size=len(text))


def _candidates(pattern: str, flags: int) -> list[tuple[str, str]]:
    tree = parser.parse(pattern, flags)
    characters = list(dict.fromkeys(_characters(tree, flags)))
    found = [*islice(_pumps(tree, "", flags), 120)]
    found += [("", one) for one in characters[:12]]
    found += [("", one + other) for one, other in product(characters[:8], repeat=2) if one != other]
    return list(dict.fromkeys((start, pump) for start, pump in found if pump))


def _pumps(items: Sequence[Any], before: str, flags: int) -> Iterator[tuple[str, str]]:
    """What may be repeated, with the way there; the way there repeated."""
    for kind, value in items:
        for body in _bodies(kind, value):
            yield from _pumps(body, before, flags)
        if kind in _REPEATS and value[1] >= _MANY:
            for word in _words(value[2], flags):
                yield before, word
                yield "", word
                yield "", before + word * 30
        before += _word(kind, value, flags)
        yield "", before


def _tall(items: Sequence[Any], flags: int) -> Iterator[str]:
    """Almost as often as must be, where that is so often that short texts do not show it."""
    for kind, value in items:
        for body in _bodies(kind, value):
            yield from _tall(body, flags)
        if kind in _REPEATS and value[0] > _SHORT // 2:
            for word in _words(value[2], flags):
                yield word * (value[0] - 1) + _END


def _bodies(kind: Any, value: Any) -> Sequence[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is codes.SUBPATTERN:
        return [value[3]]
    if kind is codes.BRANCH:
        return list(value[1])
    if kind is codes.ATOMIC_GROUP:
        return [value]
    return [value[1]] if kind in _AROUND else []


def _words(items: Sequence[Any], flags: int) -> list[str]:
    """Some texts that a sequence matches: one for each character that any one of its parts may be."""
    plain = [_word(kind, value, flags) for kind, value in items]
    words = ["".join(plain)]
    for index, (kind, value) in enumerate(items):
        words += ["".join([*plain[:index], other, *plain[index + 1 :]]) for other in _others(kind, value, flags)]
    return list(dict.fromkeys(word for word in words if word))[:8]


def _others(kind: Any, value: Any, flags: int) -> list[str]:
    if kind in _REPEATS:
        return [word * max(1, value[0]) for word in _words(value[2], flags)]
    bodies = _bodies(kind, value)
    return [word for body in bodies for word in _words(body, flags)] if bodies else _of(kind, value, flags)[:6]


def _word(kind: Any, value: Any, flags: int) -> str:
    if kind in _REPEATS:
        return "".join(_word(one[0], one[1], flags) for one in value[2]) * (value[0] or (1 if value[1] else 0))
    if kind is codes.SUBPATTERN or kind is codes.ATOMIC_GROUP:
        return "".join(_word(one[0], one[1], flags) for one in _bodies(kind, value)[0])
    if kind is codes.BRANCH:
        return "".join(_word(one[0], one[1], flags) for one in value[1][0])
    return (_of(kind, value, flags) or [""])[0]


def _of(kind: Any, value: Any, flags: int) -> list[str]:
    """Characters that a part matches."""
    if kind is codes.LITERAL:
        return [chr(value)]
    if kind is codes.NOT_LITERAL:
        return [one for one in _SAMPLE if ord(one) != value][:6]
    if kind is codes.ANY:
        return [one for one in _SAMPLE if one != "\n" or flags & re.DOTALL][:6]
    if kind is not codes.IN:
        return []
    named = [
        chr(one if what is codes.LITERAL else one[0]) for what, one in value if what in {codes.LITERAL, codes.RANGE}
    ]
    return [one for one in dict.fromkeys([*_SAMPLE[:4], *named, *_SAMPLE]) if _within(value, one)][:8]


def _within(parts: Sequence[Any], one: str) -> bool:
    hit = any(
        (what is codes.LITERAL and ord(one) == value)
        or (what is codes.RANGE and value[0] <= ord(one) <= value[1])
        or (what is codes.CATEGORY and _CATEGORIES[value](one))
        for what, value in parts
    )
    return hit != any(what is codes.NEGATE for what, _ in parts)


def _characters(items: Sequence[Any], flags: int) -> Iterator[str]:
    for kind, value in items:
        yield from _of(kind, value, flags)[:3]
        for body in _bodies(kind, value):
            yield from _characters(body, flags)
