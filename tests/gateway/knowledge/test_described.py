"""What is said of a document."""

import pytest

from gateway.errors import FieldInvalidError
from gateway.knowledge.described import described
from tests.support.knowledge import CORPUS, SAID, shipped

REGISTRY = shipped().registry


def test_each_word_finds_its_place():
    """
    Fields of the provenance and declared labels are labels, the rest is metadata, and what the corpus says of all need not be said.
    """
    labels, metadata = described({**SAID, "notice_no": "637"}, "a", REGISTRY.corpora[CORPUS], REGISTRY)
    assert (labels.source_id, labels.corpus, labels.source_type) == ("a", CORPUS, "bank_sop")
    assert (labels.labels, metadata) == ({"document_type": "procedure"}, {"notice_no": "637"})


@pytest.mark.parametrize(
    "said", [{"fetched_at": ["x"]}, {"version": 1}, {"effective_date": "1.1.2026"}, {"x": "a\u202eb"}]
)
def test_what_has_no_form_is_an_error(said):
    """What has not the form of its place is refused; nobody says when a document was fetched."""
    with pytest.raises(FieldInvalidError):
        described(said, "a", REGISTRY.corpora[CORPUS], REGISTRY)
