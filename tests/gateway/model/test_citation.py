"""Claims and citations on the wire."""

import pytest

from pydantic import ValidationError

from gateway.model.citation import MAX_CLAIMS, Citation, CitationBody


def test_a_citation_names_one_thing():
    """
    A citation is of a document or of an item; of both or of neither it is of nothing.
    """
    assert Citation(doc_id="SOP").item_id is None
    assert Citation(item_id="sop-1").doc_id is None
    for wrong in ({}, {"doc_id": "SOP", "item_id": "sop-1"}, {"version": "1"}):
        with pytest.raises(ValidationError, match="either doc_id or item_id"):
            Citation.model_validate(wrong)


def test_claims_have_ids_of_their_own():
    """
    Two claims of one id could not be told apart in the answer.
    """
    claim = {"id": "c", "text": "x"}
    with pytest.raises(ValidationError, match="same id"):
        CitationBody.model_validate({"pack": {}, "claims": [claim, claim]})


def test_as_many_claims_as_are_allowed():
    """
    The limit itself is allowed, one more and none at all are not.
    """
    claims = [{"id": str(n), "text": "x"} for n in range(MAX_CLAIMS + 1)]
    assert len(CitationBody.model_validate({"pack": {}, "claims": claims[:-1]}).claims) == MAX_CLAIMS
    for wrong in (claims, []):
        with pytest.raises(ValidationError):
            CitationBody.model_validate({"pack": {}, "claims": wrong})
