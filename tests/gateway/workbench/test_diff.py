"""What differs between two bundles, in words."""

import pytest

from gateway.policy.bundle import Bundle
from gateway.workbench.diff import diff

REFUSAL = """# METADATA
# title: Too old
# description: The item is too old.
# custom:
#   code: FRS-001
deny contains {"code": "FRS-001", "message": "x"} if {
	not fresh
}
"""


def bundle(rego="", **data):
    return Bundle("sha256:0", {"a.rego": "package a\n" + rego}, data)


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ({"x": 1}, {"x": 2}, ["table x: 1 becomes 2."]),
        ({"x": {"a": 1}}, {"x": {"b": 2}}, ["table x: the row a (1) is removed.", "table x: the row b is added: 2."]),
        ({"x": [1, 2]}, {"x": [2, 3]}, ["table x: 1 is removed.", "table x: 3 is added."]),
        ({"x": ["a", "b"]}, {"x": ["b", "a"]}, ["table x: the order changes to ['b', 'a']."]),
        ({"x": {"y": {"z": True}}}, {"x": {"y": {"z": None}}}, ["table x.y.z: True becomes None."]),
        ({"x": [1]}, {"x": 1}, ["table x: [1] becomes 1."]),
        ({"x": 1}, {"x": 1}, []),
    ],
)
def test_tables(old, new, sentences):
    """
    Each row that comes, goes or changes is one sentence, also deep in a table and in the order of a list.
    """
    assert diff(bundle(**old), bundle(**new)) == sentences


def test_refusals():
    """
    A refusal that comes, goes or is described otherwise is named by its code and title.
    """
    assert diff(bundle(), bundle(REFUSAL))[0] == (
        "a.rego: the refusal FRS-001 (Too old) is added: The item is too old."
    )
    assert diff(bundle(REFUSAL), bundle())[0] == "a.rego: the refusal FRS-001 (Too old) is removed."
    assert diff(bundle(REFUSAL), bundle(REFUSAL.replace("too old.", "far too old."))) == [
        "a.rego: the refusal FRS-001 (Too old) is described differently."
    ]


def test_lines_that_decide():
    """
    A line of a rule that changes is shown as it was and as it is.
    """
    assert diff(bundle(REFUSAL), bundle(REFUSAL.replace("not fresh", "not recent"))) == [
        "a.rego: added: not recent",
        "a.rego: removed: not fresh",
    ]


def test_only_comments():
    """
    A module whose text differs in comments alone says so, rather than nothing.
    """
    assert diff(bundle("# one\n"), bundle("# two\n")) == ["a.rego: only comments or the order of lines differ."]


def test_modules():
    """
    A module that comes or goes is named.
    """
    none = Bundle("sha256:0", {}, {})
    assert diff(none, bundle()) == ["a.rego is added."]
    assert diff(bundle(), none) == ["a.rego is removed."]
