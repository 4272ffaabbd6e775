"""
Cases written as a matrix: who, down the side, and what, along the top; in each cell `allowed`, or the code that refuses.

A matrix is short for cases and nothing else: whoever reads a file of cases reads it through `expanded`, so that all see the same.

    matrix:
      - case: roles and classifications
        rows: subject.role
        columns: {item.data_classification: [PUBLIC, RESTRICTED]}
        cells:
          analyst: [allowed, CLS-001]
          checker: [allowed, allowed]
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.errors import BundleInvalidError

PART: Final = "matrix"
WORDS: Final = ("case", "change", "rows", "columns", "cells", "unknown")
ALLOWED: Final = "allowed"
MOST_CELLS: Final = 2_000
"""Cells of one file, at most."""

MOST_VALUES: Final = 200
"""Values of what a row, a column or a whole matrix changes, at most: each cell has all three."""


def expanded(document: Mapping[str, Any]) -> dict[str, Any]:
    """
    A file of cases in which every cell of a matrix is a case of its own, behind those that are written out.

    Raises:
        BundleInvalidError: a matrix is not one, or has too many cells; the message names it.
    """
    if PART not in document:
        return dict(document)
    found = {name: part for name, part in document.items() if name != PART}
    cells = list(_all_cells(document[PART]))
    for part in ("allowed", "refused"):
        more = [case for kind, case in cells if kind == part]
        if more:
            found[part] = [*(document.get(part) or ()), *more]
    return found


def _all_cells(matrices: object) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(matrices, list):
        raise BundleInvalidError("`matrix` is no list of matrices")
    count = 0
    for matrix in matrices:
        for cell in _cells(matrix):
            count += 1
            if count > MOST_CELLS:
                raise BundleInvalidError(f"the matrices have more than {MOST_CELLS} cells")
            yield cell


def _cells(matrix: Any) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - YAML
    try:
        name, cells, common = str(matrix["case"]), matrix["cells"], _bounded(matrix.get("change") or {})
        columns = list(columns_of(matrix["columns"]).items())
        rows = rows_of(matrix["rows"], cells)
        for row, line in cells.items():
            for (column, change), cell in zip(columns, line, strict=True):
                facts = overlaid(common, overlaid(rows[str(row)], change))
                said = {"case": f"{name}: {row}, {column}", "change": facts}
                said |= {"unknown": matrix["unknown"]} if "unknown" in matrix else {}
                if cell == ALLOWED:
                    yield "allowed", said
                else:
                    yield "refused", {**said, "codes": [cell] if isinstance(cell, str) else [*cell]}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BundleInvalidError("a matrix has rows, columns, and in `cells` one cell for each column") from error


def rows_of(said: Any, cells: Mapping[Any, Any]) -> dict[str, Any]:  # noqa: ANN401 - YAML
    """What each row changes: it is written out, or the row's name is the value of one fact."""
    if isinstance(said, str):
        return {str(name): _at(said, name) for name in cells}
    return {str(name): _bounded(change) for name, change in said.items()}


def columns_of(said: Mapping[str, Any]) -> dict[str, Any]:
    """What each column changes, in order: it is written out, or the column's name is the value of one fact."""
    found: dict[str, Any] = {}
    for name, change in said.items():
        found |= (
            {str(one): _at(name, one) for one in change} if isinstance(change, list) else {str(name): _bounded(change)}
        )
    return found


def overlaid(under: Any, over: Any) -> Any:  # noqa: ANN401 - any JSON
    """*under* with what *over* names (RFC 7386, but null stays null)."""
    if not isinstance(over, dict) or not isinstance(under, dict):
        return over
    return {**under, **{name: overlaid(under.get(name), value) for name, value in over.items()}}


def _at(path: str, value: object) -> dict[str, Any]:
    steps = path.split(".")
    if len(steps) > 4 or not all(step.isidentifier() for step in steps):
        raise ValueError(path)
    found: Any = value
    for step in reversed(steps):
        found = {step: found}
    changed: dict[str, Any] = found
    return changed


def _bounded(change: Any) -> dict[str, Any]:  # noqa: ANN401 - YAML
    waiting, count = [change], 0
    while waiting:
        value = waiting.pop()
        count += 1
        if count > MOST_VALUES or not isinstance(change, dict):
            raise BundleInvalidError(f"a matrix changes facts, and at most {MOST_VALUES} at once")
        waiting += list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    changed: dict[str, Any] = change
    return changed
