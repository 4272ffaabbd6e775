"""Rows of the table of corpora."""

import pytest

from gateway.policy.bundle import load_bundle
from gateway.policy.registry import flaws, registry_of
from gateway.policy.vetting.check import misplaced
from tests.support.bundles import SHIPPED


@pytest.fixture
def changed(policies):
    """The shipped bundle with one line of the table of corpora otherwise."""

    def make(old, new):
        path = policies / "registry/corpora/data.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return load_bundle(policies)

    return make


def test_the_shipped_corpora():
    """The corpora of the blueprint are there, and each one that is opened somewhere has a row."""
    corpora = registry_of(SHIPPED).corpora
    opened = SHIPPED.data["context"]["jurisdiction"]
    named = {name for row in opened["jurisdictions"].values() for name in row["corpora"]}
    named |= {name for row in opened["domain_corpora"].values() for name in row}
    assert corpora.keys() == named
    assert corpora["bank_sops_and_policies"].authority == "HIGHEST"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("domains: [NPA]", "domains: [NPAA]"),
        ("jurisdictions: [SG]", "jurisdictions: [SGP]"),
        ("source_type: bank_sop", "source_type: bank_sopp"),
        ("data_classifications: [PUBLIC, INTERNAL]", "data_classifications: [PUBLICK]"),
        ("mas_notices:", "mas_notice:"),
    ],
)
def test_a_name_that_names_nothing_is_refused(changed, old, new):
    """A row that names what there is not is refused at its line, with what may be meant."""
    [slip] = misplaced(changed(old, new))
    assert slip.file == "registry/corpora/data.yaml"
    assert slip.line > 1
    assert "mean" in slip.hint


def test_a_document_type_that_no_label_says_is_refused(changed):
    """A row that lists a document type that the label never says is refused, with what may be meant."""
    bundle = changed("document_types: [policy, circular]", "document_types: [policyy]")
    assert "policy" in flaws(bundle)[0].hint
