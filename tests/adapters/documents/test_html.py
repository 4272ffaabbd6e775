"""What is read of a page, and what is not."""

import pytest

from adapters.documents.html import HtmlReader
from adapters.documents.limits import ReadingLimits


def shown(page: str | bytes):
    found = HtmlReader(ReadingLimits()).read(page.encode() if isinstance(page, str) else page)
    return [(block.kind, block.level, found.text[block.start : block.end]) for block in found.blocks]


def test_the_structure_of_a_page():
    """
    Headings, paragraphs, items with their numbers, code and tables are told apart; inline tags are not seen.
    """
    page = (
        "<html><head><title>T</title></head><body><h2>Head <i>line</i></h2><p>One\n <b>two</b><br>three</p>"
        "<ol start=3><li>a<li><p>b</p><p>more</p></ol><ul><li>c</ul><pre>x\n  y</pre>"
        "<table><tr><th>K</th><th>V</th></tr><tr><td>1</td><td>2</td></tr></table>tail</body>"
    )
    assert shown(page) == [
        ("heading", 2, "Head line"),
        ("paragraph", 0, "One two three"),
        ("item", 0, "3. a"),
        ("item", 0, "4. b"),
        ("item", 0, "more"),
        ("item", 0, "- c"),
        ("code", 0, "x\n  y"),
        ("row", 0, "K | V"),
        ("row", 0, "K: 1 | V: 2"),
        ("paragraph", 0, "tail"),
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template>x</template>",
        "<noscript>x</noscript>",
        "<!-- x -->",
        "<p hidden>x</p>",
        "<div style='display:none'><p>x</p></div>",
        "<p style='DISPLAY : NONE !important'>x</p>",
        "<span style='visibility:hidden'>x</span>",
        "<span style='font-size:0'>x</span>",
        "<span style='font-size:0px'>x</span>",
        "<span style='opacity:0'>x</span>",
        "<svg><text>x</text></svg>",
    ],
)
def test_what_a_page_hides(hidden):
    """
    What a page itself says nobody sees is not read.
    """
    assert shown(f"<html><body><p>seen</p>{hidden}</body></html>") == [("paragraph", 0, "seen")]


@pytest.mark.parametrize("style", ["opacity:0.5", "font-size:0.9em", "display:block", "font-size:09px"])
def test_what_it_does_not_hide(style):
    """
    Styles that look similar hide nothing.
    """
    assert shown(f"<html><body><p style='{style}'>seen</p></body></html>") == [("paragraph", 0, "seen")]


def test_tables_within_tables():
    """
    Of tables in each other no cell is lost.
    """
    page = "<html><table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table>d</td><td>e</td></tr></table>"
    said = " ".join(text for _, _, text in shown(page))
    assert all(letter in said for letter in "abcde")


def test_encodings():
    """
    A page is read in the encoding that it says, if that is one of text; else as UTF-8 or Windows-1252.
    """
    page = "<html><head><meta charset='{}'></head><body>{}</body></html>"
    assert shown(page.format("windows-1252", "déjà").encode("windows-1252")) == [("paragraph", 0, "déjà")]
    assert shown(page.format("gb18030", "合同").encode("gb18030")) == [("paragraph", 0, "合同")]
    assert shown(page.format("rot13", "plain").encode()) == [("paragraph", 0, "plain")]
    assert shown(page.format("", "déjà").encode("latin-1")) == [("paragraph", 0, "déjà")]
