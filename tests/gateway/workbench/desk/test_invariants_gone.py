"""Invariants that a candidate does without."""

from gateway.workbench.desk.invariants_gone import invariants_gone
from gateway.workbench.proving.invariants import FILE

ONE = """
invariants:
  - {id: INV-001, title: one, never: {item.domain: NPA}}
  - {id: INV-002, title: two, never: {item.domain: ORM}}
"""


def gone(new, old=ONE):
    before = {FILE: old.encode()} if old is not None else {}
    found = invariants_gone(before, {FILE: new.encode()} if new is not None else {})
    return [(one.kind, one.case) for one in found]


def test_what_is_kept_is_not_told():
    """
    The same invariants, in another order or with other titles, and more of them, ask nobody to acknowledge anything.
    """
    more = "invariants:\n  - {id: INV-002, title: b, never: {item.domain: ORM}}\n  - {id: INV-003}\n"
    assert gone(more + "  - {id: INV-001, never: {item.domain: NPA}}\n") == []
    assert gone(ONE, old=None) == []


def test_what_goes_is_told():
    """
    An invariant that is gone, with its file or alone, and one that says something else, is named for whoever activates.
    """
    assert gone(None) == [("removed", "INV-001"), ("removed", "INV-002")]
    assert gone("invariants: 7\n") == [("removed", "INV-001"), ("removed", "INV-002")]
    assert gone(ONE.replace("ORM", "DESK")) == [("changed", "INV-002")]
    assert gone(ONE.replace("INV-002, title: two,", "INV-002, asked: scope,")) == [("changed", "INV-002")]


def test_what_cannot_be_read_is_told():
    """
    Where the invariants of the bundle that decides cannot be read, an officer acknowledges just that.
    """
    assert gone(ONE, old="invariants: [") == [("changed", "all")]
    assert gone("invariants: [") == [("removed", "INV-001"), ("removed", "INV-002")]
