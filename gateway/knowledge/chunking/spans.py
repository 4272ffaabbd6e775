"""
Stretches of text that chunks are put together from.

Rules held here: nothing is lost but white space; a stretch is cut only where it is too long, between sentences or lines before
words, between words before letters; no text is counted that is much longer than what it may have, so that the cost is linear.
"""

import re

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from gateway.model.knowledge.document import TextBlock

TokenCount = Callable[[str], int]
"""Tokens of a text."""

Fineness = Literal["block", "sentence", "word"]
"""What is the largest thing that is taken as one."""

WIDEST_GAP: Final = 200
"""Characters of white space that a chunk may have inside; at more of them it ends."""

_LONGEST_TOKEN: Final = 24
"""Characters of a token, far beyond what text has on average; a longer text is taken to be too long without counting."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")  # noqa: RUF001 - punctuation of Chinese text
_WORD: Final = re.compile(r"\S{1,48}")
"""A word, or a part of one that is longer than words are."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch that is not cut any more."""

    start: int
    end: int
    tokens: int
    """With the white space before it."""

    block: int
    """Place of the block that it is of."""


def fits(text: str, room: int, count: TokenCount) -> bool:
    """Whether a text has at most so many tokens; one that is very long is not counted."""
    return len(text) <= room * _LONGEST_TOKEN and count(text) <= room


def units(
    text: str, blocks: Iterable[tuple[int, TextBlock]], room: int, count: TokenCount, fineness: Fineness
) -> Iterator[Unit]:
    """
    The units of some blocks, in order.

    Args:
        text: of the document.
        blocks: with their places.
        room: tokens that no unit exceeds.
        count: counts them.
        fineness: up to which size a stretch is left whole.
    """
    before: int | None = None
    for place, block in blocks:
        for start, end in _stretches(text, block, room, count, fineness):
            near = before if before is not None and start - before <= WIDEST_GAP else start
            yield Unit(start, end, count(text[near:end]), place)
            before = end


def _stretches(
    text: str, block: TextBlock, room: int, count: TokenCount, fineness: Fineness
) -> Iterator[tuple[int, int]]:
    whole = _trimmed(text, block.start, block.end)
    if fineness == "block" and fits(text[slice(*whole)], room, count):
        yield whole
        return
    for start, end in _sentences(text, *whole):
        if fineness != "word" and fits(text[start:end], room, count):
            yield start, end
        else:
            yield from words(text, start, end, room, count)


def words(text: str, start: int, end: int, room: int, count: TokenCount) -> Iterator[tuple[int, int]]:
    """The words of a stretch, in parts where they are longer than words are."""
    for found in _WORD.finditer(text, start, end):
        yield from _halves(text, *found.span(), room, count)


def _halves(text: str, start: int, end: int, room: int, count: TokenCount) -> Iterator[tuple[int, int]]:
    if end - start == 1 or count(text[start:end]) <= room:
        yield start, end
        return
    middle = (start + end) // 2
    yield from _halves(text, start, middle, room, count)
    yield from _halves(text, middle, end, room, count)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begun = start
    for found in _SENTENCE_END.finditer(text, start, end):
        if found.start() > begun:
            yield _trimmed(text, begun, found.start())
        begun = found.end()
    if begun < end:
        yield _trimmed(text, begun, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space at both ends."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
