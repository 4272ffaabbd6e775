"""
A hundred changes that a hurried or a hostile hand would make, drawn with a fixed seed: each is told of.

A change is found where a case or a Rego test fails, or where the mutation of the changed rule names a line that nothing holds,
which is how an alternative is found that somebody added beside what the cases are about.
"""

from collections import Counter
from functools import cache

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.policies import failing_rego_tests
from gateway.errors import BundleInvalidError
from gateway.workbench.cases import read_cases
from gateway.workbench.mutants.edits import edits
from gateway.workbench.mutants.trial import Trial
from tests.support.bundles import SHIPPED, with_module
from tests.support.seeded_mutants import readable, seeded

_MANY = 100
_CASES = read_cases(SHIPPED)


@cache
def trial():
    return Trial(SHIPPED, _CASES, RegorusPolicyEngine, failing_rego_tests)


def found(one):
    """Who tells of a change; empty where nobody does."""
    try:
        return trial().noticed_by(one.file, one.text) or _by_mutation(one)
    except BundleInvalidError as error:
        return f"it is no policy any more: {str(error)[:60]}"


def _by_mutation(one):
    """The first line of the changed rule that no case holds, where all lines of it were held before."""
    changed = with_module(one.file, lambda _: one.text)
    now = Trial(changed, _CASES, RegorusPolicyEngine, failing_rego_tests)
    for edit in edits(readable(one)):
        if edit.rule == one.rule and not now.noticed_by(one.file, edit.applied(readable(one))):
            return f"mutation: {edit.what}"
    return ""


@pytest.mark.parametrize("one", seeded(_MANY), ids=str)
def test_a_change_is_told_of(one):
    """
    A change of any kind makes a case fail, or is named as held by none.
    """
    assert found(one)


def test_the_changes_are_of_every_kind_and_the_same_every_time():
    """
    The hundred are of all kinds, no two alike, and drawn the same by everybody.
    """
    drawn = seeded(_MANY)
    kinds = Counter(one.kind for one in drawn)

    assert len({str(one) for one in drawn}) == _MANY
    assert kinds.keys() == {
        "operator",
        "dropped not",
        "in another set",
        "another table",
        "threshold",
        "dropped alternative",
        "added alternative",
    }
    assert [str(one) for one in seeded(_MANY)] == [str(one) for one in drawn]
