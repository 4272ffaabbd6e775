"""Readings of a text, and the way back from each of their characters."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.text.view import Builder, View

TEXT = "0123456789"


def test_the_original_is_its_own_view():
    """
    In the original every stretch stands where it is.
    """
    assert View(TEXT).span(2, 5) == (2, 5)


def test_a_cut_keeps_its_place():
    """
    A stretch as a view of its own leads back to the original, also a stretch of a stretch.
    """
    cut = View(TEXT).cut(2, 8, "comment")
    assert (cut.text, cut.via, cut.span(1, 3)) == ("234567", "comment", (3, 5))
    inner = cut.cut(2, 4, "title")
    assert (inner.text, inner.via, inner.span(0, 2)) == ("45", "comment+title", (4, 6))


def test_what_is_decoded_stands_for_the_whole_stretch():
    """
    No character of what was decoded has a place of its own: each stands for all that was encoded.
    """
    decoded = View(TEXT).cut(2, 8, "comment").decoded(1, 4, "hello", "hex")
    assert (decoded.text, decoded.via) == ("hello", "comment+hex")
    assert {decoded.span(n, n + 1) for n in range(5)} == {(3, 6)}


def test_an_empty_stretch():
    """
    A stretch of nothing stands nowhere in particular, and is no error.
    """
    assert View(TEXT).cut(2, 8, "x").span(3, 3) == (0, 0)


class TestBuilder:
    def test_pieces(self):
        """
        What was copied keeps its places; what was written in the place of a stretch stands for all of it.
        """
        builder = Builder(View(TEXT))
        builder.copy(0, 2)
        builder.write("ab", 2, 5)
        builder.copy(8, 99)
        view = builder.view("x")
        assert (view.text, view.via) == ("01ab89", "x")
        assert [view.span(n, n + 1) for n in range(6)] == [(0, 1), (1, 2), (2, 5), (2, 5), (8, 9), (9, 10)]
        assert view.span(1, 5) == (1, 9)

    @given(st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(1, 5)), max_size=6))
    def test_views_of_views(self, steps):
        """
        Built twice over, every character still leads to a stretch of the original, with the text it was copied from.
        """
        view = View(TEXT)
        for _ in range(2):
            builder, end = Builder(view), 0
            for copied, gap, length in steps:
                start, end = end + gap, min(end + gap + length, len(view.text))
                if start < end:
                    builder.copy(start, end) if copied else builder.write("?", start, end)
            view = builder.view()
        for index, letter in enumerate(view.text):
            start, end = view.span(index, index + 1)
            assert 0 <= start < end <= len(TEXT)
            assert letter == "?" or TEXT[start:end] == letter
        assert view.via == "text"
