"""Long texts in pieces that overlap."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.text.windows import windows


def test_windows_cover_everything():
    """
    Every character is in a window, and neighbours overlap.
    """
    for length in (0, 1, 900, 901, 2100, 5000):
        pieces = windows("x" * length)
        assert pieces[0][0] == 0
        assert pieces[-1][1] == length
        assert all(later[0] < earlier[1] for earlier, later in itertools.pairwise(pieces))


@given(st.integers(0, 6_000), st.integers(2, 60), st.data())
def test_every_stretch_that_fits_is_whole_somewhere(length, width, data):
    """
    What is no longer than the overlap stands whole in some window; no window is wider than it may be.
    """
    stride = data.draw(st.integers(1, width - 1))
    pieces = windows("x" * length, width, stride)
    assert all(end - start <= width for start, end in pieces)
    assert (pieces[0][0], pieces[-1][1]) == (0, length)
    overlap = width - stride
    for start in range(0, max(1, length - overlap), max(1, length // 20)):
        end = min(start + overlap, length)
        assert any(first <= start and end <= last for first, last in pieces)
