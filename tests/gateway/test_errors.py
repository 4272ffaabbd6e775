"""The error tree."""

import re

import pytest

from gateway import errors
from gateway.errors import GatewayError


def test_every_error_has_a_code_of_its_own():
    """
    No two errors share a code.
    """

    def tree(kind):
        yield kind
        for child in kind.__subclasses__():
            yield from tree(child)

    codes = [kind.code for kind in tree(GatewayError)]
    assert len(codes) == len(set(codes))


KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, GatewayError)]


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
