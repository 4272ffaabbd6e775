"""Which headings each part stands under."""

from gateway.knowledge.chunking.outline import outline_of
from gateway.model.knowledge.document import ReadDocument, TextBlock


def test_paths():
    """
    A heading ends those of its level and below; a level that is left out is no level of the path.
    """
    text = "ABCDE"
    levels = [1, 3, 0, 2, 1]
    blocks = (
        TextBlock(place, place + 1, "heading" if level else "paragraph", level) for place, level in enumerate(levels)
    )
    outline = outline_of(ReadDocument(text, tuple(blocks)))
    assert [outline.path(place) for place in range(5)] == [("A",), ("A", "B"), ("A", "B"), ("A", "D"), ("E",)]


def test_a_million_levels():
    """
    Headings ever deeper make no path without end.
    """
    blocks = tuple(TextBlock(place, place + 1, "heading", place + 1) for place in range(1000))
    outline = outline_of(ReadDocument("x" * 1000, blocks))
    assert max(map(len, outline.above)) == 9


def test_the_line_of_a_block():
    """
    A title is one line, of no more than 200 characters; of text it is the first line.
    """
    text = "A\n title" + "y" * 500 + "\n\nfirst\nsecond"
    outline = outline_of(ReadDocument(text, (TextBlock(0, 508, "heading", 1), TextBlock(510, len(text), "paragraph"))))
    assert outline.line(0).startswith("A title")
    assert len(outline.line(0)) == 200
    assert outline.line(1) == "first"
