"""Hostile files: read apart, within limits, and the next file is read all the same."""

import io
import os
import signal
import zipfile

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openpyxl
import pypdf
import pytest

from adapters.documents.apart import ApartReading
from adapters.documents.limits import ReadingLimits
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError
from tests.support.documents import KINDS, made, story

LIMITS = ReadingLimits(
    file_bytes=20_000_000, seconds=2, megabytes=256, characters=1_000_000, blocks=50_000, cells=100_000
)
SAYS = b"Fine.\n"


@pytest.fixture(scope="module")
def reading():
    apart = ApartReading(LIMITS)
    yield apart
    apart.close()


def replaced(kind: str, part: str, body: bytes) -> bytes:
    """An office file of which one part is another."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(made(story(1, 1), kind))) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, body if name == part else old.read(name))
    return stream.getvalue()


def laughs(root: str) -> bytes:
    """Entities that unfold to a billion laughs."""
    lines = "".join(f'<!ENTITY l{one} "{f"&l{one - 1};" * 10}">' for one in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{lines}]><{root}>&l9;</{root}>'.encode()


def sheet(rows: int) -> bytes:
    book = openpyxl.Workbook(write_only=True)
    made_sheet = book.create_sheet("s")
    for _ in range(rows):
        made_sheet.append(["x"] * 20)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def huge_dimension() -> bytes:
    """A sheet that says it is as large as one can be, with one cell at its end."""
    return replaced(
        "xlsx",
        "xl/worksheets/sheet1.xml",
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/>'
        b'<sheetData><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>end</t></is></c></row></sheetData></worksheet>',
    )


def encrypted_pdf() -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(made(story(1, 1), "pdf")))
    writer.encrypt("secret", algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def pdf_bomb() -> bytes:
    """A page whose program unpacks to a gigabyte."""
    import zlib

    packed = zlib.compress(zlib.compress(b"0" * 200_000_000))
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n4 0 obj<</Filter[/FlateDecode/FlateDecode]/Length "
        + str(len(packed)).encode()
        + b">>stream\n"
        + packed
        + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


def endless_pdf() -> bytes:
    """Pages that are their own parent."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9999999>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF"
    )


W = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
HOSTILE = {
    "zip bomb": lambda: replaced("docx", "word/document.xml", b"<a>" + b" " * 300_000_000),
    "entities in docx": lambda: replaced("docx", "word/document.xml", laughs("w:document")),
    "entities in xlsx": lambda: replaced("xlsx", "xl/worksheets/sheet1.xml", laughs("worksheet")),
    "entities in pptx": lambda: replaced("pptx", "ppt/presentation.xml", laughs("p:presentation")),
    "too many cells": lambda: sheet(6_000),
    "a sheet of seventeen billion cells": huge_dimension,
    "deep xml": lambda: replaced(
        "docx", "word/document.xml", b"<w:document " + W + b"><w:body>" + b"<w:tbl><w:tr><w:tc>" * 100_000
    ),
    "deep html": lambda: b"<html><body>" + b"<div>" * 300_000 + b"x",
    "deep markdown": lambda: b">" * 200_000 + b" x",
    "links in markdown": lambda: b"[a](" * 200_000,
    "stars in markdown": lambda: b"*a **b " * 200_000,
    "deep e-mail": lambda: b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\nFrom: a\nDate: b\n\n--b%d\n" % (one, one)
        for one in range(20_000)
    ),
    "encrypted pdf": encrypted_pdf,
    "pdf bomb": pdf_bomb,
    "endless pdf": endless_pdf,
    "pdf of nothing": lambda: b"%PDF-1.7\n" + b"0 0 obj " * 500_000,
    "old office file": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 5_000,
    "program": lambda: b"MZ" + b"\0" * 5_000,
    "text of bytes": lambda: bytes(range(256)) * 100,
    "too many bytes": lambda: b"x" * 20_000_001,
    "too much text": lambda: b"word " * 1_000_000,
}
READ = {"a sheet of seventeen billion cells", "stars in markdown", "links in markdown", "deep markdown", "pdf bomb"}
"""What may be read all the same where that costs no more than it may; whatever comes of it, it comes in time."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name, reading):
    """
    A hostile file is an error of ours, and the next file is read.
    """
    body = HOSTILE[name]()
    reading.read(SAYS)
    try:
        reading.read(body)
    except (DocumentUnreadableError, DocumentTooLargeError) as error:
        assert error.code in {"GW-701", "GW-702"}
        assert error.__cause__ is None
    else:
        assert name in READ
    assert reading.read(SAYS)[1].text == "Fine."


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_apart_is_what_is_read_here(kind, reading):
    """
    Text, blocks and media type come over as they were read.
    """
    from adapters.documents.reading import read_here

    body = made(story(7), kind)
    assert reading.read(body, None, f"x.{kind}") == read_here(body, LIMITS, None, f"x.{kind}")


def test_a_mislabelled_file(reading):
    """
    A file that is said to be something else than it is, by name or by type, is not read.
    """
    for claimed, name in (("text/html", None), (None, "x.docx"), ("application/pdf", "x.txt")):
        with pytest.raises(DocumentUnreadableError):
            reading.read(made(story(1, 1), "pdf"), claimed, name)


def test_a_reader_that_is_killed_or_stopped():
    """
    Where the process is killed the next file starts another; where it is stopped, the clock ends it.
    """
    apart = ApartReading(LIMITS)
    try:
        apart.read(SAYS)
        os.kill(apart._parent.pid, signal.SIGKILL)
        apart._parent.wait()
        assert apart.read(SAYS)[0] == "text/plain"
    finally:
        apart.close()


def test_threads_take_turns(reading):
    """
    Asked from several threads, each gets the answer about its own file.
    """
    with ThreadPoolExecutor(4) as threads:
        texts = list(threads.map(lambda number: reading.read(f"file {number}".encode())[1].text, range(40)))
    assert texts == [f"file {number}" for number in range(40)]


def test_nothing_of_the_gateway_is_there(reading, monkeypatch):
    """
    The process has no secret of the gateway's environment.
    """
    monkeypatch.setenv("CTXGATE_SECRET", "secret")
    apart = ApartReading(LIMITS)
    try:
        apart.read(SAYS)
        assert "CTXGATE" not in Path(f"/proc/{apart._parent.pid}/environ").read_text()
    finally:
        apart.close()
