"""
Documents in every format that is read, made of one description, with what a reader must find in them.

A `Story` is sections of paragraphs, items and a table; `made(story, kind)` writes it as a file of that kind.
"""

import io
import random

from dataclasses import dataclass
from email.message import EmailMessage
from typing import Final

import docx
import openpyxl
import pptx
import typst

KINDS: Final = ("pdf", "docx", "xlsx", "pptx", "html", "md", "txt", "eml")

_WORDS: Final = (
    "client limit exposure margin netting collateral approval committee trade product risk review threshold breach escalation report"
    " capital liquidity counterparty onboarding settlement notional maturity hedge desk branch audit control evidence owner policy"
).split()


@dataclass(frozen=True)
class Section:
    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Of a table, the headers first."""


@dataclass(frozen=True)
class Story:
    title: str
    sections: tuple[Section, ...]

    @property
    def said(self) -> list[str]:
        """All that a reader must find, in order."""
        found: list[str] = []
        for section in self.sections:
            found += [section.title, *section.paragraphs, *section.items]
            found += [cell for row in section.rows for cell in row]
        return found


def story(seed: int, sections: int = 4) -> Story:
    """A document of its own for each seed."""
    chance = random.Random(seed)

    def sentence(least: int, most: int) -> str:
        return " ".join(chance.choices(_WORDS, k=chance.randint(least, most))).capitalize() + "."

    def paragraph() -> str:
        return " ".join(sentence(5, 18) for _ in range(chance.randint(1, 9)))

    made = (
        Section(
            f"{number} {chance.choice(_WORDS).capitalize()} {chance.choice(_WORDS)}",
            tuple(paragraph() for _ in range(chance.randint(1, 5))),
            tuple(sentence(3, 9) for _ in range(chance.randint(0, 5))),
            (
                ("Field", "Value", "Owner"),
                *((f"f{number}{row}", sentence(1, 4), "desk") for row in range(chance.randint(1, 6))),
            ),
        )
        for number in range(1, sections + 1)
    )
    return Story(f"Story {seed}", tuple(made))


def made(one: Story, kind: str) -> bytes:
    """The story as a file."""
    return _MAKERS[kind](one)


def _pdf(one: Story) -> bytes:
    parts = ['#set page(paper: "a4")\n']
    for section in one.sections:
        parts.append(f"= {section.title}\n\n")
        parts += [f"{paragraph}\n\n" for paragraph in section.paragraphs]
        parts += [f"- {item}\n" for item in section.items]
        cells = ", ".join(f"[{cell}]" for row in section.rows for cell in row)
        parts.append(f"\n#table(columns: 3, {cells})\n\n")
    return typst.compile("".join(parts).encode())


def _docx(one: Story) -> bytes:
    document = docx.Document()
    document.core_properties.title = one.title
    for section in one.sections:
        document.add_heading(section.title, 1)
        for paragraph in section.paragraphs:
            document.add_paragraph(paragraph)
        for item in section.items:
            document.add_paragraph(item, style="List Bullet")
        table = document.add_table(rows=0, cols=3)
        for row in section.rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    return _saved(document)


def _xlsx(one: Story) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for section in one.sections:
        sheet = book.create_sheet(section.title)
        for paragraph in (*section.paragraphs, *section.items):
            sheet.append([paragraph])
        for row in section.rows:
            sheet.append(row)
    return _saved(book)


def _pptx(one: Story) -> bytes:
    shown = pptx.Presentation()
    for section in one.sections:
        slide = shown.slides.add_slide(shown.slide_layouts[1])
        slide.shapes.title.text = section.title
        slide.placeholders[1].text = "\n".join((*section.paragraphs, *section.items))
        table = slide.shapes.add_table(len(section.rows), 3, 0, 0, 9_000_000, 3_000_000).table
        for row, texts in enumerate(section.rows):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
    return _saved(shown)


def _html(one: Story) -> bytes:
    parts = [f"<!doctype html><html><head><title>{one.title}</title><style>p{{}}</style></head><body>"]
    for section in one.sections:
        parts.append(f"<h1>{section.title}</h1>")
        parts += [f"<p>{paragraph}</p>" for paragraph in section.paragraphs]
        parts.append("<ul>" + "".join(f"<li>{item}</li>" for item in section.items) + "</ul>")
        rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in section.rows)
        parts.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
    return "".join(parts).encode()


def _markdown(one: Story) -> bytes:
    parts = []
    for section in one.sections:
        parts.append(f"# {section.title}\n\n")
        parts += [f"{paragraph}\n\n" for paragraph in section.paragraphs]
        parts += [f"- {item}\n" for item in section.items]
        first, *rows = section.rows
        lines = [first, ("---",) * 3, *rows]
        parts.append("\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n")
    return "".join(parts).encode()


def _text(one: Story) -> bytes:
    parts = []
    for section in one.sections:
        parts += [section.title, *section.paragraphs, *(f"- {item}" for item in section.items)]
        parts += [" | ".join(row) for row in section.rows]
    return "\n\n".join(parts).encode()


def _email(one: Story) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@bank.example", "b@bank.example", one.title
    message["Date"] = "Mon, 02 Nov 2026 09:00:00 +0000"
    message.set_content(_text(one).decode())
    message.add_attachment(b"secret", maintype="application", subtype="pdf", filename="terms.pdf")
    return bytes(message)


def _saved(document) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


_MAKERS: Final = {
    "pdf": _pdf,
    "docx": _docx,
    "xlsx": _xlsx,
    "pptx": _pptx,
    "html": _html,
    "md": _markdown,
    "txt": _text,
    "eml": _email,
}
