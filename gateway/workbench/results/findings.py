"""What checks and tests of a bundle came to: findings with a place, and tests that hold or fail."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from gateway.policy.bundle import Bundle
from gateway.policy.supply.tables import TableError, read_yaml
from gateway.policy.vetting.matrix import PART
from gateway.policy.vetting.places import LineColumn, Path, Places
from gateway.policy.vetting.words import members
from gateway.workbench.area_checks import Problem
from gateway.workbench.cases import NOTED, Failure, OfficerCase

KINDS: Final = {
    "rego": "A rule that is not well formed, or not safe to decide.",
    "table": "A table that says what cannot be meant.",
    "registry": "An entry of the registry that is not whole, or names what there is not.",
    "cases": "A case that says nothing, or names what there is not.",
    "bundle": "A bundle that cannot be read or does not compile.",
    "case-fails": "A case, or a test in Rego, that does not hold.",
    "no-case": "A change of a rule that no case would notice.",
}
"""Kinds of findings, which never change their names, and what each means."""


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """Something that an officer must look at."""

    kind: str
    """One of `KINDS`."""

    file: str
    line: int
    column: int
    """From 1; 0 where the whole line is meant."""

    entry: str
    """The rule, the entry of a table, or the case."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case or a test, and why it fails."""

    suite: str
    """The area, or the engine that ran tests in Rego."""

    name: str
    file: str
    failure: str = ""
    """Empty where it holds."""

    line: int = 1


@dataclass(frozen=True, slots=True)
class BundleResult:
    """All that a command found."""

    bundle: str
    revision: str
    findings: tuple[CheckFinding, ...] = ()
    tested: tuple[CaseResult, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What was not done, such as tests on an engine that is not here."""

    def as_json(self) -> dict[str, Any]:
        """The same for other programs; only tests that fail are listed one by one."""
        return {
            "bundle": self.bundle,
            "revision": self.revision,
            "may_decide": not self.findings,
            "findings": [asdict(one) for one in self.findings],
            "tests": {"run": len(self.tested), "failed": [asdict(one) for one in self.tested if one.failure]},
            "counts": self.counts,
            "notes": list(self.notes),
        }


def of_problems(problems: Iterable[Problem]) -> tuple[CheckFinding, ...]:
    """What a check found."""
    return tuple(
        CheckFinding(_kind(one.file), one.file, one.line, one.column, one.rule, one.message, one.hint)
        for one in problems
    )


def _kind(file: str) -> str:
    if file.endswith(".rego"):
        return "rego"
    if "cases" in file.rpartition("/")[2]:
        return "cases"
    return "registry" if file.startswith("registry/") else "table"


def of_cases(bundle: Bundle, cases: Sequence[OfficerCase], failures: Sequence[Failure]) -> tuple[CaseResult, ...]:
    """Each case by its area, with its place in its file."""
    said = {(one.case.area, one.case.name, id(one.case)): str(one) for one in failures}
    places: dict[str, dict[str, LineColumn]] = {}
    found = []
    for case in cases:
        file = f"context/{case.area}/cases.yaml"
        if file not in places:
            places[file] = places_of_cases(bundle.checks.get(file, b""))
        failure = said.get((case.area, case.name, id(case)), "")
        line, _ = places[file].get(case.name, (1, 1))
        found.append(CaseResult(case.area, case.name, file, failure, line))
    return tuple(found)


def failed(tested: Iterable[CaseResult]) -> tuple[CheckFinding, ...]:
    """The tests that fail, as findings."""
    return tuple(
        CheckFinding("case-fails", one.file, one.line, 0, one.name, one.failure) for one in tested if one.failure
    )


def places_of_cases(body: bytes) -> dict[str, LineColumn]:
    """Where each case of a file stands, by its name; the cell of a matrix in its row."""
    try:
        document = read_yaml(body)
    except TableError:
        return {}
    held, found = Places(body), dict[str, LineColumn]()
    for part in ("allowed", "refused", *NOTED):
        for index, case in members(document.get(part) if isinstance(document, dict) else None):
            if isinstance(case, dict):
                found.setdefault(str(case.get("case")), held.of((part, index)))
    for index, matrix in members(document.get(PART) if isinstance(document, dict) else None):
        if isinstance(matrix, dict):
            found |= _cells(matrix, held, (PART, index))
    return {**found, "nothing known": held.of(("nothing_known",), key=True)}


def _cells(matrix: dict[str, Any], held: Places, path: Path) -> dict[str, LineColumn]:
    columns = matrix.get("columns")
    # A column may stand for several values, and each has a cell of its own in every row.
    names = [
        str(one)
        for name, change in (columns.items() if isinstance(columns, dict) else ())
        for one in (change if isinstance(change, list) else [name])
    ]
    return {
        f"{matrix.get('case')}: {row}, {name}": held.of((*path, "cells", row, str(index)))
        for row, _ in members(matrix.get("cells"))
        for index, name in enumerate(names)
    }
