"""
PDF files.

Rules held here: pages come in order, and what a page's program writes is its text, seen or not: scanned pages carry the text that was
recognised in them as invisible text; pictures are not read, nor are attachments, forms' scripts and annotations.  Headings are those
of the outline, and numbered titles where it names none.
"""

import io
import re

from collections.abc import Iterable
from typing import Any, Final

import pypdf

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft, clean
from adapters.documents.parts.titles import is_item, title_level
from gateway.errors import DocumentUnreadableError
from gateway.model.knowledge.document import ReadDocument

_SENTENCE_ENDS: Final = (".", "!", "?", ":", ";", "。", "！", "？", "；")  # noqa: RUF001 - punctuation of Chinese text
_FULL: Final = 0.8
"""Share of the longest line of a page from which a line goes on in the next one, even where it ends with a stop."""

_MOST_HEADINGS: Final = 20_000
_DEEPEST: Final = 9
_WORDS: Final = re.compile(r"\w+")


class PdfReader:
    """A `gateway.ports.knowledge.Reader` of PDF."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"application/pdf"})

    def read(self, body: bytes) -> ReadDocument:
        file = pypdf.PdfReader(io.BytesIO(body), strict=False)
        if file.is_encrypted:
            raise DocumentUnreadableError("the file is encrypted")
        draft = DocumentDraft(self._limits)
        draft.page(len(file.pages))
        titles = _titles(file)
        for number, page in enumerate(file.pages, 1):
            _add_page(draft, clean(page.extract_text()), number, titles)
        title = file.metadata.title if file.metadata else None
        return draft.done(str(title) if title else None)


def _titles(file: pypdf.PdfReader) -> dict[tuple[int, str], int]:
    """Levels of the outline's titles, by page and words."""
    found: dict[tuple[int, str], int] = {}
    for level, entry in _flat(file.outline):
        page = file.get_destination_page_number(entry)
        if page is not None and len(found) < _MOST_HEADINGS:
            found.setdefault((page + 1, _key(str(entry.title))), level)
    return found


def _flat(outline: Iterable[Any]) -> Iterable[tuple[int, Any]]:
    """Entries of an outline with their levels, in order."""
    pending = [iter(outline)]
    while pending:
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
        elif isinstance(entry, list):
            pending.append(iter(entry))
        else:
            yield min(len(pending), _DEEPEST), entry


def _key(line: str) -> str:
    return " ".join(_WORDS.findall(line.casefold()))


def _add_page(draft: DocumentDraft, text: str, number: int, titles: dict[tuple[int, str], int]) -> None:
    lines = [line.strip() for line in text.split("\n")]
    longest = max(map(len, lines), default=0)
    begun: list[str] = []
    for line in [*lines, ""]:
        level = _heading_level(line, number, titles)
        if begun and (not line or level is not None or is_item(line) or _ends(begun[-1], longest)):
            said = " ".join(begun)
            draft.add("item" if is_item(said) else "paragraph", said, page=number)
            begun = []
        if level is not None:
            draft.add("heading", line, level=level, page=number)
        elif line:
            begun.append(line)


def _heading_level(line: str, number: int, titles: dict[tuple[int, str], int]) -> int | None:
    if not line:
        return None
    if titles:
        # Numbers of titles stand in the outline or do not, as who made it liked.
        key = _key(line)
        return titles.get((number, key), titles.get((number, key.lstrip("0123456789 "))))
    return title_level(line)


def _ends(line: str, longest: int) -> bool:
    """Whether a paragraph ends with a line."""
    return line.endswith(_SENTENCE_ENDS) and len(line) < longest * _FULL
