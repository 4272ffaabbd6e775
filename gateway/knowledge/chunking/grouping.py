"""
Which blocks of a document belong together: a clause, a step, an article, a family or a section.

Rules held here: a group is a run of blocks, and all groups together are all blocks; headings that nothing stands under yet belong to
what follows; an exception belongs to the step that it is of.
"""

import re

from collections.abc import Callable, Mapping
from typing import Final

from gateway.knowledge.chunking.outline import Outline
from gateway.model.knowledge.chunking import ChunkMethod

_NUMBERED: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?\s")
_ARTICLE: Final = re.compile(
    r"(?i:article|section|regulation|rule|paragraph|part|annex|schedule|chapter|pasal|第)\s*[\dIVXLC]{1,8}\b|§\s?\d"
)
_STEP: Final = re.compile(
    r"(?i:step|stage|phase|langkah)\s*\d|\(?\d{1,3}(?:\.\d{1,3}){0,5}[.)]\s|\(?[a-z]\)\s|\d{1,3}(?:\.\d{1,3}){1,5}\s"
)
_BULLET: Final = re.compile(r"[-*•‣–o▪]\s")  # noqa: RUF001 - signs that lists are written with
_EXCEPTION: Final = re.compile(r"(?i:exceptions?|except|unless|escalation)\b")
_CLAUSE_DEPTH: Final = 2
"""Numbers such as 4 and 4.2 begin a clause; 4.2.1 and (a) belong to it."""

_LONGEST_BEGINNING: Final = 120

Begins = Callable[[Outline, int], bool]
"""Whether a group begins with a block."""


def groups(outline: Outline, method: ChunkMethod) -> list[range]:
    """The groups of a document, as places of blocks."""
    blocks = outline.document.blocks
    begins = _BEGINNINGS.get(method)
    if not blocks or begins is None:
        return [range(len(blocks))] if blocks else []
    starts = [place for place in range(len(blocks)) if place and begins(outline, place)]
    if method == "by_step":
        starts = _outside_exceptions(outline, starts)
    return _with_what_follows(outline, starts)


def number_of(line: str) -> str | None:
    """The number that a clause begins with, such as 4.2; None where it has none."""
    found = _NUMBERED.match(line)
    return found.group(1) if found else None


def _heading(outline: Outline, place: int) -> bool:
    return outline.document.blocks[place].kind == "heading"


def _clause(outline: Outline, place: int) -> bool:
    number = number_of(beginning(outline, place))
    return _heading(outline, place) or (
        number is not None and number.count(".") < _CLAUSE_DEPTH and _is_text(outline, place)
    )


def _article(outline: Outline, place: int) -> bool:
    named = _is_text(outline, place) and _ARTICLE.match(beginning(outline, place)) is not None
    return named or _clause(outline, place)


def _step(outline: Outline, place: int) -> bool:
    said, kind = beginning(outline, place), outline.document.blocks[place].kind
    if _EXCEPTION.match(said):
        return False
    if kind == "item":
        return _BULLET.match(said) is None
    return kind == "heading" or (kind == "paragraph" and _STEP.match(said) is not None)


def _family(outline: Outline, place: int) -> bool:
    blocks = outline.document.blocks
    if blocks[place].kind != "row":
        return _heading(outline, place)
    before = blocks[place - 1]
    return before.kind == "row" and _first_cell(outline, place) != _first_cell(outline, place - 1)


def _is_text(outline: Outline, place: int) -> bool:
    return outline.document.blocks[place].kind in {"paragraph", "item"}


def beginning(outline: Outline, place: int) -> str:
    """The first characters of a block, enough to tell what it begins with."""
    block = outline.document.blocks[place]
    return outline.document.text[block.start : min(block.end, block.start + _LONGEST_BEGINNING)] + "\n"


def _first_cell(outline: Outline, place: int) -> str:
    return beginning(outline, place).partition(" | ")[0]


_BEGINNINGS: Final[Mapping[ChunkMethod, Begins]] = {
    "section_aware": _heading,
    "by_section": _heading,
    "by_clause": _clause,
    "by_article": _article,
    "by_step": _step,
    "by_family": _family,
}


def _outside_exceptions(outline: Outline, starts: list[int]) -> list[int]:
    """Without those that stand under a heading of exceptions."""

    def is_exception(heading: int) -> bool:
        return _EXCEPTION.match(beginning(outline, heading)) is not None

    return [place for place in starts if not any(map(is_exception, outline.above[place]))]


def _with_what_follows(outline: Outline, starts: list[int]) -> list[range]:
    """Groups that begin at these places; one of headings alone is joined with the next."""
    found: list[range] = []
    begun = 0
    for end in (*starts, len(outline.document.blocks)):
        last = end == len(outline.document.blocks)
        if last or any(not _heading(outline, place) for place in range(begun, end)):
            found.append(range(begun, end))
            begun = end
    return found
