"""
What a chunk repeats of before: headers of what it stands under, or the end of the text before it.

Rules held here: what is repeated never takes more than its share of a chunk; where it would, what is farthest away is left out first.
"""

import re

from typing import Final

from gateway.knowledge.chunking.grouping import beginning, number_of
from gateway.knowledge.chunking.outline import Outline
from gateway.knowledge.chunking.spans import WIDEST_GAP, TokenCount, words
from gateway.model.knowledge.chunking import ChunkMethod

_SHARE: Final = 4
"""Headers take at most one part in so many."""

_REFERENCE: Final = re.compile(
    r"(?i:\b(?:clauses?|sections?|articles?|paragraphs?|schedules?))\s{1,3}(\d{1,3}(?:\.\d{1,3}){0,5})"
)
_MOST_REFERENCES: Final = 5
_MOST_READ: Final = 50_000
"""Characters of a clause that are looked through for references."""

_LONGEST_WORD: Final = 24
_LED: Final = frozenset({"by_clause", "by_article", "by_step"})
"""Methods whose groups begin with a line that says what they are, heading or not."""


class Headers:
    """The headers of a document's chunks."""

    def __init__(self, outline: Outline, method: ChunkMethod, tokens: int, count: TokenCount) -> None:
        """
        Args:
            outline: of the document.
            method: that it is cut by.
            tokens: of a chunk at most.
            count: counts them.
        """
        self._outline = outline
        self._method = method
        self._count = count
        self.most = tokens // _SHARE if method.startswith("by_") else 0
        """Tokens of a header at most."""

        self._titles = self._numbered() if method == "by_clause" else {}
        self._rows = self._first_rows() if self.most else {}

    def of(self, group: range, place: int) -> str:
        """What a chunk of a group repeats that begins with the block at *place*; empty for nothing."""
        if not self.most:
            return ""
        lines = [self._outline.line(one) for one in self._above(group, place)]
        told = self._references(group, place)
        lines += [told] if told else []
        return self._bounded(lines)

    def _above(self, group: range, place: int) -> list[int]:
        """Blocks whose first line is repeated, the outermost first."""
        found = [one for one in self._outline.above[place] if one != place]
        lead = group.start
        if self._method in _LED and place > lead and lead not in found:
            found.append(lead)
        first = self._rows.get(place)
        return found if first is None or first in found else [*found, first]

    def _bounded(self, lines: list[str]) -> str:
        while lines:
            header = "\n".join(lines) + "\n\n"
            if self._count(header) <= self.most:
                return header
            del lines[0]
        return ""

    def _first_rows(self) -> dict[int, int]:
        """For each row of a table but the first, the place of the first."""
        blocks, found, first = self._outline.document.blocks, dict[int, int](), 0
        for place, block in enumerate(blocks):
            if block.kind == "row" and place and blocks[place - 1].kind == "row":
                found[place] = first
            else:
                first = place
        return found

    def _numbered(self) -> dict[str, str]:
        """First lines of clauses by their numbers; the first of each number."""
        found: dict[str, str] = {}
        for place in range(len(self._outline.document.blocks)):
            number = number_of(beginning(self._outline, place))
            if number is not None:
                found.setdefault(number, self._outline.line(place))
        return found

    def _references(self, group: range, place: int) -> str:
        if not self._titles or place != group.start:
            return ""
        document = self._outline.document
        start, end = document.blocks[group.start].start, document.blocks[group.stop - 1].end
        said = document.text[start : min(end, start + _MOST_READ)]
        own = {number_of(beginning(self._outline, one)) for one in group}
        named = dict.fromkeys(found.group(1) for found in _REFERENCE.finditer(said))
        titles = [self._titles[one] for one in named if one in self._titles and one not in own]
        return f"(refers to: {'; '.join(titles[:_MOST_REFERENCES])})" if titles else ""


def overlap_before(text: str, start: int, lowest: int, most: int, count: TokenCount) -> str:
    """
    The words before a place, as many as have at most so many tokens.

    Args:
        text: of the document.
        start: the place.
        lowest: nothing before it is repeated.
        most: tokens.
        count: counts them.
    """
    if not most or start <= lowest:
        return ""
    spans = list(words(text, max(lowest, start - most * _LONGEST_WORD), start, most, count))
    spent, after, taken = 0, start, list[int]()
    for place in range(len(spans) - 1, -1, -1):
        begin, end = spans[place]
        # A word is counted with the white space before it, as it mostly is one token with it.
        spent += count(text[spans[place - 1][1] if place else begin : end])
        if spent > most or after - end > WIDEST_GAP:
            break
        taken.append(begin)
        after = begin
    while taken and count(text[taken[-1] : start]) > most:
        taken.pop()
    return text[taken[-1] : start] if taken else ""
