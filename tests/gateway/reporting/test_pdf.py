"""A report as a PDF, read by another library than the one that made it."""

import io

import pytest

from pypdf import PdfReader

from gateway.errors import ReportFormError
from gateway.reporting.document import visible
from gateway.reporting.pdf import NAMED, as_pdf
from tests.support.reports import HOSTILE, sample, squeezed, text_of


def test_hostile_texts_stay_texts():
    """
    Whatever a name, an owner or a reason looks like, it is set letter by letter and is no markup.
    """
    read = text_of(as_pdf(sample(*HOSTILE)))
    for text in HOSTILE:
        assert read.count(squeezed(visible(text))) >= 4


def test_nothing_acts_in_it():
    """
    The PDF has no script, no form, no attachment and no link out of it.
    """
    pdf = as_pdf(sample(*HOSTILE))
    reader = PdfReader(io.BytesIO(pdf))
    assert reader.attachments == {}
    assert not {"/AcroForm", "/OpenAction", "/AA", "/Names"} & set(reader.trailer["/Root"])
    assert b"/JavaScript" not in pdf
    assert b"/URI" not in pdf


def test_it_can_be_kept_and_read_aloud():
    """
    It says that it is PDF/A-2a and PDF/UA-1, has a language and a title, tags, and heads of tables.
    """
    reader = PdfReader(io.BytesIO(as_pdf(sample("x", "y"))))
    said = reader.xmp_metadata.stream.get_data().decode()
    assert "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>" in said
    assert "<pdfuaid:part>1</pdfuaid:part>" in said
    root = reader.trailer["/Root"]
    assert root["/Lang"].startswith("en")
    assert root["/MarkInfo"]["/Marked"]
    assert reader.metadata.title == "A sample"


def test_the_same_report_is_the_same_bytes():
    """
    Made again, a PDF is the same bytes, dated at the time that it speaks of.
    """
    pdf = as_pdf(sample(*HOSTILE))
    assert pdf == as_pdf(sample(*HOSTILE))
    assert PdfReader(io.BytesIO(pdf)).metadata.creation_date.isoformat() == "2026-10-31T00:00:00+00:00"


def test_characters_without_a_font():
    """
    Where no font has a character it stands there by its number, the others stay, and the PDF says so.
    """
    read = text_of(as_pdf(sample("Łódź 陈大文", "plain")))
    assert r"Łódź\u9648\u5927\u6587" in read
    assert squeezed(NAMED) in read
    assert squeezed(NAMED) not in text_of(as_pdf(sample("Łódź", "plain")))


def test_a_long_word_breaks_and_is_copied_whole():
    """
    A digest that is wider than its column goes on in the next line, and nothing is put between its characters.
    """
    digest = "0123456789abcdef" * 4
    pdf = as_pdf(sample(digest, *[f"{digest}{place}" for place in range(60)]))
    assert digest in text_of(pdf)
    assert "\u200b" not in text_of(pdf)
    assert len(PdfReader(io.BytesIO(pdf)).pages) > 1


def test_a_time_that_no_pdf_has():
    """
    A time that cannot be is an error with a code, and no PDF of another time.
    """
    with pytest.raises(ReportFormError):
        as_pdf(sample("x", at="0000-01-01T00:00:00.000000Z"))
