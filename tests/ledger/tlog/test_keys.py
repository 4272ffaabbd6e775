"""Keys that sign from one size of a log to another."""

import pytest

from ledger.tlog.keys import LogKey, spans
from tests.support.strategies import keys


@pytest.mark.parametrize(("first", "last", "size", "holds"), [(0, None, 9, True), (3, 5, 2, False), (3, 5, 3, True)])
def test_a_key_spans_its_sizes(first, last, size, holds):
    """
    A key signs the trees from its first size to its last, both included; one without sizes signs all.
    """
    [key] = keys()
    assert spans(LogKey(key, first, last), size) is holds
    assert spans(key, size)


def test_the_last_size_is_its_own():
    """
    The largest tree that a key signs is the one of its last size.
    """
    [key] = keys()
    assert [LogKey(key, 3, 5).spans(size) for size in (5, 6)] == [True, False]


def test_sizes_are_only_narrowed():
    """
    What is known of a key from two places counts as far as both go.
    """
    [key] = keys()
    known = LogKey(key, 3, 9)
    assert (known.within(0, None).first, known.within(0, None).last) == (3, 9)
    assert (known.within(5, 7).first, known.within(5, 7).last) == (5, 7)
    assert LogKey(key).within(0, 7).last == 7
