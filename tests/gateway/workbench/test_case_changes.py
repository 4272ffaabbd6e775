"""What the checks of one bundle found and those of the next would not."""

import pytest

from gateway.errors import BundleInvalidError
from gateway.workbench.case_changes import cases_changed, digest_of
from tests.support.bundles import files
from tests.support.effort import Effort

JURISDICTION = "context/jurisdiction/cases.yaml"
CLASSIFICATION = "context/classification/cases.yaml"
REGO = "context/jurisdiction/jurisdiction_test.rego"
BASE = "context/cases.base.yaml"
OTHER = '  - case: "a corpus that is not on record"\n    change: {item: {corpus: downloads}}\n    unknown: [downloads]\n    codes: [JUR-004]\n'
HOME = '  - case: "group-wide"\n    change: {item: {jurisdiction: GLOBAL}}\n    answers: {applicable: [SG, GLOBAL]}\n'


def encoded(found):
    return {name: text.encode() for name, text in found.items()}


def changes(*change, without=()):
    new = files(change)
    for name in without:
        del new[name]
    return cases_changed(encoded(files()), encoded(new))


def told(*change, without=()):
    return [(one.kind, one.file, one.case) for one in changes(*change, without=without)]


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ((JURISDICTION, OTHER, ""), [("removed", "a corpus that is not on record")]),
        ((JURISDICTION, "corpus: downloads", "corpus: uploads"), [("changed", "a corpus that is not on record")]),
        ((JURISDICTION, "codes: [JUR-001, JUR-002, JUR-003]", "codes: [JUR-003]"), [("weakened", "no jurisdiction")]),
        ((JURISDICTION, "\n    answers: {applicable: [SG, GLOBAL]}", ""), [("weakened", "group-wide")]),
        ((JURISDICTION, "[SG, GLOBAL]}", "[SG]}"), [("weakened", "group-wide")]),
        ((JURISDICTION, "JUR-004, JUR-005]\n", "JUR-005]\n"), [("weakened", "nothing known")]),
        ((JURISDICTION, OTHER, OTHER.replace("not on record", "new")), []),
        ((JURISDICTION, "[SG, GLOBAL]}", "[GLOBAL, SG]}"), []),
        ((JURISDICTION, "codes: [JUR-003]", "codes: [JUR-003, JUR-004]"), []),
        ((JURISDICTION, HOME, HOME + '  - case: "more"\n    change: {item: {corpus: sfas}}\n'), []),
    ],
)  # fmt: skip
def test_what_is_lost_is_told_and_nothing_else(change, kinds):
    """
    A case that is gone, asks something else or expects less is told; one that is renamed, added or stricter is not.
    """
    assert [(kind, case) for kind, _, case in told(change)] == kinds


def test_what_was_refused_and_is_allowed_now():
    """
    A case that moves from `refused` to `allowed` is weakened, with both expectations in words.
    """
    text = files()[JURISDICTION]
    moved = OTHER.replace("    codes: [JUR-004]\n", "")
    new = text.replace(OTHER, "").replace("refused:\n", f"{moved}refused:\n", 1)
    found = changes((JURISDICTION, text, new))
    assert [str(one) for one in found] == [
        f"{JURISDICTION}: a corpus that is not on record: refused with JUR-004, and now allowed."
    ]


def test_what_was_allowed_and_is_refused_now_is_stricter():
    """
    Whoever tightens a rule and its case loses nothing.
    """
    text = files()[CLASSIFICATION]
    new = text.replace("analyst: [allowed, allowed, allowed,", "analyst: [allowed, allowed, CLS-001,")
    assert new != text
    assert told((CLASSIFICATION, text, new)) == []


def test_a_cell_of_a_matrix_is_a_case():
    """
    A cell that allows what it refused is weakened, and a matrix that says the same as cases that are written out loses none.
    """
    text = files()[CLASSIFICATION]
    found = changes(
        (
            CLASSIFICATION,
            text,
            text.replace("allowed, allowed, allowed, CLS-001]", "allowed, allowed, allowed, allowed]"),
        )
    )
    assert [(one.kind, one.case) for one in found] == [("weakened", "clearance: analyst, RESTRICTED")]
    cell = '  - case: "mine"\n    change: {item: {data_classification: RESTRICTED}}\n    codes: [CLS-001]\n'
    written = encoded(files()) | {CLASSIFICATION: text.replace("refused:\n", f"refused:\n{cell}").encode()}
    assert cases_changed(written, encoded(files())) == []


