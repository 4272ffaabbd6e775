"""A page with what was found marked in the texts: whatever stands in a text, it is text on the page."""

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from gateway.cli.html import highlighted
from gateway.model import Finding
from gateway.workbench.scan import Scan

TEXT = "Call <b>Kelvin</b> & co."


def finding(start, end, kind="pii", type_="PERSON"):
    return Finding(kind=kind, type=type_, score=0.5, start=start, end=end, detector="d")


def page(text, *findings, flagged=False):
    return highlighted([("note.txt", text, Scan(tuple(findings), 0.5, flagged))])


def test_a_mark_says_what_was_found():
    """
    A mark stands around the letters that were found, and says type, score and detector.
    """
    start = TEXT.index("Kelvin")
    assert '<mark class="pii" title="PERSON 0.50 d">Kelvin</mark>' in page(TEXT, finding(start, start + 6))


def test_markup_in_a_text_or_name_is_text():
    """
    Nothing of a text, a file's name or a type becomes part of the page.
    """
    made = highlighted([("<script>", "<script>x</script>", Scan((finding(0, 8, type_='"><script>'),), 0.0, False))])
    assert "<script" not in made


def test_a_value_and_the_window_around_it():
    """
    Of a value and a window that overlap the value is marked, so that no mark stands in another.
    """
    made = page("0123456789", finding(2, 4), finding(0, 10, kind="injection", type_="override"))
    assert re.findall(r'<mark class="(\w+)"', made) == ["pii"]


def test_whether_it_was_set_aside():
    """
    The page says of each text whether policy would set it aside.
    """
    assert ", set aside" in page("x", flagged=True)
    assert ", set aside" not in page("x")


@given(st.text("<>&ab", max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_no_letter_is_lost(text, spans):
    """
    Whatever is marked, the text on the page is the text.
    """
    found = [finding(start, min(end, len(text))) for start, end in spans if start <= len(text)]
    body = re.search(r"<pre>(.*)</pre>", page(text, *found), re.DOTALL)[1]
    assert html.unescape(re.sub(r"</?mark[^>]*>", "", body)) == text
