"""Packed files, looked at before they are unpacked."""

import io
import warnings
import zipfile

import pytest

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.packages import check_package, package_type
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError
from tests.support.documents import made, story


def packed(*parts: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, body in parts:
            package.writestr(name, body)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
def test_an_honest_package(kind):
    """
    What office programs write passes.
    """
    check_package(made(story(1), kind), ReadingLimits())


@pytest.mark.parametrize(
    "definition",
    [
        b'<?xml version="1.0"?><!DOCTYPE a><a/>',
        b"<!-- <a> --><!DOCTYPE a><a/>",
        b"<!--" + b" " * 20_000 + b"--><!DOCTYPE a><a/>",
        '<?xml version="1.0"?><!DOCTYPE a><a/>'.encode("utf-16"),
        b" " * 20_000 + b"<!DOCTYPE a><a/>",
    ],
)
def test_document_types(definition):
    """
    A part that defines a document type is refused, wherever and in whatever encoding it does.
    """
    with pytest.raises(DocumentUnreadableError):
        check_package(packed(("word/document.xml", definition)), ReadingLimits())


def test_text_about_document_types():
    """
    Text that speaks of them is text.
    """
    check_package(
        packed(
            (
                "word/document.xml",
                b"<a>&lt;!DOCTYPE a> <![CDATA[<!DOCTYPE]]></a>".replace(b"<![CDATA[<!DOCTYPE]]>", b""),
            )
        ),
        ReadingLimits(),
    )


def test_parts_that_are_twice_or_too_many():
    """
    No part is there twice, by case either, and there are no more than there may be.
    """
    with pytest.raises(DocumentUnreadableError):
        check_package(packed(("a.xml", b"<a/>"), ("A.xml", b"<a/>")), ReadingLimits())
    with pytest.raises(DocumentTooLargeError):
        check_package(packed(("a.xml", b"<a/>"), ("b.xml", b"<a/>")), ReadingLimits(parts=1))


def test_bombs():
    """
    What unpacks to too much is refused by what it says before it is unpacked.
    """
    body = packed(("a.xml", b"<a>" + b" " * 20_000_000))
    for limits in (ReadingLimits(unpacked_bytes=10_000_000), ReadingLimits()):
        with pytest.raises(DocumentTooLargeError):
            check_package(body, limits)


def test_which_package():
    """
    A package is what its main part says; with two of them, or none, it is nothing.
    """
    types = ("[Content_Types].xml", b"<a/>")
    assert package_type(packed(types, ("word/document.xml", b""))) is not None
    assert package_type(packed(types, ("word/document.xml", b""), ("xl/workbook.xml", b""))) is None
    assert package_type(packed(("word/document.xml", b""))) is None
