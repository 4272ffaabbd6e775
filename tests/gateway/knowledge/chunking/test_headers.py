"""What chunks repeat."""

from gateway.knowledge.chunking.headers import Headers, overlap_before
from gateway.knowledge.chunking.outline import outline_of
from gateway.model.knowledge.document import ReadDocument, TextBlock


def words_of(text: str) -> int:
    return len(text.split())


def test_the_words_before_a_place():
    """
    So many words as may be repeated are, never more, and none from before the lowest place.
    """
    text = "one two three four five"
    start = text.index("five")
    assert overlap_before(text, start, 0, 2, words_of) == "three four "
    assert overlap_before(text, start, text.index("four"), 2, words_of) == "four "
    assert overlap_before(text, start, 0, 0, words_of) == ""
    assert overlap_before(text, 0, 0, 2, words_of) == ""


def test_a_gap_ends_an_overlap():
    """
    What stands far before, behind much white space, is not repeated.
    """
    text = "far" + " " * 300 + "near here"
    assert overlap_before(text, text.index("here"), 0, 5, words_of) == "near "
    assert overlap_before(text, text.index("near"), 0, 5, words_of) == ""


def test_headers_take_their_share():
    """
    Where titles are too long for a quarter of a chunk, the outermost are left out first.
    """
    text = "Outer title of words\n\nInner title\n\nText"
    blocks = (TextBlock(0, 20, "heading", 1), TextBlock(22, 33, "heading", 2), TextBlock(35, 39, "paragraph"))
    outline = outline_of(ReadDocument(text, blocks))
    assert Headers(outline, "by_section", 100, words_of).of(range(3), 2) == "Outer title of words\nInner title\n\n"
    assert Headers(outline, "by_section", 16, words_of).of(range(3), 2) == "Inner title\n\n"
    assert Headers(outline, "by_section", 4, words_of).of(range(3), 2) == ""
    assert Headers(outline, "section_aware", 100, words_of).of(range(3), 2) == ""
