"""What is read of presentations."""

import io

import pptx

from adapters.documents.limits import ReadingLimits
from adapters.documents.pptx import PptxReader


def read(shown):
    stream = io.BytesIO()
    shown.save(stream)
    found = PptxReader(ReadingLimits()).read(stream.getvalue())
    return [(block.kind, block.page, found.text[block.start : block.end]) for block in found.blocks]


def test_slides():
    """
    A slide is a page, its title a heading; items, groups, tables and notes follow; a hidden slide is not read.
    """
    shown = pptx.Presentation()
    slide = shown.slides.add_slide(shown.slide_layouts[1])
    slide.shapes.title.text = "Limits"
    slide.placeholders[1].text = "first\nsecond"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "grouped"
    table = slide.shapes.add_table(2, 2, 0, 0, 9, 9).table
    for row, texts in enumerate((("K", "V"), ("1", "2"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    slide.notes_slide.notes_text_frame.text = "noted"
    hidden = shown.slides.add_slide(shown.slide_layouts[5])
    hidden.shapes.title.text = "secret"
    hidden.element.set("show", "0")
    assert read(shown) == [
        ("heading", 1, "Limits"),
        ("item", 1, "first"),
        ("item", 1, "second"),
        ("paragraph", 1, "grouped"),
        ("row", 1, "K | V"),
        ("row", 1, "K: 1 | V: 2"),
        ("paragraph", 1, "noted"),
    ]
