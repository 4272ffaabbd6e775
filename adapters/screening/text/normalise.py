"""
A text as it would be read: compatibility forms, look-alikes and characters that nobody sees undone.

    NFKC          full-width, mathematical and ligature forms (UAX #15)
    look-alikes   letters of other scripts inside a word that has Latin ones (UTS #39, by `confusable_homoglyphs`)
    unseen        zero-width and filler characters, variation selectors, soft hyphens
    direction     embeddings, overrides and isolates (UAX #9)
    tags          the tag block U+E0000 to U+E007F, which carries ASCII that no font shows

What was undone in earnest is a sign by itself; `Unseen` counts it.
"""

import re
import unicodedata

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from adapters.screening.text.view import Builder, View

_UNSEEN: Final = frozenset(
    [
        173,
        847,
        1564,
        4447,
        4448,
        6068,
        6069,
        6158,
        12644,
        65279,
        65440,
        *range(8203, 8208),
        *range(8288, 8294),
        *range(8298, 8304),
        *range(65024, 65040),
        *range(917760, 918000),
    ]
)
_DIRECTION: Final = frozenset([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_TAGS: Final = range(0xE0000, 0xE0080)
_STYLED: Final = frozenset(
    [*range(0xFF21, 0xFF5B), *range(0x1D400, 0x1D800), *range(0x24B6, 0x24EA), *range(0x1F130, 0x1F18A)]
)
_FLAG: Final = 0x1F3F4
"""A black flag begins the flags of regions, whose letters are tags by right."""

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_WORD: Final = re.compile(r"[^\W_]+")
_MARKS: Final = "".join(map(chr, [*range(0x0300, 0x0370), *range(0x20D0, 0x20F1), 0xFE0E, 0xFE0F]))
_ASCII_DIGITS: Final = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Unseen:
    """How much of a text nobody would see, or would take for something else."""

    inside_words: int = 0
    """Unseen characters between two ASCII letters or digits."""

    longest_run: int = 0
    """Most unseen characters in a row."""

    directions: int = 0
    tags: str = ""
    """What the tag characters spell."""

    lookalikes: int = 0
    """Words that mix Latin letters with look-alikes."""

    styled: int = 0
    """ASCII letters written as full-width or mathematical ones."""

    first: int = 0
    """Where the first of them stands."""

    last: int = 0
    """Where the last of them ends."""


@lru_cache(maxsize=256)
def normalised(text: str) -> tuple[View, Unseen]:
    """The text as it would be read, and what was not to be seen in it."""
    source = View(text)
    if text.isascii():
        return source, Unseen()
    return _Reader(source).read()


class _Reader:
    def __init__(self, source: View) -> None:
        self._source = source
        self._builder = Builder(source)
        self._places: list[int] = []
        self._inside = self._longest = self._directions = self._styled = 0
        self._tags: list[str] = []

    def read(self) -> tuple[View, Unseen]:
        text, done = self._source.text, 0
        for run in _FOREIGN.finditer(text):
            self._builder.copy(done, run.start())
            self._run(run.start(), run.end())
            done = run.end()
        self._builder.copy(done, len(text))
        view, words = _latin(self._builder.view())
        if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in view.text):
            self._directions = 0  # a text with Hebrew or Arabic in it needs them
        indexes = [*self._places, *words]
        first, last = (min(indexes), max(indexes) + 1) if indexes else (0, 0)
        return view, Unseen(
            self._inside, self._longest, self._directions, "".join(self._tags), len(words), self._styled, first, last
        )

    def _run(self, start: int, end: int) -> None:
        text, row = self._source.text, 0
        for index in range(start, end):
            point = ord(text[index])
            if point in _UNSEEN or point in _DIRECTION or (point in _TAGS and not self._in_flag(index)):
                row += 1
                self._longest = max(self._longest, row)
                self._unseen(point, index)
            elif not self._is_overlaid(index):
                row = 0
                # Half of a surrogate pair is no character, and some detectors cannot even read it.
                plain = "\ufffd" if 0xD800 <= point < 0xE000 else _plain(text[index])
                if point in _STYLED and plain.isascii() and plain.isalpha():
                    self._styled += 1
                    self._places.append(index)
                self._builder.write(plain, index, index + 1)
        if row and end - start == row and start and end < len(text):
            self._inside += row * (text[start - 1].isalnum() and text[end].isalnum())

    def _is_overlaid(self, index: int) -> bool:
        """Whether a character is drawn over the one before it: a stroke, a keycap, or any mark on a digit."""
        mark = self._source.text[index]
        category = unicodedata.category(mark)
        if category not in {"Mn", "Me"}:
            return False
        before = self._source.text[max(0, index - 4) : index].rstrip(_MARKS)
        return category == "Me" or unicodedata.combining(mark) == 1 or before[-1:] in _ASCII_DIGITS

    def _unseen(self, point: int, index: int) -> None:
        if point in _TAGS:
            self._tags.append(chr(point - 0xE0000) if 0xE0020 <= point < 0xE007F else "")
        self._directions += point in _DIRECTION
        self._places.append(index)

    def _in_flag(self, index: int) -> bool:
        before = self._source.text[max(0, index - 8) : index]
        return chr(_FLAG) in before


def _plain(character: str) -> str:
    """A character in its compatibility form; a digit of any script as the ASCII one."""
    digit = unicodedata.decimal(character, None)
    return unicodedata.normalize("NFKC", character) if digit is None else str(digit)


def _latin(view: View) -> tuple[View, list[int]]:
    """The view with look-alikes in Latin words replaced, and where in the original those words begin."""
    if view.text.isascii():
        return view, []
    builder, done, words = Builder(view), 0, []
    table = lookalikes()
    for word in _WORD.finditer(view.text):
        letters = word.group()
        if letters.isascii() or not any(letter.isascii() for letter in letters):
            continue
        changed = letters.translate(table)
        # Of digits and foreign letters alone only a whole code is one: "10 м" is ten metres.
        if changed != letters and (
            changed.isascii() or any(letter.isascii() and letter.isalpha() for letter in letters)
        ):
            builder.copy(done, word.start())
            for offset, letter in enumerate(changed):
                builder.write(letter, word.start() + offset, word.start() + offset + 1)
            done = word.end()
            if any(letter.isascii() and letter.isalpha() for letter in letters):
                words.append(view.span(word.start(), word.end())[0])
    if not done:
        return view, []
    builder.copy(done, len(view.text))
    return builder.view(), words


@cache
def lookalikes() -> dict[int, str]:
    """Letters of other scripts, each with the ASCII letter that it looks like."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415 - a megabyte of data, for the few texts that need it

    table: dict[int, str] = {}
    for letter in (*range(0x41, 0x5B), *range(0x61, 0x7B)):
        for other in confusables.confusables_data.get(chr(letter), ()):
            character = other["c"]
            if len(character) == 1 and not character.isascii() and character.isalpha():
                table.setdefault(ord(character), chr(letter))
    return table
