"""Identifiers in pieces: broken over lines, or over the neighbouring values of a JSON document."""

import re

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from adapters.screening.text.view import Builder, View
from gateway.model.content import Leaf

LONGEST: Final = 24
"""Characters of a value that may be a piece of an identifier."""

AROUND: Final = 40
"""Characters on either side of a line break that an identifier may reach."""

MOST: Final = 12
"""Breaks that are looked at one by one."""

_BREAK: Final = re.compile(r"(?<=[0-9A-Za-z@])-?[ \t]{0,20}\r?\n[ \t>]{0,20}(?=[0-9A-Za-z@])")
_LAST: Final = re.compile(r"[0-9A-Za-z]+$")
_FIRST: Final = re.compile(r"[0-9A-Za-z]+")
_PIECE_NAME: Final = re.compile(
    r"(?:_?(?:part|piece|seg|segment|block|prefix|suffix|first|last|start|end|head|tail|[a-d]|\d++))+$"
)
_LONGEST_NAME: Final = 200
"""Characters of a field's name; a longer one names no piece, and each of its characters may begin one."""

_PIECE: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z ()./-]*")


def across_lines(view: View) -> Iterator[View]:
    """What stands around each line break that digits are next to, without the break; of many breaks, the whole text."""
    breaks = [
        match
        for match in _BREAK.finditer(view.text)
        if _in_address(view.text, match) or _digits_around(view.text, match)
    ]
    if len(breaks) > MOST:
        yield _without(view, breaks)
        return
    for match in breaks:
        builder = Builder(view)
        builder.copy(max(0, match.start() - AROUND), match.start())
        builder.copy(match.end(), match.end() + AROUND)
        yield builder.view("rejoined")


def _without(view: View, breaks: Sequence[re.Match[str]]) -> View:
    builder, done = Builder(view), 0
    for match in breaks:
        builder.copy(done, match.start())
        done = match.end()
    builder.copy(done, len(view.text))
    return builder.view("rejoined")


def _in_address(text: str, match: re.Match[str]) -> bool:
    """Whether the break stands next to the at sign of an address."""
    return text[match.start() - 1] == "@" or text[match.end()] == "@"


def _digits_around(text: str, match: re.Match[str]) -> bool:
    """Whether the words on both sides may be halves of one identifier: one has a digit, the other one too or is very short."""
    before, after = _LAST.search(text, max(0, match.start() - LONGEST), match.start()), _FIRST.match(text, match.end())
    if before is None or after is None:
        return False
    left, right = before.group(), after.group()
    # A check letter may be alone on its line; a longer word without a digit beside a number is prose, and looking at each of
    # those would take as long as the text has lines.
    return (_has_digit(left) and (_has_digit(right) or len(right) <= 2)) or (_has_digit(right) and len(left) <= 2)


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def split_values(item: Sequence[Leaf]) -> Iterator[tuple[Leaf, ...]]:
    """Neighbouring short values that may belong together: of one list, or of fields whose names differ in a number only."""
    groups: list[list[Leaf]] = []
    for before, leaf in pairwise(item):
        if not _together(before, leaf):
            continue
        if groups and groups[-1][-1] is before:
            groups[-1].append(leaf)
        else:
            groups.append([before, leaf])
    for group in groups:
        yield tuple(group)


def _together(one: Leaf, other: Leaf) -> bool:
    if not all(0 < len(leaf.text) <= LONGEST and _PIECE.fullmatch(leaf.text) for leaf in (one, other)):
        return False
    if one.path.rpartition("/")[0] != other.path.rpartition("/")[0]:
        return False
    return bool(re.search(r"\d", one.text + other.text)) and _stem(one.key) == _stem(other.key)


def _stem(key: str) -> str:
    return key if len(key) > _LONGEST_NAME else _PIECE_NAME.sub("", key.lower())
