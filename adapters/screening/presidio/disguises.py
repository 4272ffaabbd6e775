"""
Identifiers that a reader puts together and a pattern does not: tags, marks and words in the place of digits.

    unmarked    tags, comments and emphasis within a value (``S1234<b></b>567D``, ``S1234**567D``)
    joined      separators that no form of identifier has (``S12/345/67D``, ``S12_345_67D``)
    misread     letters for the digits that they look like (``9O12 345O``)
    worded      digits, signs and dots as words (``nine one two three``, ``ann at example dot com``)
    lettered    a blank or a dot after every character (``+ 6 5 9 1 2 3``)
    apart       values without anything between them (``S1234567DS1234567D``)

Each reading holds what was changed with a little of the text around it, so that all of them together cost no more than
the text does; a finding in one counts where it touches a change.
"""

import re

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from adapters.screening.text.view import Builder, View

AROUND: Final = 40
"""Characters on either side of a change that an identifier, or the word that names it, may reach."""

_FEWEST: Final = 4
"""Digits of the shortest identifier that is worth putting together."""


class Edit(NamedTuple):
    """A stretch of a text, and what is read in its place."""

    start: int
    end: int
    text: str


class Reading(NamedTuple):
    """What a text says once the changes of one kind are made."""

    view: View
    places: Sequence[tuple[int, int]]
    """Where each change stands in the original, in order."""

    def touches(self, start: int, end: int) -> bool:
        """Whether a change stands in a stretch of the original, as the view's `span` gives it, or next to it."""
        index = bisect_right(self.places, (end, end + 1)) - 1
        return index >= 0 and self.places[index][1] >= start


def undisguised(view: View) -> Iterator[Reading]:
    """The readings of a text in which something was changed."""
    for name, edits in _READERS.items():
        made = list(edits(view.text))
        if made:
            yield Reading(_rewritten(view, made, name), [view.span(one.start, one.end) for one in made])


def _rewritten(view: View, edits: Sequence[Edit], name: str) -> View:
    builder, done = Builder(view), 0
    for edit in edits:
        gap = edit.start - AROUND
        if gap > done + AROUND:
            builder.copy(done, done + AROUND if done else 0)
            builder.write("\n", gap - 1, gap)
            done = gap
        builder.copy(done, edit.start)
        if edit.text:
            builder.write(edit.text, edit.start, edit.end)
        done = edit.end
    builder.copy(done, done + AROUND)
    return builder.view(name)


_INLINE: Final = "a|abbr|b|bdi|bdo|code|em|font|i|ins|kbd|mark|s|samp|small|span|strong|sub|sup|tt|u|wbr"
_MARKS: Final = re.compile(
    rf"(?<=[\w@.+-])(?:<!--[^<>]{{0,200}}-->|</?(?:{_INLINE})\b[^<>]{{0,200}}>|[*~`])++(?=[\w@.+-])",
    re.IGNORECASE,
)


def _unmarked(text: str) -> Iterator[Edit]:
    return (Edit(mark.start(), mark.end(), "") for mark in _MARKS.finditer(text))


_TOKEN: Final = re.compile(r"(?<![0-9A-Za-z+@.])[0-9A-Za-z+@.]++(?:[/_\\|~\u00b7\u2022]{1,2}[0-9A-Za-z+@.]++)+")
_SEPARATORS: Final = re.compile(r"[/_\\|~\u00b7\u2022]+")
_DATE: Final = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}")


def _joined(text: str) -> Iterator[Edit]:
    for token in _TOKEN.finditer(text):
        written = token.group()
        if not ("@" in written or _digits(written) >= _FEWEST) or _DATE.fullmatch(written):
            continue
        for mark in _SEPARATORS.finditer(text, token.start(), token.end()):
            yield Edit(mark.start(), mark.end(), "")


_CODE: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Za-z][0-9A-Za-z+ .()-]{6,}")
_MISREAD: Final = re.compile(r"(?<=\d)[OoIl|]{1,3}|(?<![A-Za-z])[OoIl]{1,3}(?=\d)|(?<=[A-Z])[OoIl]{1,2}(?=\d)")
_DIGIT_FOR: Final = str.maketrans("OoIl|", "00111")


def _misread(text: str) -> Iterator[Edit]:
    for code in _CODE.finditer(text):
        if _digits(code.group()) < _FEWEST:
            continue
        for one in _MISREAD.finditer(text, code.start(), code.end()):
            yield Edit(one.start(), one.end(), one.group().translate(_DIGIT_FOR))


_SPELLED: Final = {
    **{word: str(digit) for digit, word in enumerate("zero one two three four five six seven eight nine".split())},
    "oh": "0",
    "nought": "0",
    "plus": "+",
}
_WORDS: Final = re.compile(r"[0-9A-Za-z+]+")
_GAP: Final = re.compile(r"[ ,\t\r\n-]{0,4}")


