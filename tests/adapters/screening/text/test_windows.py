"""Long texts in pieces that overlap."""

import itertools

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
