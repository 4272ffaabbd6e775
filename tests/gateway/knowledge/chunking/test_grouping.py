"""Which blocks belong together."""

import pytest

from gateway.knowledge.chunking.grouping import groups, number_of
from gateway.knowledge.chunking.outline import outline_of
from gateway.model.knowledge.document import ReadDocument, TextBlock


def grouped(method, *blocks):
    text, made = "", []
    for kind, said in blocks:
        made.append(TextBlock(len(text), len(text) + len(said), kind, 1 if kind == "heading" else 0))
        text += said + "\n\n"
    return [[*one] for one in groups(outline_of(ReadDocument(text, tuple(made))), method)]


@pytest.mark.parametrize(
    ("line", "number"), [("4.2 x ", "4.2"), ("4. x", "4"), ("4) x", "4"), ("x", None), ("1995x", None)]
)
def test_numbers(line, number):
    """
    A clause's number is what it begins with.
    """
    assert number_of(line) == number


def test_windows_have_one_group():
    """
    A method of windows takes the document as one; of an empty one there is none.
    """
    assert grouped("sliding_window", ("heading", "A"), ("paragraph", "b"), ("heading", "C")) == [[0, 1, 2]]
    assert grouped("by_section") == []


def test_headings_alone_join_what_follows():
    """
    A group is never headings alone, but at the end of a document.
    """
    blocks = (("heading", "A"), ("heading", "B"), ("paragraph", "c"), ("heading", "D"))
    assert grouped("by_section", *blocks) == [[0, 1, 2], [3]]


def test_sub_clauses_belong_to_their_clause():
    """
    Numbers of the third level, letters and code begin no clause.
    """
    blocks = (("paragraph", "1.1 a"), ("paragraph", "1.1.1 b"), ("item", "(a) c"), ("code", "2 d"), ("item", "1.2 e"))
    assert grouped("by_clause", *blocks) == [[0, 1, 2, 3], [4]]
