"""Cases as a matrix: each cell is a case."""

import pytest

from gateway.errors import BundleInvalidError
from gateway.policy.vetting.matrix import MOST_CELLS, MOST_VALUES, expanded, overlaid

MATRIX = {
    "case": "clearance",
    "rows": "subject.role",
    "columns": {"item.data_classification": ["LOW", "HIGH"]},
    "cells": {"junior": ["allowed", "CLS-001"], "senior": ["allowed", ["CLS-001", "CLS-002"]]},
}


def test_each_cell_is_a_case():
    """
    A cell that says `allowed` is an allowed case, any other one is refused with its codes; those written out come first.
    """
    found = expanded({"area": "a", "allowed": [{"case": "mine", "change": {}}], "matrix": [MATRIX]})
    assert [case["case"] for case in found["allowed"]] == ["mine", "clearance: junior, LOW", "clearance: senior, LOW"]
    assert found["allowed"][1]["change"] == {"subject": {"role": "junior"}, "item": {"data_classification": "LOW"}}
    assert [case["codes"] for case in found["refused"]] == [["CLS-001"], ["CLS-001", "CLS-002"]]
    assert "matrix" not in found


def test_rows_and_columns_that_are_written_out():
    """
    A row or a column may change several facts, and all cells may share a change and what is unknown on purpose.
    """
    matrix = {
        "case": "m",
        "change": {"now": "t"},
        "unknown": ["X"],
        "rows": {"one": {"agent": {"id": "X"}}},
        "columns": {"wide": {"item": {"domain": None}}},
        "cells": {"one": ["ENT-001"]},
    }
    [case] = expanded({"matrix": [matrix]})["refused"]
    assert case["change"] == {"now": "t", "agent": {"id": "X"}, "item": {"domain": None}}
    assert case["unknown"] == ["X"]


@pytest.mark.parametrize(
    "change",
    [
        {"cells": {"junior": ["allowed"]}},
        {"cells": {"junior": ["allowed", "CLS-001", "allowed"]}},
        {"cells": {"junior": 7}},
        {"cells": {"junior": [7, 7]}},
        {"rows": {"other": {}}},
        {"rows": 7},
        {"rows": "subject..role"},
        {"rows": "a.b.c.d.e"},
        {"columns": []},
        {"columns": {"x": 7}},
        {"case": "y", "cells": None},
    ],
)
def test_what_is_no_matrix(change):
    """
    A cell too few or too many, a row without a meaning or another shape is refused in words, and never by accident.
    """
    with pytest.raises(BundleInvalidError, match="matri"):
        expanded({"matrix": [{**MATRIX, **change}]})


@pytest.mark.parametrize("matrices", [7, {"a": 1}, [7], [None], [{}]])
def test_what_is_no_list_of_matrices(matrices):
    """
    Whatever stands there instead of a list is refused.
    """
    with pytest.raises(BundleInvalidError):
        expanded({"matrix": matrices})


def test_bounds():
    """
    A file has so many cells and a row changes so many values, at most, since every cell has the row's change.
    """
    many = {"case": "m", "rows": "a", "columns": {"b": [1]}, "cells": {n: ["allowed"] for n in range(MOST_CELLS + 1)}}
    with pytest.raises(BundleInvalidError, match="cells"):
        expanded({"matrix": [many]})
    wide = {**MATRIX, "change": {"items": list(range(MOST_VALUES))}}
    with pytest.raises(BundleInvalidError, match="at once"):
        expanded({"matrix": [wide]})


def test_a_change_lies_over_what_it_names():
    """
    Members that are not named stay; null takes a fact away and stays null.
    """
    assert overlaid({"a": {"b": 1, "c": 2}}, {"a": {"c": None}, "d": []}) == {"a": {"b": 1, "c": None}, "d": []}
