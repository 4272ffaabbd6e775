"""
A report as a PDF: for the files of an examiner, as PDF/A-2a and PDF/UA-1, so that it can be kept and read aloud.

Rules held here: values reach the typesetter as texts of a JSON document and never as markup; no package is fetched and no font
of the machine is used, so that the same report is the same bytes everywhere; only fonts of a folder that the settings name are
added.  A character that no font has stands there by its name, and the PDF says so.
"""

import json
import unicodedata

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import typst

from gateway.errors import ReportFormError
from gateway.reporting.document import Block, FactList, Lines, Prose, Report, Table, shown, visible

MEDIA_TYPE: Final = "application/pdf"

NAMED: Final = (
    "Characters that no font here has stand by their numbers, such as \\u4e2d; the page has them as they are."
    "  CTXGATE_REPORT_FONTS names a folder with fonts."
)
"""What the summary says where it was so."""

_STANDARDS: Final[list[Any]] = ["a-2a", "ua-1"]
_LONG: Final = 10
"""Characters of a word after which a line may end."""

_EVERYWHERE: Final = ("LATIN ", "DIGIT ", "GREEK ", "CYRILLIC ")
"""How the names of characters begin that the fonts of the typesetter have, beside those of ASCII."""

_SIGNS: Final = "\u2014\u2013\u2026\u2018\u2019\u201c\u201d\u2192\u00b7\u00d7\u00b1\u00a7\u00a9\u00b0"


def as_pdf(report: Report, fonts: Path | None = None) -> bytes:
    """
    The report as a PDF.

    Args:
        report: what it says.
        fonts: a folder with fonts for characters beyond those of European languages.

    Raises:
        ReportFormError: it cannot be set.
    """
    try:
        return _set(report, fonts)
    except typst.TypstError as error:
        if "could not be displayed" not in error.message:
            raise ReportFormError("the report cannot be set as a PDF") from error
    told = replace(report, summary=(*report.summary, NAMED))
    try:
        return _set(told, fonts, named=True)
    except typst.TypstError as error:
        raise ReportFormError("the report cannot be set as a PDF") from error


def _set(report: Report, fonts: Path | None, *, named: bool = False) -> bytes:
    pages = typst.compile(
        _template(),
        root=_template().parent,
        font_paths=[fonts] if fonts else [],
        ignore_system_fonts=True,
        sys_inputs={"report": json.dumps(_document(report, named=named))},
        pdf_standards=_STANDARDS,
        format="pdf",
        timestamp=_dated(report.at),
    )
    if not isinstance(pages, bytes):
        raise ReportFormError("the report cannot be set as a PDF")
    return pages


def _dated(at: str) -> datetime:
    """The time that a report speaks of, to the second, as PDF has times."""
    try:
        return datetime.fromisoformat(at).replace(microsecond=0)
    except ValueError as error:
        raise ReportFormError("the report speaks of a time that no PDF can have") from error


@cache
def _template() -> Path:
    with as_file(files("gateway.reporting") / "templates/report.typ") as path:
        return path


def _document(report: Report, *, named: bool) -> dict[str, Any]:
    def parts(text: str) -> list[str]:
        return list(_parts(_named(text) if named else text))

    # All texts are cut into parts here, since the typesetter reads no text and so finds no place to break a long word.
    return {
        "kind": report.kind,
        "title": parts(visible(report.title)),
        "at": report.at,
        "summary": [parts(visible(sentence)) for sentence in report.summary],
        "sections": [
            {"title": parts(visible(section.title)), "parts": [_block(block, parts) for block in section.blocks]}
            for section in report.sections
        ],
    }


def _block(block: Block, parts: Callable[[str], list[str]]) -> dict[str, Any]:
    match block:
        case Prose():
            return {"form": "prose", "text": parts(visible(block.text))}
        case FactList():
            # Labels are ours and short; values may be anything.
            rows = [{"label": parts(fact.label), "value": parts(shown(fact.value))} for fact in block.rows]
            return {"form": "facts", "rows": rows}
        case Lines():
            lines = [parts(visible(line)) for line in block.lines]
            return {"form": "lines", "title": parts(visible(block.title)), "lines": lines}
        case Table():
            return {
                "form": "table",
                "title": parts(visible(block.title) + _cut(block)),
                "none": parts(visible(block.none)),
                "columns": [parts(column.title) for column in block.columns],
                "rows": [[parts(shown(value)) for value in row] for row in block.rows],
            }


def _cut(block: Table) -> str:
    return f" ({len(block.rows):,} of {block.total:,} are listed)" if block.total > len(block.rows) else ""


def _parts(text: str) -> Iterator[str]:
    """The text in parts between which a line may end, beside where it may in any case."""
    start = run = 0
    for place, character in enumerate(text):
        if run >= _LONG and character != " " and not unicodedata.combining(character):
            yield text[start:place]
            start, run = place, 0
        run = 0 if character == " " else run + 1
    yield text[start:]


def _named(text: str) -> str:
    """The text with characters by their numbers that perhaps no font has."""
    return "".join(one if one.isascii() or _common(one) else one.encode("unicode_escape").decode() for one in text)


def _common(character: str) -> bool:
    return character in _SIGNS or unicodedata.name(character, "").startswith(_EVERYWHERE)
