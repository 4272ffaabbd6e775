from gateway.workbench.proving.formulas.moving import moved
from gateway.workbench.proving.formulas.terms import (
    Index,
    conjoined,
    equal,
    exists,
    negated,
    some_text,
    some_truth,
    text,
)


def test_a_formula_speaks_of_the_members_of_another_list():
    """Of what is left of a list the members are others; whether there is a list at all stays the same."""
    index, other = Index(("list",), 0), Index(("other",), 0)
    there = negated(some_truth("list", "?1"))
    holds = exists([index], equal(some_text("list", index), text("HK")))
    left = exists([other], equal(some_text("other", other), text("HK")))
    assert moved(conjoined([there, holds]), ("list",), ("other",)) is conjoined([there, left])
