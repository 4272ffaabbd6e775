"""The documents of a made-up bank, and the golden set over them."""

from statistics import median

from gateway.model.request import Provenance
from gateway.policy.bundle import load_bundle
from gateway.policy.vetting.names import vocabulary
from gateway.settings import HOME
from tests.support.golden import golden, sections, words

FIELDS = {*Provenance.model_fields}


def test_labels_of_every_document():
    """
    Every document says its provenance in words that the bundle knows, and stands in the folder of its corpus.
    """
    known = vocabulary(load_bundle(HOME / "policies"))
    files = [*(HOME / "examples/knowledge/documents").rglob("*.md")]
    assert len(files) == len({path.stem for path in files}) == 28
    folders = {path.stem: path.parent.name for path in files}
    for one in sections():
        labels = {name: value for name, value in one.labels.items() if name in FIELDS}
        assert {*one.labels} <= FIELDS | {"title", "metadata"}, one.document
        said = Provenance.model_validate({**labels, "doc_section": one.path[-1]})
        assert said.source_id == one.document
        assert said.corpus == folders[one.document]
        assert said.jurisdiction in known["jurisdiction"]
        assert said.data_classification in known["classification"]
        assert said.source_type in known["source type"]
        assert said.domain in known["domain or the shared one"]


def test_questions_are_not_the_documents_words():
    """
    Questions are put in other words than the text that answers them: half of them share less than a third of theirs with it.
    """
    texts = {(one.document, one.path[-1]): {*words(one.text)} for one in sections()}
    shares = []
    for one in golden().questions:
        asked = {*words(one.question)}
        told = set().union(*(texts[target.document, target.section] for target in one.must_find))
        if told:
            shares.append(len(asked & told) / len(asked))
    assert median(shares) < 1 / 3


def test_every_kind_of_border():
    """
    Questions cross every border that policy draws: of a country, a line of business and a classification.
    """
    labels = {one.document: one.labels for one in sections()}
    crossed = set()
    for one in golden().questions:
        asker = golden().askers[one.asker]
        for name in one.must_not_find:
            said = labels[name]
            if said["jurisdiction"] not in {*asker.subject.jurisdictions, "GLOBAL"}:
                crossed.add("jurisdiction")
            if said["domain"] not in {*(asker.subject.domains or ()), "ALL"}:
                crossed.add("domain")
            if said["data_classification"] in {"CONFIDENTIAL", "RESTRICTED"}:
                crossed.add(said["data_classification"])
    assert crossed == {"jurisdiction", "domain", "CONFIDENTIAL", "RESTRICTED"}
