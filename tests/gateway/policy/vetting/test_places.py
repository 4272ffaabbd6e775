"""Where a value stands in a YAML file."""

import pytest

from gateway.policy.vetting.places import Places

TEXT = b"# first\na:\n  b: [x, {c: y}]\n  1: z\n"


@pytest.mark.parametrize(
    ("path", "key", "place"),
    [
        ((), False, (2, 1)),
        (("a", "b", "0"), False, (3, 7)),
        (("a", "b", "1", "c"), False, (3, 14)),
        (("a", "b", "1", "c"), True, (3, 11)),
        (("a", "1"), False, (4, 6)),
        (("a", "b", "1", "missing"), False, (3, 10)),
        (("a", "missing", "far"), False, (2, 1)),
        (("missing",), True, (2, 1)),
    ],
)
def test_keys_and_values(path, key, place):
    """
    A value and a key have a line and a column; what is missing has those of what it should stand in.
    """
    assert Places(TEXT).of(path, key=key) == place


def test_what_cannot_be_read_has_its_beginning():
    """
    Of what is no YAML, or nothing, the place is the first.
    """
    assert [Places(body).of(("a",)) for body in (b"", b"a: [", b"\x00")] == [(1, 1)] * 3
