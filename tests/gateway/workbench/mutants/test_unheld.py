"""The file of what is known to be noticed by no case says neither more nor less than is true."""

import pytest

from gateway.errors import BundleInvalidError
from gateway.workbench.mutants.change import RuleChange
from gateway.workbench.mutants.unheld import known_unheld

_FILE = """
unheld:
  - {file: context/a/a.rego, rule: p, change: without `x`, reason: It decides the same.}
"""


def change(what="without `x`", noticed="", file="context/a/a.rego", line=3):
    return RuleChange(file, line, 2, "a", "p", what, noticed)


@pytest.fixture
def known(tmp_path):
    (tmp_path / "mutation.yaml").write_text(_FILE)
    return known_unheld(tmp_path)


def test_what_is_known_is_not_told_again(known):
    """
    A change that the file names is known once; a second one like it, and any other, is missing.
    """
    again, other = change(line=9), change("without `y`")

    assert known.missing([change()]) == []
    assert known.missing([change(), again, other]) == [again, other]


def test_what_is_noticed_by_now_must_be_taken_out(known):
    """
    An entry whose change a case notices, or whose line is gone, is told; of files that were not tried nothing is.
    """
    assert known.settled([change()]) == []
    assert known.settled([change(noticed="a: a case")]) == ["context/a/a.rego: p: without `x`"]
    assert known.settled([change("without `y`")]) == ["context/a/a.rego: p: without `x`"]
    assert known.settled([change(file="context/b/b.rego")]) == []


def test_bundle_without_the_file_knows_nothing(tmp_path):
    """
    The file may be missing, and then every change that nothing notices is told.
    """
    assert known_unheld(tmp_path).missing([change()]) == [change()]


@pytest.mark.parametrize("text", ["unheld: [{file: a}]", "unheld: 3", "unheld: [", "other: []"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, text):
    """
    A misspelt entry is not taken for none.
    """
    (tmp_path / "mutation.yaml").write_text(text)

    with pytest.raises(BundleInvalidError, match=r"mutation\.yaml"):
        known_unheld(tmp_path)
