"""
What a page holds and does not show: comments, hidden elements, titles and attributes.

Rules held here: a text may open a thousand of anything and close none, so nothing is looked for from each opening anew: ends are
found once, from one end of the text to the other.
"""

import re

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from adapters.screening.text.view import View

_Span = tuple[int, int]

_MARKED: Final = re.compile(r"<\w|\]\(|^\[", re.MULTILINE)
"""Without these a text has no markup."""

_NOTE: Final = re.compile(r"^\[(?://|comment)\]:\s{0,3}#\s{0,3}[(\"'](.{6,2000}?)[)\"']\s*$", re.MULTILINE)
_ELEMENT: Final = re.compile(r"<(\w{1,12})\b([^<>]*+)>")
_END: Final = re.compile(r"</(\w{1,12})\s*>")
_UNSEEN: Final = re.compile(
    r"\bhidden\b|aria-hidden|display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d]*[1-9])|"
    r"font-size\s*:\s*[01](?:px|pt|em|%)?\b|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?<!-)color\s*:\s*(?:white|transparent|#fff(?:fff)?\b|"
    r"rgba?\(\s*255\s*,\s*255\s*,\s*255|rgba\([^)]{0,20},\s*0\s*\))",
    re.IGNORECASE,
)
"""Attributes of an element that nobody sees."""

_TITLE: Final = re.compile(r"\]\([^()\s]{1,500}\s+[\"'(]")
_TITLE_END: Final = re.compile(r"[\"')]\s*\)")
_ATTRIBUTE: Final = re.compile(
    r"\b(?:title|alt|aria-label|data-[\w-]{1,30}|content|placeholder)\s*=\s*\"([^\"]{6,2000})\"", re.DOTALL
)


def hidden(view: View) -> Iterator[View]:
    """Every reading of what a page does not show."""
    yield from _comments(view)
    if _MARKED.search(view.text):
        for find, name in _FINDERS:
            for start, end in find(view.text):
                yield view.cut(start, end, name)


def _comments(view: View) -> Iterator[View]:
    index = view.text.find("<!--")
    while index >= 0:
        end = view.text.find("-->", index + 4)
        if end < 0:
            return
        yield view.cut(index + 4, end, "comment")
        index = view.text.find("<!--", end)


def _notes(text: str) -> Iterator[_Span]:
    """Comments of Markdown."""
    yield from (match.span(1) for match in _NOTE.finditer(text))


def _styled(text: str) -> Iterator[_Span]:
    """What elements hold that are styled to be unseen."""
    ends: dict[str, list[_Span]] = defaultdict(list)
    for end in _END.finditer(text):
        ends[end.group(1).casefold()].append(end.span())
    done = 0
    for element in _ELEMENT.finditer(text):
        start = element.end()
        closing = ends[element.group(1).casefold()]
        place = bisect_left(closing, (start + 6, 0))
        if element.start() < done or place == len(closing) or not _UNSEEN.search(element.group(2)):
            continue
        if closing[place][0] - start <= 20_000:
            yield start, closing[place][0]
            done = closing[place][1]


def _titles(text: str) -> Iterator[_Span]:
    """Titles of links in Markdown."""
    done, end = 0, None
    for opening in _TITLE.finditer(text):
        start = opening.end()
        if opening.start() < done:
            continue
        if end is None or end.start() < start + 6:
            end = _TITLE_END.search(text, start + 6)
        if end is None:
            return
        if end.start() - start <= 1000:
            yield start, end.start()
            done = end.end()


def _attributes(text: str) -> Iterator[_Span]:
    """Attributes of HTML, and what Markdown says of an image."""
    yield from (match.span(1) for match in _ATTRIBUTE.finditer(text))
    index, end = text.find("!["), -1
    while index >= 0:
        if end < index:
            end = text.find("]", index)
        if end < 0:
            return
        if text.startswith("](", end) and 12 <= end - index - 2 <= 1000:
            yield index + 2, end
        index = text.find("![", index + 2)


_FINDERS: Final[tuple[tuple[Callable[[str], Iterator[_Span]], str], ...]] = (
    (_notes, "comment"),
    (_styled, "hidden"),
    (_titles, "title"),
    (_attributes, "attribute"),
)
