"""Plain text."""

import pytest

from adapters.documents.limits import ReadingLimits
from adapters.documents.text import TextReader, decoded
from gateway.errors import DocumentUnreadableError


def test_paragraphs_titles_and_items():
    """
    Empty lines part paragraphs, a numbered line above text is a title, and each item of a list is a block.
    """
    text = "1. Limits\r\nAll limits hold.\r\n\r\nPlain text\nover lines.\n\n- a\n  goes on\n- b\n\n2) step two; more.\n"
    found = TextReader(ReadingLimits()).read(text.encode())
    assert [(block.kind, found.text[block.start : block.end]) for block in found.blocks] == [
        ("heading", "1. Limits"),
        ("paragraph", "All limits hold."),
        ("paragraph", "Plain text\nover lines."),
        ("item", "- a\n goes on"),
        ("item", "- b"),
        ("item", "2) step two; more."),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "windows-1252"])
def test_encodings(encoding):
    """
    Text is read in the encoding that its mark says, else as UTF-8, else as Windows-1252.
    """
    assert decoded("déjà vu".encode(encoding)) == "déjà vu"


@pytest.mark.parametrize("body", [b"a\x00b", bytes(range(32)) * 9])
def test_bytes_that_are_no_text(body):
    """
    Bytes with characters that no text has are not read.
    """
    with pytest.raises(DocumentUnreadableError):
        decoded(body)