def _worded(text: str) -> Iterator[Edit]:
    run: list[re.Match[str]] = []
    for word in _WORDS.finditer(text):
        if not _may_spell(word.group()):
            yield from _spelled(run)
            run = []
            continue
        if run and not _GAP.fullmatch(text, run[-1].end(), word.start()):
            yield from _spelled(run)
            run = []
        run.append(word)
    yield from _spelled(run)


def _may_spell(word: str) -> bool:
    return word.lower() in _SPELLED or (len(word) <= _FEWEST and (word.isdigit() or word.isupper()))


def _spelled(run: Sequence[re.Match[str]]) -> Iterator[Edit]:
    if sum(word.group().lower() in _SPELLED for word in run) < _FEWEST:
        return
    text = "".join(_SPELLED.get(word.group().lower(), word.group()) for word in run)
    yield Edit(run[0].start(), run[-1].end(), text)


_DOT: Final = re.compile(
    r"(?<=[\w])(?:\s{1,3}|\s{0,2}[\[({]\s{0,2})dot(?:\s{1,3}|\s{0,2}[\])}]\s{0,2})(?=\w)", re.IGNORECASE
)
_AT: Final = re.compile(
    r"(?<=[\w])(?:\s{1,3}|\s{0,2}[\[({]\s{0,2})at(?:\s{1,3}|\s{0,2}[\])}]\s{0,2})(?=\w)", re.IGNORECASE
)


_LABEL: Final = re.compile(r"[\w-]{0,63}")
"""A label of a host name (RFC 1035 section 2.3.4: 63 octets)."""


def _address(text: str) -> Iterator[Edit]:
    dots = [Edit(mark.start(), mark.end(), ".") for mark in _DOT.finditer(text)]
    marks = [Edit(mark.start(), mark.end(), "@") for mark in _AT.finditer(text)]
    starts = {dot.start for dot in dots}
    # "Look at example.com" is no address: where the at is a bare word, a dot in words has to follow what it stands before.
    written = [mark for mark in marks if not _bare(text, mark) or _label_end(text, mark.end) in starts]
    return iter(sorted([*dots, *written]))


def _label_end(text: str, start: int) -> int:
    label = _LABEL.match(text, start)
    return label.end() if label else start


def _bare(text: str, edit: Edit) -> bool:
    return text[edit.start : edit.end].strip().isalpha()


_APART: Final = re.compile(
    r"(?<=[0-9][A-Za-z])(?=[A-Za-z][0-9]{7}[A-Za-z])|(?<=[0-9]{6})(?=[A-Z]{2}[0-9]{2}[A-Z]{4})|(?<=[0-9]{6})(?=\+[0-9]{8})"
    r"|(?<=[0-9][A-Za-z])(?=[A-Z]{2}[0-9]{2}[A-Z]{4})|/(?=\+[0-9]{8})|(?<=[?&])(?:cc|bcc|to)=(?=[^\s@]{1,64}@)",
    re.IGNORECASE,
)
_RUN: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Za-z]{14,68}+(?![0-9A-Za-z])")


def _apart(text: str) -> Iterator[Edit]:
    places = {(gap.start(), gap.end()) for gap in _APART.finditer(text)}
    places |= {_middle_of(run) for run in _RUN.finditer(text) if _is_doubled(run.group())}
    for start, end in sorted(places):
        # A place in a view leads back to characters of the text, so the gap takes the one before it along.
        yield Edit(start - 1, end, text[start - 1] + " ")


_LETTERED: Final = (
    re.compile(r"(?<!\S)(?:[0-9A-Za-z@.+_-] ){6,}[0-9A-Za-z@.+_-](?!\S)"),
    re.compile(r"(?<![\w.])(?:[0-9A-Za-z@.+_-]\.){6,}[0-9A-Za-z@+_-](?!\w)"),
)


def _lettered(text: str) -> Iterator[Edit]:
    runs = (run for form in _LETTERED for run in form.finditer(text))
    for run in sorted(runs, key=lambda one: one.start()):
        if "@" in run.group() or _digits(run.group()) >= _FEWEST:
            yield from (Edit(place, place + 1, "") for place in range(run.start() + 1, run.end(), 2))


def _is_doubled(run: str) -> bool:
    half = len(run) // 2
    return run[:half] == run[half:] and _digits(run) > 0


def _middle_of(run: re.Match[str]) -> tuple[int, int]:
    middle = (run.start() + run.end()) // 2
    return middle, middle


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


_READERS: Final[dict[str, Callable[[str], Iterator[Edit]]]] = {
    "unmarked": _unmarked,
    "joined": _joined,
    "misread": _misread,
    "worded": _worded,
    "address": _address,
    "lettered": _lettered,
    "apart": _apart,
}
