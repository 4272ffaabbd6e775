"""A report as a page."""

import base64
import hashlib
import re

from gateway.reporting.document import visible
from gateway.reporting.page import as_page, content_policy
from tests.support.reports import HOSTILE, PageReader, sample

_TAGS = (
    "a body caption dd dl dt div figcaption figure h1 h2 head header html li main meta nav ol p pre section style table tbody td th"
    " thead time title tr"
).split()


def test_hostile_texts_stay_texts():
    """
    Whatever a name, an owner or a reason looks like, a browser shows it, letter by letter, and makes nothing of it.
    """
    page = as_page(sample(*HOSTILE))
    read = PageReader(page)
    assert set(read.tags) <= set(_TAGS)
    assert {name for name, _ in read.attributes} <= {
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "datetime",
        "class",
        "href",
        "id",
        "scope",
        "aria-label",
        "aria-labelledby",
    }
    assert all(value.startswith("#s") for name, value in read.attributes if name == "href")
    for text in HOSTILE:
        assert read.text.count(" ".join(visible(text).split())) >= 4
    assert not re.search("[\u202e\u2066\x00\u200b]", page)


def test_the_policy_lets_nothing_in_but_the_style():
    """
    A browser that reads the policy runs no script, loads nothing, and takes the one style by its hash.
    """
    page = as_page(sample("x"))
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert content_policy() == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    # Quotes are escaped in the attribute; the parser gives them back.
    assert ("content", content_policy()) in PageReader(page).attributes
    assert "<script" not in page
    assert "style=" not in page
    assert not re.search(r"(src|@import|url\()", page.replace("default-src", "").replace("style-src", ""))


def test_it_can_be_read_aloud():
    """
    Somebody with a screen reader has a language, headings in order, captions, and heads of columns and rows.
    """
    read = PageReader(as_page(sample("x", "y")))
    assert ("lang", "en") in read.attributes
    assert [tag for tag in read.tags if tag in {"h1", "h2"}] == ["h1", "h2", "h2"]
    assert read.tags.count("table") == read.tags.count("caption") == read.tags.count("thead") == 1
    assert read.attributes.count(("scope", "col")) == 5
    assert read.attributes.count(("scope", "row")) == 2
    assert "Nothing: There was none." in read.text


def test_the_same_report_is_the_same_page():
    """
    Made again, a page is the same bytes.
    """
    assert as_page(sample(*HOSTILE)) == as_page(sample(*HOSTILE))
