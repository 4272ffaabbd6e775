"""What stands where pieces meet."""

from gateway.content.together import runs


def told(*texts, edge=3):
    return [(run.text, [name for name, _ in run.parts]) for run in runs(list(zip("abcdef", texts, strict=False)), edge)]


def test_short_pieces_are_read_as_one():
    """
    Pieces shorter than two ends are read whole, as many as follow one another.
    """
    assert told("one", "two", "three") == [("one\ntwo\nthree", ["a", "b", "c"])]


def test_of_long_pieces_the_ends_are_read():
    """
    Where long pieces meet, the end of one is read with the beginning of the next.
    """
    assert told("0123456789", "ab", "9876543210") == [("789\nab\n987", ["a", "b", "c"])]


def test_a_piece_alone_is_no_run():
    """
    What stands alone was looked at already.
    """
    assert told("one") == told("0123456789") == told() == []


def test_a_stretch_is_of_the_pieces_that_it_touches():
    """
    A stretch belongs to every piece that it has a character of.
    """
    [run] = runs([("a", "one"), ("b", "two"), ("c", "six")], 3)
    assert run.within(0, 3) == ["a"]
    assert run.within(2, 5) == ["a", "b"]
    assert run.within(0, 11) == ["a", "b", "c"]
