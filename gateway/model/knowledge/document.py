"""A document as it was read, and the chunks that it is cut into; offsets count characters of its text."""

from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "paragraph", "item", "row", "code"]
"""A title of a section; running text; an item of a list, such as a step; a row of a table; text whose line breaks matter."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A stretch of a document's text that no chunker needs to look into, unless it is too long."""

    start: int
    end: int
    kind: BlockKind
    level: int = 0
    """Of a heading, 1 for the highest; 0 for everything else."""

    page: int | None = None
    """Page, slide or sheet that it begins on, the first is 1; None where the format has none."""


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What a reader makes of a file."""

    text: str
    """All of it in reading order."""

    blocks: tuple[TextBlock, ...]
    """In order and without overlap; between them is white space alone."""

    title: str | None = None
    """As the file says it; None where it says none."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document that can be found and shown alone."""

    number: int
    """Place among the document's chunks, from 0."""

    text: str
    """What is shown: what it repeats of elsewhere, then its own part."""

    start: int
    end: int
    """Its own part of the document's text; the own parts of all chunks together are all of it but white space."""

    repeats: int
    """Characters at the beginning of *text* that are not its own part: headers, titles of clauses that it refers to, or an overlap."""

    path: tuple[str, ...]
    """Titles of the sections that it stands in, the outermost first."""

    tokens: int
    """Of *text*."""

    first_page: int | None = None
    last_page: int | None = None
