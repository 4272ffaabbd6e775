"""What a file is, by its bytes."""

import pytest

from adapters.documents.detecting import BY_SUFFIX, media_type
from gateway.errors import DocumentUnreadableError
from tests.support.documents import KINDS, made, story

FILES = {kind: made(story(1, 1), kind) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_by_content_and_by_name(kind):
    """
    Every format is told by its bytes, with or without a name; Markdown looks like text and needs one.
    """
    own = BY_SUFFIX[f".{kind}"]
    assert media_type(FILES[kind], None, f"x.{kind.upper()}") == own
    assert media_type(FILES[kind], f"{own}; charset=utf-8") == own
    assert media_type(FILES[kind], "application/octet-stream", "x") == ("text/plain" if kind == "md" else own)


@pytest.mark.parametrize("said", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_mislabelled(kind, said):
    """
    Nothing is read that is said to be something else; but text may be called Markdown, and Markdown text.
    """
    if kind == said or {kind, said} == {"md", "txt"}:
        return
    for claimed, name in ((BY_SUFFIX[f".{said}"], None), (None, f"x.{said}")):
        with pytest.raises(DocumentUnreadableError):
            media_type(FILES[kind], claimed, name)


def test_type_and_name_that_disagree():
    """
    A type and a name that say two things are not both right.
    """
    with pytest.raises(DocumentUnreadableError):
        media_type(b"text", "text/plain", "x.md")


@pytest.mark.parametrize(
    "body", [b"\x89PNG\r\n", b"{\\rtf1 x}", b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x7fELF"]
)
def test_formats_that_are_not_read(body):
    """
    Pictures, archives, programs and old formats are refused by their first bytes.
    """
    with pytest.raises(DocumentUnreadableError):
        media_type(body)


@pytest.mark.parametrize(
    "head", ["<!-- x --><!DOCTYPE html>", "\ufeff<html>", "<?xml version='1.0'?>\n<html xmlns='x'>", "  <BODY>"]
)
def test_pages_with_something_before(head):
    """
    A page is one whatever stands before its first element.
    """
    assert media_type(f"{head}<p>x".encode()) == "text/html"


def test_a_fragment_of_a_page():
    """
    A fragment is a page where it is said to be one; text that is said to be a page is none.
    """
    assert media_type(b"<p>x</p>", "text/html") == "text/html"
    with pytest.raises(DocumentUnreadableError):
        media_type(b"plain words", "text/html")
