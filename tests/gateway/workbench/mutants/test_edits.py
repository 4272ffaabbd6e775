"""Every line of every alternative can be left out or turned round, each on its own."""

import pytest

from gateway.policy.rego.parse import parse
from gateway.workbench.mutants.edits import edits

_TEXT = """package a

default p := false

p if {
	input.x == 1
	not q
}

p if input.y in {1, 2}

q if {
	some row in input.rows
	every cell in row.cells { cell > 3 }
}

r := "a" if {
	input.z
} else := "b"

s contains {"code": "X-1"} if {
	not p
}

constant := 3

_rows := [row | some row in input.rows; row.x != 3]
"""
MODULE = parse("m.rego", _TEXT)
WHAT = [edit.what for edit in edits(MODULE)]


@pytest.mark.parametrize(
    "what",
    [
        "with the default true",
        "without its default",
        "without `input.x == 1`",
        "with `input.x != 1`",
        "without `not q`",
        "without the `not` of `not q`",
        "without the alternative `if { input.x == 1 not q }`",
        "without `input.y in {1, 2}`",
        "with `not input.y in {1, 2}`",
        "without the alternative `if input.y in {1, 2}`",
        "without `every cell in row.cells { cell > 3 }`",
        "without `cell > 3`",
        "with `cell <= 3`",
        "without `input.z`",
        'without `else := "b"`',
        "without `not p`",
        "without `constant := 3`",
    ],
)
def test_each_line_and_each_alternative_is_changed(what):
    """
    One-line rules, lines within lines, what widens and what narrows: each has its change, in words.
    """
    assert what in WHAT


def test_names_that_other_lines_read_stay():
    """
    A line that finds what later lines look at is not left out, since the rule would be none.
    """
    assert "without `some row in input.rows`" not in WHAT


def test_every_change_is_a_module_of_its_own():
    """
    Each change can be read, differs from the module, and is at the place that it names.
    """
    for edit in edits(MODULE):
        text = edit.applied(MODULE)
        assert text != _TEXT
        assert parse("m.rego", text).package == "a"
        assert _TEXT[edit.place.start : edit.place.end] not in {"", "\n"}


def test_changes_are_named_with_their_rule_and_line():
    """
    An officer who is told of a change finds it.
    """
    [edit] = [edit for edit in edits(MODULE) if edit.what == "without `not q`"]

    assert (edit.rule, edit.place.line, edit.place.column) == ("p", 7, 2)
    assert "\tinput.x == 1\n\ttrue\n" in edit.applied(MODULE)
