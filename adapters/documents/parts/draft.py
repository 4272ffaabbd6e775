"""
A document being read: text and blocks as they come.

Rules held here: blocks are in order, without overlap, and only white space is between them; line breaks are line feeds, and no
character is kept that nothing can be written with; what grows beyond the limits ends the reading.
"""

import re

from collections.abc import Sequence
from typing import Final

from adapters.documents.limits import ReadingLimits
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError
from gateway.model.knowledge.document import BlockKind, ReadDocument, TextBlock

_LINE_ENDS: Final = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_LONE: Final = re.compile(r"[\ud800-\udfff]")
_RUNS: Final = re.compile(r"[^\S\n]+")
_BLANK_LINES: Final = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")

_LONGEST_HEADING: Final = 300
"""Characters; what is longer and says it is a heading is read as a paragraph."""

_LONGEST_HEADER: Final = 80
"""Characters of a column's header that is said again in each row."""

_CLOSE: Final = frozenset({("item", "item"), ("row", "row")})
"""Kinds of neighbours that a single line break is between."""


def clean(text: str) -> str:
    """The text with line feeds for line breaks, and without characters that are no text."""
    text = _CONTROLS.sub(" ", _LINE_ENDS.sub("\n", text))
    return _LONE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """The text with single spaces for white space."""
    return " ".join(clean(text).split())


class DocumentDraft:
    """Text and blocks so far."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: that it must not outgrow.
        """
        self._limits = limits
        self._parts: list[str] = []
        self._blocks: list[TextBlock] = []
        self._length = 0
        self._cells = 0

    def add(self, kind: BlockKind, text: str, *, level: int = 0, page: int | None = None) -> None:
        """
        Add a block; nothing where it has no text.

        Args:
            kind: what it is.
            text: of it; of everything but code, white space in lines is made single spaces.
            level: of a heading, from 1.
            page: that it begins on.

        Raises:
            DocumentTooLargeError: the document has outgrown a limit.
        """
        said = clean(text).strip()
        if kind != "code":
            said = _BLANK_LINES.sub("\n", _RUNS.sub(" ", said))
        if kind == "heading":
            said = " ".join(said.split())
            kind = "heading" if len(said) <= _LONGEST_HEADING else "paragraph"
        if said:
            self._put(TextBlock(0, len(said), kind, max(1, level) if kind == "heading" else 0, page), said)

    def _put(self, block: TextBlock, said: str) -> None:
        before = self._blocks[-1].kind if self._blocks else None
        gap = "" if before is None else "\n" if (before, block.kind) in _CLOSE else "\n\n"
        start = self._length + len(gap)
        self._length = start + len(said)
        self._parts += (gap, said)
        self._blocks.append(TextBlock(start, self._length, block.kind, block.level, block.page))
        if self._length > self._limits.characters or len(self._blocks) > self._limits.blocks:
            raise DocumentTooLargeError("the document has more text than a document may have")

    def table(self, rows: Sequence[Sequence[str]], *, headed: bool, page: int | None = None) -> None:
        """
        Add a table, a block for each row that says something.

        Args:
            rows: of it, as texts of cells.
            headed: whether the first row holds the columns' headers, which are said again in each row.
            page: that it stands on.
        """
        # Rows that say nothing are left out first, so that the headers are the first row that says something.
        cells = [[one_line(cell) for cell in row] for row in rows]
        cells = [row for row in cells if any(row)]
        if not cells:
            return
        headers = cells[0] if headed and len(cells) > 1 and all(len(one) <= _LONGEST_HEADER for one in cells[0]) else []
        for number, row in enumerate(cells):
            self.row(row, headers if number else (), page=page)

    def row(self, cells: Sequence[str], headers: Sequence[str] = (), *, page: int | None = None) -> None:
        """Add a row; with headers each cell that says something stands behind its own, else all stand in order."""
        if headers:
            named = [*headers, *("" for _ in cells[len(headers) :])]
            said = [f"{name}: {cell}" if name else cell for name, cell in zip(named, cells, strict=False) if cell]
        else:
            said = list(cells)
            while said and not said[-1]:
                said.pop()
        self.add("row", " | ".join(said), page=page)

    def count_cells(self, more: int) -> None:
        """
        Note that cells were looked at.

        Raises:
            DocumentTooLargeError: they are more than a document may have.
        """
        self._cells += more
        if self._cells > self._limits.cells:
            raise DocumentTooLargeError("the document has more cells than a document may have")

    def page(self, number: int) -> None:
        """
        Note that a page, slide or sheet begins, the first is 1.

        Raises:
            DocumentTooLargeError: there are more than a document may have.
        """
        if number > self._limits.pages:
            raise DocumentTooLargeError("the document has more pages than a document may have")

    def done(self, title: str | None = None) -> ReadDocument:
        """
        The document.

        Args:
            title: as the file says it.

        Raises:
            DocumentUnreadableError: it has no text.
        """
        if not self._blocks:
            raise DocumentUnreadableError("the file holds no text that can be read")
        return ReadDocument("".join(self._parts), tuple(self._blocks), one_line(title or "")[:_LONGEST_HEADING] or None)
