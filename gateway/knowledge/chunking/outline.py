"""Which headings each part of a document stands under."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.model.knowledge.document import ReadDocument, TextBlock

_LEVELS: Final = 9
"""Levels of headings that are told apart, as many as word processors have; what is below stands at the last."""

_LONGEST_TITLE: Final = 200
"""Characters that are kept of a title or of the line that a step or a clause begins with."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings above each block."""

    document: ReadDocument
    above: tuple[tuple[int, ...], ...]
    """For each block the places of the headings that it stands under, the outermost first; a heading stands under itself."""

    def line(self, place: int) -> str:
        """What a block begins with, in one line: of a heading its title."""
        block = self.document.blocks[place]
        said = self.document.text[block.start : min(block.end, block.start + 2 * _LONGEST_TITLE)]
        first = said if block.kind == "heading" else said.partition("\n")[0]
        return " ".join(first.split())[:_LONGEST_TITLE]

    def path(self, place: int) -> tuple[str, ...]:
        """Titles of the sections that a block stands in."""
        return tuple(self.line(heading) for heading in self.above[place])


def outline_of(document: ReadDocument) -> Outline:
    """The headings above each block of a document."""
    return Outline(document, tuple(_above(document.blocks)))


def _above(blocks: Sequence[TextBlock]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    now: tuple[int, ...] = ()
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            level = min(block.level, _LEVELS)
            now = (*(one for one in now if min(blocks[one].level, _LEVELS) < level), place)
        found.append(now)
    return found
