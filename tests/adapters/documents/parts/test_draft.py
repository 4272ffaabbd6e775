"""A document being read."""

import pytest

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft, clean
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError


def test_text_that_can_be_written():
    """
    Lone surrogates and control characters are replaced, and every line break is a line feed.
    """
    assert clean("a\r\nb\rc\u2028d\x00e\ud800") == "a\nb\nc\nd e\ufffd"


def test_a_long_heading_is_text():
    """
    What says that it is a heading and is as long as a page is a paragraph.
    """
    draft = DocumentDraft(ReadingLimits())
    draft.add("heading", "x" * 301, level=1)
    draft.add("heading", "Short\nheading", level=0)
    found = draft.done()
    assert [(block.kind, block.level) for block in found.blocks] == [("paragraph", 0), ("heading", 1)]
    assert found.text.endswith("Short heading")


def test_limits():
    """
    Cells and pages are counted as well as text.
    """
    draft = DocumentDraft(ReadingLimits(cells=3, pages=2))
    draft.count_cells(3)
    draft.page(2)
    with pytest.raises(DocumentTooLargeError):
        draft.count_cells(1)
    with pytest.raises(DocumentTooLargeError):
        draft.page(3)


def test_nothing():
    """
    A document without a block is none.
    """
    draft = DocumentDraft(ReadingLimits())
    draft.add("paragraph", " \n ")
    with pytest.raises(DocumentUnreadableError):
        draft.done("title")
