"""
Spreadsheets (Office Open XML).

Rules held here: values are read, not formulas; hidden sheets are not read, hidden rows and columns are; rows come as they are read, so
that no sheet is held as a whole, and a sheet that says it is huge costs what it holds.
"""

import io

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Final

import openpyxl

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft, one_line
from adapters.documents.parts.packages import check_package
from gateway.model.knowledge.document import ReadDocument

_LONGEST_HEADER: Final = 80
_LEAST_COLUMNS: Final = 2


class XlsxReader:
    """A `gateway.ports.knowledge.Reader` of spreadsheets: a sheet is a page, and its name a heading."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"})

    def read(self, body: bytes) -> ReadDocument:
        check_package(body, self._limits)
        book = openpyxl.load_workbook(io.BytesIO(body), read_only=True, data_only=True, keep_links=False)
        draft = DocumentDraft(self._limits)
        for number, sheet in enumerate(book.worksheets, 1):
            draft.page(number)
            if sheet.sheet_state == "visible":
                # What a sheet says of its size is not believed: rows would be filled up to it.
                sheet.reset_dimensions()
                self._add_sheet(draft, sheet.title, sheet.iter_rows(values_only=True), number)
        return draft.done(book.properties.title)

    def _add_sheet(self, draft: DocumentDraft, title: str, rows: Iterator[tuple[object, ...]], number: int) -> None:
        headers: Sequence[str] | None = None
        for values in rows:
            draft.count_cells(len(values) + 1)
            cells = [_said(value) for value in values]
            if not any(cells):
                continue
            if headers is None:
                draft.add("heading", title, level=1, page=number)
                headers = cells if _are_headers(values, cells) else ()
                draft.row(cells, page=number)
            else:
                draft.row(cells, headers, page=number)


def _are_headers(values: Sequence[object], cells: Sequence[str]) -> bool:
    """Whether a sheet's first row names its columns: texts alone, short, each another one."""
    named = [cell for cell in cells if cell]
    texts = all(value is None or isinstance(value, str) for value in values)
    return (
        texts
        and len(named) >= _LEAST_COLUMNS
        and len({*named}) == len(named)
        and all(len(one) <= _LONGEST_HEADER for one in named)
    )


def _said(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return one_line(str(value))
