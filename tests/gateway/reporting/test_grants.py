"""Exceptions of bundles, new and old."""

from dataclasses import replace

import pytest

from gateway.reporting.grants import broken_exceptions, exceptions_of
from tests.support.reports import BUNDLE, GRANTED


def test_those_that_are_whole_are_read():
    """
    An exception that lacks something is counted and not shown as one that holds.
    """
    entries = [GRANTED, {**GRANTED, "owner": ""}, "nonsense", None]
    bundle = replace(BUNDLE, data={"context": {"exceptions": {"granted": entries}}})
    assert [one.id for one in exceptions_of(bundle)] == ["EXC-2026-001"]
    assert broken_exceptions(bundle) == 3


@pytest.mark.parametrize(
    "data", [{}, {"context": []}, {"context": {"exceptions": None}}, {"context": {"exceptions": {"granted": {}}}}]
)
def test_a_bundle_without_a_table(data):
    """
    A bundle that has no table of exceptions has none.
    """
    assert exceptions_of(replace(BUNDLE, data=data)) == []