def test_cases_of_an_area_that_are_gone_and_the_codes_that_nobody_expects():
    """
    An officer who leaves out a file of cases is told each case of it, and each code that no case expects any more.
    """
    found = told(without=[CLASSIFICATION])
    assert [case for kind, _, case in found if kind == "uncovered"] == ["CLS-001", "CLS-002", "CLS-003"]
    assert sum(kind == "removed" for kind, *_ in found) == 36


def test_the_input_that_every_case_starts_from():
    """
    A base that changes changes every case, and is told once, with both values.
    """
    found = changes((BASE, "role: analyst, department", "role: checker, department"))
    assert [(one.kind, one.case) for one in found] == [("changed", "subject/role")]
    assert '"checker"' in found[0].message
    assert '"analyst"' in found[0].message
    assert ("changed", BASE, "now") in told(without=[BASE])


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("test_", "todo_test_", ["removed"]),
        ("test_corpora", "test_the_corpora", []),
        ('not "rbi_directions" in corpora', "true", ["changed"]),
        ("import data.context.jurisdiction", "import data.context.pii as jurisdiction", ["removed"]),
        ("package", "# a comment\n\npackage", []),
    ],
)
def test_tests_in_rego(old, new, kinds):
    """
    A Rego test that is gone, is no test any more or says something else is told; one that only has another name is not.
    """
    assert [kind for kind, *_ in told((REGO, old, new))] == kinds


def test_a_file_of_tests_that_is_gone():
    """
    A Rego test file that is left out is told by each of its tests.
    """
    assert {kind for kind, *_ in told(without=[REGO])} == {"removed"}
    assert any(case.startswith("test_") for *_, case in told(without=[REGO]))


def test_old_cases_that_cannot_be_read_may_have_been_lost():
    """
    Of what an earlier version kept and this one cannot read, nobody can say that it is kept.
    """
    old = encoded(files()) | {JURISDICTION: b"a: [1"}
    assert [(one.kind, one.case) for one in cases_changed(old, encoded(files()))] == [("changed", "all")]


def test_a_bundle_whose_cases_were_not_kept():
    """
    Where nobody kept the cases of the bundle that decides, that is told, and not that nothing is lost.
    """
    assert [(one.kind, one.case) for one in cases_changed({"context/a.rego": b""}, encoded(files()))] == [
        ("changed", "all")
    ]


def test_new_cases_that_cannot_be_read_are_refused():
    """
    A file of cases that is no YAML is refused by its name.
    """
    with pytest.raises(BundleInvalidError, match=JURISDICTION):
        cases_changed(encoded(files()), encoded(files()) | {JURISDICTION: b"a: [1"})


@pytest.mark.parametrize(
    "text", ["", "7", "allowed: 7", "allowed: [7, {case: 1}]\nnothing_known: 7", "refused: {a: {codes: x}}"]
)
def test_files_of_any_shape(text):
    """
    Whatever a file of cases holds, the comparison ends with what is lost.
    """
    found = cases_changed(encoded(files()), encoded(files()) | {JURISDICTION: text.encode()})
    assert any(one.kind == "removed" for one in found)


def test_one_digest_stands_for_the_changes_in_any_order():
    """
    What an officer acknowledges is this list and no other.
    """
    found = changes(without=[CLASSIFICATION])
    assert digest_of(found) == digest_of(reversed(found))
    assert digest_of(found) != digest_of(found[1:])
    assert digest_of(found).startswith("sha256:")


def test_the_cost_grows_with_the_files():
    """
    Ten thousand cases cost some passes over them.
    """
    lines = "".join(f'  - case: "c{n}"\n    change: {{item: {{owner: "o{n}"}}}}\n' for n in range(10_000))
    text = files()[JURISDICTION].replace("allowed:\n", f"allowed:\n{lines}")
    many = encoded(files()) | {JURISDICTION: text.encode()}
    Effort().within(60, lambda: cases_changed(many, encoded(files())))
