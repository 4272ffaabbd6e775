"""Numbers that a word processor counts itself."""

import pytest

from docx.oxml import parse_xml

from adapters.documents.parts.numbers import ParagraphNumbers

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def numbering(*levels: tuple[str, str]) -> ParagraphNumbers:
    made = "".join(
        f'<w:lvl w:ilvl="{place}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for place, (form, text) in enumerate(levels)
    )
    return ParagraphNumbers(
        parse_xml(
            f'<w:numbering {W}><w:abstractNum w:abstractNumId="7">{made}</w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
        )
    )


def test_clauses():
    """
    Clauses and sub-clauses are counted as the document shows them, and a new clause begins its sub-clauses anew.
    """
    made = numbering(("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"))
    asked = ["0", "1", "1", "2", "2", "0", "1"]
    assert [made.next("1", level) for level in asked] == ["1.", "1.1", "1.2", "(a)", "(b)", "2.", "2.1"]


@pytest.mark.parametrize(
    ("form", "said"),
    [("upperRoman", "IV"), ("lowerRoman", "iv"), ("upperLetter", "D"), ("decimal", "4"), ("bullet", "-")],
)
def test_forms(form, said):
    """
    Numbers are written in the form that the level says; bullets are dashes.
    """
    made = numbering((form, "%1"))
    assert [made.next("1", "0") for _ in range(4)][-1] == said


def test_what_is_not_known():
    """
    A list that the document does not define has no numbers, and neither has a document without any.
    """
    assert numbering(("decimal", "%1")).next("9", "0") == ""
    assert ParagraphNumbers(None).next("1", None) == ""
