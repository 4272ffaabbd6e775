"""
A file read within this process: told what it is, and given to its reader.

Rule held here: whatever goes wrong in a library is an error of ours, without a word of the library's, which may quote the file.
"""

from functools import cache
from importlib import import_module
from typing import Final

from adapters.documents.detecting import BY_SUFFIX, EMAIL, HTML, MARKDOWN, PDF, PLAIN, media_type
from adapters.documents.limits import ReadingLimits
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError, GatewayError
from gateway.model.knowledge.document import ReadDocument
from gateway.ports.knowledge import Reader

READERS: Final = {
    PDF: ("pdf", "PdfReader"),
    BY_SUFFIX[".docx"]: ("docx", "DocxReader"),
    BY_SUFFIX[".xlsx"]: ("xlsx", "XlsxReader"),
    BY_SUFFIX[".pptx"]: ("pptx", "PptxReader"),
    HTML: ("html", "HtmlReader"),
    MARKDOWN: ("markdown", "MarkdownReader"),
    PLAIN: ("text", "TextReader"),
    EMAIL: ("email", "EmailReader"),
}
"""Module and class of the reader of each media type; loaded when they are needed."""


@cache
def reader(kind: str, limits: ReadingLimits) -> Reader:
    """The reader of a media type."""
    module, name = READERS[kind]
    made: Reader = getattr(import_module(f"adapters.documents.{module}"), name)(limits)
    return made


def read_here(
    body: bytes, limits: ReadingLimits, claimed: str | None = None, name: str | None = None
) -> tuple[str, ReadDocument]:
    """
    Media type and text of a file.

    Args:
        body: of the file.
        limits: that its reader keeps by itself; time and memory are kept by who runs it.
        claimed: the media type that is said.
        name: of the file.

    Raises:
        DocumentTooLargeError: it is too large, or what is in it.

        DocumentUnreadableError: it is not what it says, encrypted, broken, or holds no text.
    """
    if len(body) > limits.file_bytes:
        raise DocumentTooLargeError("the file is larger than a document may be")
    kind = media_type(body, claimed, name)
    try:
        return kind, reader(kind, limits).read(body)
    except (GatewayError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - libraries raise what they like on broken files
        raise DocumentUnreadableError(f"the file is broken, or is no {kind}") from None
