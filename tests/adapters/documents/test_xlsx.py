"""What is read of spreadsheets."""

import io

from datetime import date, datetime

import openpyxl

from adapters.documents.limits import ReadingLimits
from adapters.documents.xlsx import XlsxReader


def read(book):
    stream = io.BytesIO()
    book.save(stream)
    found = XlsxReader(ReadingLimits()).read(stream.getvalue())
    return [(block.kind, block.page, found.text[block.start : block.end]) for block in found.blocks]


def test_rows_say_whose_cells_they_have():
    """
    A sheet is a page, its name a heading; each row says the headers of its cells; empty rows and cells say nothing.
    """
    book = openpyxl.Workbook()
    book.active.title = "Limits"
    for row in (
        ["Client", "Limit", "From"],
        ["Acme", 5.0, date(2026, 1, 2)],
        [],
        ["Beta", None, datetime(2026, 1, 2, 3, 4)],  # noqa: DTZ001 - cells have no zone
        ["x", True, 0.5],
    ):
        book.active.append(row)
    assert read(book) == [
        ("heading", 1, "Limits"),
        ("row", 1, "Client | Limit | From"),
        ("row", 1, "Client: Acme | Limit: 5 | From: 2026-01-02"),
        ("row", 1, "Client: Beta | From: 2026-01-02T03:04:00"),
        ("row", 1, "Client: x | Limit: True | From: 0.5"),
    ]


def test_a_sheet_without_headers():
    """
    Where the first row has numbers, or only one cell, it names no columns.
    """
    book = openpyxl.Workbook()
    for row in (["a", 1], ["b", 2]):
        book.active.append(row)
    assert [text for _, _, text in read(book)][1:] == ["a | 1", "b | 2"]


def test_hidden_sheets_and_formulas():
    """
    A hidden sheet is not read; of a formula the value that was kept is, and nothing where none was.
    """
    book = openpyxl.Workbook()
    book.active.append(["seen", "=1+1"])
    hidden = book.create_sheet("secret")
    hidden.append(["secret"])
    hidden.sheet_state = "hidden"
    said = [text for _, _, text in read(book)]
    assert said == ["Sheet", "seen"]
