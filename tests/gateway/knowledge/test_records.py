"""Records of acts on documents."""

from gateway.knowledge.records import said_of, told_of
from gateway.model import PolicyVersion
from gateway.model.base import RecordProof
from gateway.model.request import Provenance

BY = PolicyVersion(revision="r", engine="e", engine_version="1")


def test_a_commitment_to_labels_and_digest():
    """Two versions that differ in a label or in their bytes have other commitments under one salt; names of metadata alone count."""
    proof = RecordProof(record="r", salt="0" * 64)
    labels = Provenance(source_id="a", version="1")
    same = said_of("c", "d" * 400, labels, {"x": 1}, "0" * 64, "text/plain")
    others = [
        said_of("c", "d" * 400, labels.model_copy(update={"version": "2"}), {"x": 1}, "0" * 64, "text/plain"),
        said_of("c", "d" * 400, labels, {"x": 1}, "1" * 64, "text/plain"),
    ]
    assert said_of("c", "d" * 400, labels, {"x": 2}, "0" * 64, "text/plain") == same
    items = [told_of(said, proof, BY).item for said in (same, *others)]
    assert len({item.commitment for item in items}) == 3
    assert len(items[0].id) == 300
