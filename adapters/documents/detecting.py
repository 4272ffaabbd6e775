"""
What a file is, by its bytes.

Rule held here: what a caller or a name says of a file decides between kinds of text alone, which bytes cannot tell apart; where it
says something else than the bytes do, the file is not read.
"""

import re

from pathlib import PurePosixPath
from typing import Final

from adapters.documents.parts.packages import MAIN_PARTS, package_type
from adapters.documents.text import decoded
from gateway.errors import DocumentUnreadableError

PDF: Final = "application/pdf"
HTML: Final = "text/html"
EMAIL: Final = "message/rfc822"
MARKDOWN: Final = "text/markdown"
PLAIN: Final = "text/plain"

BY_SUFFIX: Final = {
    **dict(zip((".docx", ".xlsx", ".pptx"), MAIN_PARTS.values(), strict=True)),
    ".pdf": PDF,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".eml": EMAIL,
}
"""Media types by how names end, in lower case."""

_SAME: Final = {"application/xhtml+xml": HTML, "text/x-markdown": MARKDOWN}
_UNSAID: Final = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/zip"})
_HEAD: Final = 4_096
_PAGE: Final = re.compile(r"(?i)<(?:!doctype\s+html|html|head|body)\b")
_TAG: Final = re.compile(r"<[A-Za-z!?]")
_HEADERS: Final = re.compile(
    r"(?i)(?:from|to|subject|date|received|return-path|message-id|mime-version|delivered-to|content-type)\s?:"
)
_ARCHIVES: Final = (b"PK\x03\x04", b"PK\x05\x06")
_COMPOUND: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS: Final = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"{\\rtf",
    b"\x1f\x8b",
    b"7z\xbc\xaf",
    b"Rar!",
    b"MZ",
    b"\x7fELF",
    b"%!PS",
)
"""How pictures, archives, programs and other formats begin that hold no text, or none that is read."""


def media_type(body: bytes, claimed: str | None = None, name: str | None = None) -> str:
    """
    Media type of a file.

    Args:
        body: of the file.
        claimed: the media type that is said, with or without parameters; None where none is.
        name: of the file; None where it has none.

    Raises:
        DocumentUnreadableError: it is of no type that is read, or of another one than is said.
    """
    said = [one for one in (_claim(claimed), BY_SUFFIX.get(PurePosixPath(name or "").suffix.lower())) if one]
    found = _binary(body) or _text(body, said[0] if said else None)
    if any(one != found for one in said):
        raise DocumentUnreadableError(f"the file is {found}, and is said to be something else")
    return found


def _claim(claimed: str | None) -> str | None:
    said = (claimed or "").partition(";")[0].strip().lower()
    return None if said in _UNSAID else _SAME.get(said, said)


def _binary(body: bytes) -> str | None:
    if body.startswith(b"%PDF-"):
        return PDF
    if body.startswith(_ARCHIVES):
        found = package_type(body)
        if found is None:
            raise DocumentUnreadableError("the file is an archive, and no document")
        return found
    if body.startswith(_COMPOUND):
        raise DocumentUnreadableError("the file is encrypted, or of a format that is no longer in use")
    if body.startswith(_OTHERS):
        raise DocumentUnreadableError("the file is of a format that is not read")
    return None


def _text(body: bytes, said: str | None) -> str:
    """Which kind of text it is."""
    head = decoded(body)[:_HEAD].lstrip("\ufeff \t\r\n")
    if _is_page(head) or (said == HTML and _TAG.match(head)):
        return HTML
    if _is_message(head):
        return EMAIL
    return MARKDOWN if said == MARKDOWN else PLAIN


def _is_page(head: str) -> bool:
    # Comments may stand before a page's first element, and a declaration of XML.
    while head.startswith(("<!--", "<?xml")):
        _, _, head = head.partition("-->" if head.startswith("<!--") else "?>")
        head = head.lstrip()
    return _PAGE.match(head) is not None


def _is_header(line: str) -> bool:
    name, colon, _ = line.partition(":")
    return line[:1] in {" ", "\t"} or (bool(colon) and name.strip().isascii() and " " not in name.strip())


def _is_message(head: str) -> bool:
    """Whether a text begins with headers of a message, at least two that messages have."""
    lines = head.replace("\r\n", "\n").partition("\n\n")[0].split("\n")
    if not lines or not all(map(_is_header, lines[:20])):
        return False
    return sum(_HEADERS.match(line) is not None for line in lines) >= len(("from", "date"))
