"""What is read of word processors' documents, and what is not."""

import io

import docx

from docx.oxml import parse_xml
from docx.shared import Pt

from adapters.documents.docx import DocxReader
from adapters.documents.limits import ReadingLimits

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def read(document):
    stream = io.BytesIO()
    document.save(stream)
    return DocxReader(ReadingLimits()).read(stream.getvalue())


def shown(document):
    found = read(document)
    return [(block.kind, block.level, found.text[block.start : block.end]) for block in found.blocks]


def with_paragraphs(*inner: str):
    document = docx.Document()
    for xml in inner:
        document.element.body.insert(-1, parse_xml(f"<w:p {W}>{xml}</w:p>"))
    return document


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"


def test_paragraphs_and_tables_in_their_order():
    """
    Headings, paragraphs, items and tables come in the order of the body; a table's rows are not put at the end.
    """
    document = docx.Document()
    document.add_heading("Terms", 0)
    document.add_heading("Limits", 2)
    table = document.add_table(2, 2)
    for row, texts in zip(table.rows, (("a", "b"), ("c", "d")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document.add_paragraph("After.")
    document.add_paragraph("one", style="List Number")
    document.add_paragraph("two", style="List Number")
    assert shown(document) == [
        ("heading", 1, "Terms"),
        ("heading", 2, "Limits"),
        ("row", 0, "a | b"),
        ("row", 0, "c | d"),
        ("paragraph", 0, "After."),
        ("item", 0, "1. one"),
        ("item", 0, "2. two"),
    ]


def test_what_is_not_shown_is_not_read():
    """
    Hidden runs, deleted and moved-away text and the codes of fields are not read; what was inserted is.
    """
    document = with_paragraphs(
        run("Seen ") + run("hidden ", "<w:vanish/>") + run("and not hidden", '<w:vanish w:val="0"/>'),
        f'<w:del w:id="1"><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins w:id="2">{run("inserted")}</w:ins>',
        f'<w:moveFrom w:id="3">{run("moved")}</w:moveFrom>',
        f"<w:r><w:instrText>HYPERLINK secret</w:instrText></w:r>{run('link')}",
    )
    assert [text for _, _, text in shown(document)] == ["Seen and not hidden", "inserted", "link"]


def test_a_hidden_style():
    """
    Text in a style that hides is not read, wherever the style says so.
    """
    document = docx.Document()
    style = document.styles.add_style("Secret", 1)
    style.font.hidden = True
    derived = document.styles.add_style("Derived", 1)
    derived.base_style = style
    derived.font.size = Pt(9)
    document.add_paragraph("one", style="Secret")
    document.add_paragraph("two", style="Derived")
    document.add_paragraph("three")
    assert [text for _, _, text in shown(document)] == ["three"]


def test_an_outline_level_of_its_own():
    """
    A paragraph is a heading by its own outline level, whatever its style is called.
    """
    document = with_paragraphs(f'<w:pPr><w:outlineLvl w:val="2"/></w:pPr>{run("Deep")}')
    assert shown(document) == [("heading", 3, "Deep")]


def test_controls_and_text_boxes():
    """
    What stands in content controls and in text boxes is read, each once.
    """
    box = f"<w:r><w:pict><w:txbxContent><w:p>{run('boxed')}</w:p></w:txbxContent></w:pict></w:r>"
    document = with_paragraphs(run("anchor") + box)
    document.element.body.insert(
        -1, parse_xml(f"<w:sdt {W}><w:sdtContent><w:p>{run('controlled')}</w:p></w:sdtContent></w:sdt>")
    )
    assert [text for _, _, text in shown(document)] == ["anchor", "boxed", "controlled"]


def test_a_table_with_headers():
    """
    Where the first row of a table is marked as its headers, each cell says whose it is.
    """
    document = docx.Document()
    table = document.add_table(2, 2)
    for row, texts in zip(table.rows, (("Name", "Limit"), ("Acme", "5")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.rows[0]._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {W}/>"))
    assert [text for _, _, text in shown(document)] == ["Name | Limit", "Name: Acme | Limit: 5"]
