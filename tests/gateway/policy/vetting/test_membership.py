"""Words of requests, held against those of the bundle."""

import pytest

from gateway.errors import FieldInvalidError, LabelUndeclaredError
from gateway.model import Candidate, PackRequest
from gateway.policy.vetting.membership import require_item_known, require_known
from tests.support.packing import REGISTRY

WORDS = REGISTRY.vocabulary
ITEM = {
    "id": "one",
    "section": "knowledge",
    "content": "a text",
    "provenance": {"source_type": "bank_sop", "data_classification": "INTERNAL", "jurisdiction": "SG"},
}
REQUEST = {
    "agent_id": "RISK",
    "purpose": "risk_assessment",
    "jurisdictions": ["SG"],
    "model": "gpt-4o",
    "token_budget": 1000,
    "items": [ITEM],
}


def request_of(**changes):
    return PackRequest.model_validate(REQUEST | changes)


def test_words_of_the_bundle_pass():
    """
    A request that uses the bank's words is not held up.
    """
    require_known(request_of(), WORDS)


@pytest.mark.parametrize(
    ("field", "change", "hint"),
    [
        ("items.0.section", {"section": "knowlegde"}, "Did you mean knowledge?"),
        ("items.0.provenance.source_type", {"provenance": {"source_type": "bank_spo"}}, "Did you mean bank_sop?"),
        ("items.0.provenance.data_classification", {"provenance": {"data_classification": "internal"}}, "INTERNAL?"),
        ("items.0.provenance.jurisdiction", {"provenance": {"jurisdiction": "MY"}}, "There are AU, GLOBAL, HK"),
    ],
)
def test_a_word_that_is_not_known_is_named_by_its_field(field, change, hint):
    """
    Who misspells a word sees where, and what was meant or what there is; the word itself is not repeated.
    """
    with pytest.raises(FieldInvalidError) as caught:
        require_known(request_of(items=[ITEM | change]), WORDS)
    [(name, message)] = caught.value.fields
    assert (field, "GW-120") == (name, caught.value.code)
    assert hint in message


def test_a_jurisdiction_of_the_request_is_named():
    """
    A country that the bundle does not list cannot be asked for.
    """
    with pytest.raises(FieldInvalidError, match=r"jurisdictions\.1: is no jurisdiction of the bank"):
        require_known(request_of(jurisdictions=["SG", "MY"]), WORDS)


def test_many_wrong_words_make_a_short_answer():
    """
    Who sends thousands of wrong words gets no answer that grows with them.
    """
    items = [ITEM | {"id": f"n{at}", "section": f"wrong{at}"} for at in range(500)]
    with pytest.raises(FieldInvalidError) as caught:
        require_known(request_of(items=items), WORDS)
    assert len(caught.value.fields) == 20


def test_an_item_alone():
    """
    A question about one item is held against the same words.
    """
    item = Candidate.model_validate(ITEM | {"section": "annex"})
    with pytest.raises(FieldInvalidError, match="section: is no section"):
        require_item_known(item, WORDS)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"documenttype": "procedure"}, "is no label that the bank declares. Did you mean document_type?"),
        ({"document_type": "kyc_documnet"}, "must be one of its words. Did you mean kyc_document?"),
        ({"document_type": 7}, "must be one of its words"),
    ],
)
def test_a_label_that_is_not_declared(labels, message):
    """
    Who labels an item as the bank does not is told which label, and what was meant; extra fields have a place of their own.
    """
    item = ITEM | {"provenance": {**ITEM["provenance"], "labels": labels}}
    with pytest.raises(LabelUndeclaredError) as caught:
        require_known(request_of(items=[item]), WORDS)
    [(field, said)] = caught.value.fields
    assert field.startswith("items.0.provenance.labels.")
    assert message in said
    assert "`metadata`" in caught.value.remedy
