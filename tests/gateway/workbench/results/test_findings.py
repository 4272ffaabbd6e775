"""Findings and tests with their places."""

from gateway.workbench.area_checks import Problem
from gateway.workbench.cases import Failure, read_cases
from gateway.workbench.results.findings import KINDS, BundleResult, failed, of_cases, of_problems, places_of_cases
from tests.support.bundles import SHIPPED

CASES = "context/classification/cases.yaml"


def test_each_problem_has_a_kind_that_never_changes():
    """
    A pipeline tells rules, tables, the registry and cases apart by a word.
    """
    files = ["context/a/a.rego", "context/a/data.yaml", "registry/agents/data.yaml", CASES, "context/cases.base.yaml"]
    found = of_problems([Problem(file, 3, "r", "m", "h", 4) for file in files])
    assert [one.kind for one in found] == ["rego", "table", "registry", "cases", "cases"]
    assert {one.kind for one in found} <= KINDS.keys()
    assert (found[0].line, found[0].column, found[0].entry) == (3, 4, "r")


def test_every_shipped_case_has_its_line():
    """
    A case that fails is shown at its line, a cell of a matrix in its row, what nothing is known of at its word.
    """
    cases = [case for case in read_cases(SHIPPED) if case.area == "classification"]
    lines = SHIPPED.checks[CASES].decode().split("\n")
    for one in of_cases(SHIPPED, cases, []):
        text = lines[one.line - 1]
        assert one.name in text or one.name.split(": ")[-1].split(",")[0] in text or "nothing_known" in text, one
        assert one.file == CASES
        assert not one.failure


def test_a_failure_is_told_of_its_own_case():
    """
    Only the case that fails is one, though another area has a case of the same name.
    """
    cases = read_cases(SHIPPED)
    tested = of_cases(SHIPPED, cases, [Failure(cases[0], permitted=False, codes=("X-1",))])
    assert [one.failure for one in tested if one.failure] == [
        f"{cases[0].area}: {cases[0].name}: should be allowed, is refused with X-1."
    ]
    assert [one.kind for one in failed(tested)] == ["case-fails"]


def test_files_of_any_shape_have_places():
    """
    What is no file of cases has no places, and is no accident.
    """
    for body in (b"", b"7", b"a: [", b"allowed: 7\nmatrix: [7, {cells: 7, columns: 7}]"):
        assert set(places_of_cases(body)) <= {"nothing known"}


def test_as_json():
    """
    Another program reads whether the bundle may decide, what was found, and how many tests were run.
    """
    document = BundleResult("policies", "sha256:x").as_json()
    assert document["may_decide"] is True
    assert document["tests"] == {"run": 0, "failed": []}
