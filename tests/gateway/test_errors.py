"""The error tree."""

import re

import pytest

from gateway import errors
from gateway.errors import GatewayError

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, GatewayError)]
"""Those that anybody hears of: what adapters and tests raise among themselves has the code of its parent."""


def test_every_error_has_a_code_of_its_own():
    """
    No two errors share a code.
    """
    codes = [kind.code for kind in KINDS]
    assert len(codes) == len(set(codes))


def test_the_tree_in_the_docstring_is_the_tree():
    """
    Every error stands once in the picture at the head of the module, below the line of its parent.
    """
    lines = errors.__doc__.splitlines()
    where = {}
    for number, line in enumerate(lines):
        for match in re.finditer(r"\w+Error\b", line.split("  what")[0]):
            where.setdefault(match.group(), (number, line.index(re.search(r"\w+Error", line).group())))
    assert {kind.__name__ for kind in KINDS} == where.keys()
    for kind in KINDS:
        if kind is not GatewayError:
            (mine, inner), (theirs, outer) = where[kind.__name__], where[kind.__base__.__name__]
            assert mine > theirs, kind.__name__
            assert inner > outer, kind.__name__


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_error_says_what_it_was_given(kind):
    """
    Whatever its kind, an error carries its sentence, fields and reasons, and is not on record before somebody recorded it.
    """
    error = kind("a sentence", fields=[("a", "b")], reasons=["X-1"])
    assert (str(error), error.detail, error.fields, error.reasons) == (
        "a sentence",
        "a sentence",
        (("a", "b"),),
        ("X-1",),
    )
    assert error.recorded is False
    assert re.fullmatch(r"GW-\d{3}", kind.code)
