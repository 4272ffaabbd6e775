"""What is read of Markdown."""

from adapters.documents.limits import ReadingLimits
from adapters.documents.markdown import MarkdownReader


def test_the_structure():
    """
    Headings, items with their numbers, code and tables are told apart; tags, comments and addresses are not read; hidden HTML is hidden.
    """
    text = (
        "---\ntitle: 'Guide'\nowner: x\n---\n# One\n\nText *in* [link](http://secret) `code`\ngoes on.\n\n1. a\n2. b\n   - c\n\n"
        "```\nx = 1\n  y\n```\n\n| K | V |\n|---|---|\n| 1 | 2 |\n\n<!-- secret -->\n<div hidden>secret</div>\n\n> quoted\n\nSub\n---\n"
    )
    found = MarkdownReader(ReadingLimits()).read(text.encode())
    assert found.title == "Guide"
    assert [(block.kind, block.level, found.text[block.start : block.end]) for block in found.blocks] == [
        ("heading", 1, "One"),
        ("paragraph", 0, "Text in link code goes on."),
        ("item", 0, "1. a"),
        ("item", 0, "2. b"),
        ("item", 0, "- c"),
        ("code", 0, "x = 1\n  y"),
        ("row", 0, "K | V"),
        ("row", 0, "K: 1 | V: 2"),
        ("paragraph", 0, "quoted"),
        ("heading", 2, "Sub"),
    ]
