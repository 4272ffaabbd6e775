"""
Packed files (Office Open XML) looked at before a library unpacks them.

Rules held here: what a file unpacks to is known before it is unpacked; it has no part twice, no encrypted part and no document type
definition, so that no entity is there to be resolved.

Source: ECMA-376 part 2 (no DTD in any part, 6.5.2 of its 5th edition; no two parts of equivalent names).
"""

import io
import re
import zipfile
import zlib

from typing import Final

from adapters.documents.limits import ReadingLimits
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError

_ENCRYPTED: Final = 0x1
_UNPARSED: Final = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".emf", ".wmf", ".svg", ".bin")
"""How parts end that no reader parses: pictures, and settings of printers, which are XML with a document type on some systems."""

_START: Final = 8_192
"""Bytes of a part that a document type definition would stand in; the root element ends where one may begin."""

_DTD: Final = re.compile(
    rb"<\x00?!\x00?D\x00?O\x00?C\x00?T\x00?Y\x00?P\x00?E|<\x00?!\x00?E\x00?N\x00?T\x00?I\x00?T\x00?Y"
)
_RATIO: Final = 400
"""Bytes that one byte unpacks to: XML of office documents has up to about 100, deflate can do 1,032."""

_FREE: Final = 10_000_000
"""Bytes of a part that may be packed as well as they like: sheets of equal rows are."""

MAIN_PARTS: Final = {
    "word/document.xml": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xl/workbook.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ppt/presentation.xml": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
"""Media types by the part that makes a package one."""


def package_type(body: bytes) -> str | None:
    """
    Media type of a package by its parts; None where it is none that is read.

    Raises:
        DocumentUnreadableError: it is no package.
    """
    names = set(_opened(body).namelist())
    found = [kind for name, kind in MAIN_PARTS.items() if name in names]
    return found[0] if len(found) == 1 and "[Content_Types].xml" in names else None


def check_package(body: bytes, limits: ReadingLimits) -> None:
    """
    Look at all parts of a package.

    Raises:
        DocumentTooLargeError: it unpacks to more than a file may.

        DocumentUnreadableError: it is broken, encrypted, or has what a package must not have.
    """
    package = _opened(body)
    parts = package.infolist()
    names = [part.filename.casefold() for part in parts]
    if len(parts) > limits.parts or sum(part.file_size for part in parts) > limits.unpacked_bytes:
        raise DocumentTooLargeError("the file unpacks to more than a file may")
    if len(set(names)) < len(names) or any(part.flag_bits & _ENCRYPTED for part in parts):
        raise DocumentUnreadableError("the file has a part twice, or an encrypted one")
    for part in parts:
        if part.file_size > max(_FREE, part.compress_size * _RATIO):
            raise DocumentTooLargeError("a part of the file unpacks to more than text does")
        if not part.filename.casefold().endswith(_UNPARSED) and _has_dtd(package, part):
            raise DocumentUnreadableError("a part of the file defines a document type")


def _has_dtd(package: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    try:
        with package.open(part) as stream:
            begins = stream.read(_START)
            # White space or comments before it would only put it off: then the whole part is looked through.
            return _DTD.search(begins if _root_begun(begins) else begins + stream.read()) is not None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError):
        raise DocumentUnreadableError("a part of the file cannot be unpacked") from None


_ROOT: Final = re.compile(rb"<\x00?[A-Za-z]")


def _root_begun(begins: bytes) -> bool:
    # A comment may hold what looks like a root, so that where there is one before it, all is looked through.
    root = _ROOT.search(begins)
    return root is not None and b"!" not in begins[: root.start()]


def _opened(body: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(body))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError):
        raise DocumentUnreadableError("the file is no whole package") from None
