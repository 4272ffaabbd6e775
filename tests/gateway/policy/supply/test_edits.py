"""Edits that leave every other byte as it is."""

import pytest

from gateway.errors import BundleInvalidError
from gateway.policy.supply.edits import with_item, without
from gateway.policy.supply.tables import read_yaml

TEXT = """# Owner: Compliance.

# What may be waived.
waivable: [A-1]  # for now
rows:
    # the first one
    - id: one
      why: >
        because
        of that
    - {id: two}   # in short

# What comes after.
after: 1
"""


def test_an_item_goes_and_the_rest_stays():
    """
    Comments, blank lines, indentation and the order of everything else are as they were.
    """
    assert without(TEXT, "rows", 1) == TEXT.replace("    - {id: two}   # in short\n", "")
    gone = without(TEXT, "rows", 0)
    assert read_yaml(gone)["rows"] == [{"id": "two"}]
    assert "# the first one" in gone
    assert gone.endswith("# What comes after.\nafter: 1\n")


def test_an_item_comes_last_and_the_rest_stays():
    """
    A new line stands behind the others, before what comes after, at their own indentation.
    """
    text = with_item(TEXT, "rows", "- id: three\n  why: new")
    assert read_yaml(text)["rows"][-1] == {"id": "three", "why": "new"}
    assert text.replace("    - id: three\n      why: new\n", "") == TEXT


def test_the_last_one_and_the_first():
    """
    A list from which all is taken is an empty one, and can be added to again.
    """
    empty = without(without(TEXT, "rows", 0), "rows", 0)
    assert read_yaml(empty)["rows"] == []
    again = with_item(empty, "rows", "- id: four")
    assert read_yaml(again)["rows"] == [{"id": "four"}]
    assert read_yaml(again)["after"] == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda: without(TEXT, "rows", 2),
        lambda: without(TEXT, "waivable", 0),
        lambda: with_item(TEXT, "waivable", "- B-1"),
        lambda: with_item(TEXT, "after", "- B-1"),
        lambda: without("a: [", "a", 0),
        lambda: without("[]", "a", 0),
    ],
)
def test_what_cannot_be_edited_is_refused(act):
    """
    A list on one line, one that is not there and what is no YAML are refused, and nothing is written.
    """
    with pytest.raises(BundleInvalidError):
        act()
