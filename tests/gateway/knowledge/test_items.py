"""What chunks become."""

from dataclasses import replace

from gateway.knowledge.items import candidate_of, item_id, representative
from gateway.model import Candidate
from gateway.model.request import Provenance
from gateway.model.words.labels import MOST_METADATA
from tests.support.knowledge_fakes import FakeDocuments

LABELS = Provenance(source_id="SOP", doc_section="4.2", fetched_at="2026-03-01T00:00:00.000000Z", jurisdiction="SG")


def known(**changes):
    documents = FakeDocuments()
    number = documents.add("What it says.", LABELS.model_copy(update=changes))
    return documents.known[number]


def test_an_item_is_one_that_a_request_could_bring():
    """
    What is made of a chunk holds to all that is asked of items, with the labels of its document.
    """
    item = candidate_of(known(), LABELS, "knowledge", "knowledge", 1.7)
    assert Candidate.model_validate(item.model_dump(exclude={"source"}, exclude_none=True)).score == 1
    assert item.provenance == LABELS
    assert item.channel == "source"


def test_an_id_is_a_name_however_long_the_document_is_called():
    """
    An id is never longer than a name may be, and tells chunks of documents of long names apart.
    """
    ids = {item_id("d" * 200, 7, chunk) for chunk in (1, 10**12)}
    assert len(ids) == 2
    assert all(len(one) <= 200 for one in ids)


def test_mask_and_gate_hear_of_a_document_and_not_of_the_dictionary():
    """
    What the gate is asked about are the document's own labels: a dictionary that says otherwise does not pass for them.
    """
    item = candidate_of(known(jurisdiction="HK"), LABELS, "knowledge", "knowledge", 0.5)
    assert item.provenance.jurisdiction == "HK"
    assert representative(LABELS, "knowledge", "knowledge").provenance.jurisdiction == "SG"


def test_metadata_stays_within_its_bounds():
    """
    However much a store keeps with a document, an item has no more than it may have, and always where it stands.
    """
    chunk = known()
    version = replace(chunk.version, metadata={f"k{at}": at for at in range(MOST_METADATA)})
    item = candidate_of(replace(chunk, version=version, pages=(1, 2)), LABELS, "knowledge", "knowledge", 0.5)
    assert len(item.metadata) == MOST_METADATA
    assert item.metadata["first_page"] == 1
