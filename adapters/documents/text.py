"""Plain text."""

import codecs
import re

from typing import Final

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft, clean
from adapters.documents.parts.titles import is_item, title_level
from gateway.errors import DocumentUnreadableError
from gateway.model.knowledge.document import ReadDocument

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ENCODINGS: Final = frozenset(
    "utf-8 utf8 us-ascii ascii iso-8859-1 latin1 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-9 iso-8859-15 windows-1250 windows-1251"
    " windows-1252 windows-1253 windows-1254 windows-1256 windows-1257 windows-1258 windows-874 tis-620 koi8-r gbk gb2312 gb18030 big5"
    " shift_jis euc-jp euc-kr utf-16 utf-16le utf-16be".split()
)
"""Encodings that a file may say it is in; Python knows others that are no encodings of text."""

_MOST_CONTROLS: Final = 0.01
"""Share of control characters from which bytes are no text."""

_PARAGRAPHS: Final = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decoded(body: bytes, said: str | None = None) -> str:
    """
    The text of bytes: by their mark, then by what is said of them, then as UTF-8 and else as Windows-1252.

    Raises:
        DocumentUnreadableError: they are no text.
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _text(body[len(mark) :], encoding, "replace")
    if said is not None and said.strip().lower() in _ENCODINGS:
        return _text(body, said.strip().lower(), "replace")
    try:
        return _text(body, "utf-8", "strict")
    except UnicodeDecodeError:
        return _text(body, "windows-1252", "replace")


def _text(body: bytes, encoding: str, errors: str) -> str:
    text = body.decode(encoding, errors)
    if "\x00" in text or len(_CONTROLS.findall(text)) > _MOST_CONTROLS * len(text):
        raise DocumentUnreadableError("the file is no text")
    return text


class TextReader:
    """A `gateway.ports.knowledge.Reader` of plain text: paragraphs are parted by empty lines, titles by their numbers."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"text/plain"})

    def read(self, body: bytes) -> ReadDocument:
        draft = DocumentDraft(self._limits)
        add_plain(draft, decoded(body))
        return draft.done()


def add_plain(draft: DocumentDraft, text: str) -> None:
    """Add plain text to a document."""
    for paragraph in _PARAGRAPHS.split(clean(text)):
        lines = paragraph.strip().split("\n")
        level = title_level(lines[0])
        if level is not None:
            draft.add("heading", lines.pop(0), level=level)
        _add_lines(draft, lines)


def _add_lines(draft: DocumentDraft, lines: list[str]) -> None:
    """Lines of a paragraph: items of a list one by one, with the lines that go on below them."""
    begun: list[str] = []
    for line in lines:
        if begun and is_item(line.lstrip()):
            _add(draft, begun)
            begun = []
        begun.append(line)
    _add(draft, begun)


def _add(draft: DocumentDraft, lines: list[str]) -> None:
    said = "\n".join(lines).strip()
    draft.add("item" if is_item(said) else "paragraph", said)
