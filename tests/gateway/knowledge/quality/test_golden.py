"""Golden sets are read, or what is wrong with them is told at its place."""

import pytest

from gateway.knowledge.quality.golden import ReadGolden, read_golden, unknown_documents
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from tests.support.golden import GOLDEN, TENANT, sections

TEXT = """askers:
  somebody:
    subject: {sub: golden, tenant: gfm, role: analyst, department: RMG, jurisdictions: [SG], domains: [NPA], agents: [RISK]}
    agent: RISK
    purpose: risk_assessment
    jurisdictions: [SG]
questions:
  - id: one
    asker: somebody
    question: "What is a repeat?"
    must_find: [{document: new-or-variation, section: Scores}]
    must_not_find: [risk-appetite-2026]
"""


@pytest.fixture(scope="module")
def bundle():
    return load_bundle(HOME / "policies")


def told(tmp_path, bundle, text):
    file = tmp_path / "set.yaml"
    file.write_text(text)
    return file, read_golden(file, bundle)


def test_a_set_is_read(tmp_path, bundle):
    """
    A set that is right is read, by the name of its file; a comment more is no other set, another question is.
    """
    _, read = told(tmp_path, bundle, TEXT)
    assert isinstance(read, ReadGolden)
    assert (read.name, len(read.questions)) == ("set", 1)
    _, commented = told(tmp_path, bundle, "# more\n" + TEXT)
    assert commented.digest == read.digest
    _, other = told(tmp_path, bundle, TEXT.replace("repeat?", "variation?"))
    assert other.digest != read.digest


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("role: analyst", "role: analist", 3, ("analist", "analyst")),
        ("department: RMG", "department: RGM", 3, ("RGM", "RMG")),
        ("jurisdictions: [SG], domains", "jurisdictions: [GS], domains", 3, ("GS", "SG")),
        ("domains: [NPA]", "domains: [NAP]", 3, ("NAP", "NPA")),
        ("agent: RISK", "agent: RISC", 4, ("RISC", "RISK")),
        ("purpose: risk_assessment", "purpose: risk_asessment", 5, ("risk_asessment", "risk_assessment")),
        ("asker: somebody", "asker: sombody", 9, ("sombody", "somebody")),
        ("must_not_find: [risk", "must_not_fnd: [risk", 12, ("must_not_fnd", "golden.json")),
        ("section: Scores", "section: Scores, grade: 7", 11, ("less than or equal to 3", "")),
        ("[risk-appetite-2026]", "[new-or-variation]", 12, ("must be found and must not", "")),
        ("    question: ", "    qestion: ", 8, ("missing", "")),
    ],
)
def test_what_is_wrong_has_its_place(tmp_path, bundle, old, new, line, words):
    """
    A misspelt role, word, asker or grade is told with its line and with what is meant.
    """
    assert old in TEXT
    _, found = told(tmp_path, bundle, TEXT.replace(old, new))
    assert not isinstance(found, ReadGolden)
    assert found[0].line == line, found
    assert any(words[0] in one.message and words[1] in one.hint for one in found), found


def test_one_id_twice(tmp_path, bundle):
    """
    Two questions of one id would be one in every comparison.
    """
    again = TEXT + TEXT.split("questions:\n")[1]
    _, found = told(tmp_path, bundle, again)
    assert [(one.line, "stands twice" in one.message) for one in found] == [(13, True)]


@pytest.mark.parametrize(
    "text", ["", "a: [", "- 1", "askers: {}\nquestions: []", "askers: &a {}\nquestions: *a", "\x00"]
)
def test_what_is_no_set(tmp_path, bundle, text):
    """
    Whatever a file holds, it is read or what is wrong is told; nothing is raised.
    """
    _, found = told(tmp_path, bundle, text)
    assert not isinstance(found, ReadGolden)
    assert found


def test_a_file_that_is_not_there(tmp_path, bundle):
    """
    A file that cannot be read is told like anything else that is wrong.
    """
    [one] = read_golden(tmp_path / "none.yaml", bundle)
    assert "cannot be read" in one.message


def test_documents_that_are_not_there(tmp_path, bundle):
    """
    A misspelt document would forbid nothing for ever: it is told, and so is one of another tenant.
    """
    file, read = told(tmp_path, bundle, TEXT.replace("risk-appetite-2026]", "risk-apetite-2026]"))
    assert isinstance(read, ReadGolden)
    names = {one.document for one in sections()}
    [one] = unknown_documents(file, {TENANT: names})
    assert (one.line, one.hint) == (12, "Did you mean risk-appetite-2026?")
    assert len(unknown_documents(file, {"other": names})) == 2


def test_the_shipped_set(bundle):
    """
    The shipped set is right, names documents that are there, and covers what it says.
    """
    read = read_golden(GOLDEN, bundle)
    assert isinstance(read, ReadGolden), read
    names = {one.document for one in sections()}
    assert unknown_documents(GOLDEN, {TENANT: names}) == ()
    assert len(read.questions) >= 40
    assert {target.document for one in read.questions for target in one.must_find} == names
    titles = {(one.document, one.path[-1]) for one in sections()}
    assert {(target.document, target.section) for one in read.questions for target in one.must_find} <= titles
