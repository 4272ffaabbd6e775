"""What is read of PDF."""

import io

import pypdf
import pytest
import typst

from adapters.documents.limits import ReadingLimits
from adapters.documents.pdf import PdfReader
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError

SOURCE = (
    '#set page(width: 12cm, height: 8cm)\n#set document(title: "Terms")\n#set heading(numbering: "1.1")\n= Limits\n#lorem(60)\n\n'
    "== Breach\nShort.\n#pagebreak()\n= Fees\n- first\n- second\n"
)


def read(body: bytes, **limits):
    found = PdfReader(ReadingLimits(**limits)).read(body)
    return found, [(block.kind, block.level, block.page, found.text[block.start : block.end]) for block in found.blocks]


def test_headings_of_the_outline():
    """
    Titles of the outline are headings with their levels and pages, numbered or not; the file's title is the document's.
    """
    found, blocks = read(typst.compile(SOURCE.encode()))
    assert found.title == "Terms"
    assert [block for block in blocks if block[0] == "heading"] == [
        ("heading", 1, 1, "1 Limits"),
        ("heading", 2, 1, "1.1 Breach"),
        ("heading", 1, 2, "2 Fees"),
    ]
    assert [(kind, page) for kind, _, page, _ in blocks][-2:] == [("item", 2), ("item", 2)]


def test_lines_are_one_paragraph():
    """
    Lines that the page broke are one paragraph again.
    """
    _, blocks = read(
        typst.compile(b"#set page(width: 9cm)\nOne two three four five six seven eight nine ten eleven twelve.\n")
    )
    assert [text for *_, text in blocks] == ["One two three four five six seven eight nine ten eleven twelve."]


def test_numbered_titles_without_an_outline():
    """
    Where there is no outline, numbered titles are headings.
    """
    _, blocks = read(typst.compile(b"2.1 Limits of desks\n\nText of it, which says more.\n"))
    assert blocks[0] == ("heading", 2, 1, "2.1 Limits of desks")


def test_an_encrypted_file():
    """
    A file that is encrypted is not read, with an empty password either.
    """
    for password in ("secret", ""):
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(typst.compile(b"x")))
        writer.encrypt(password, "owner", algorithm="RC4-128")
        stream = io.BytesIO()
        writer.write(stream)
        with pytest.raises(DocumentUnreadableError):
            read(stream.getvalue())


def test_too_many_pages():
    """
    A file with more pages than one may have is too large before one is read.
    """
    with pytest.raises(DocumentTooLargeError):
        read(typst.compile(SOURCE.encode()), pages=1)
