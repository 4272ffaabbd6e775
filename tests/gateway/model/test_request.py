"""What a caller asks: labels may be missing, and may not be invented."""

import pytest

from pydantic import ValidationError

from gateway.model import Candidate, PackRequest, Subject

ASKED = {"agent_id": "RISK", "purpose": "p", "jurisdictions": ["SG"], "model": "m", "token_budget": 1}
PERSON = {"sub": "ann", "tenant": "gfm", "role": "analyst", "department": "RMG", "jurisdictions": ["SG"]}


@pytest.mark.parametrize("name", ["trust_class", "authority_tier"])
def test_nobody_labels_their_own_trust(name):
    """
    Trust class and authority tier are derived by policy, and refused as labels, in the item and in its provenance.
    """
    item = {"id": "a", "section": "knowledge", "content": "x"}
    for wrong in ({**item, name: 1}, {**item, "provenance": {name: 1}}):
        with pytest.raises(ValidationError):
            Candidate.model_validate(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"token_budget": 0},
        {"token_budget": True},
        {"token_budget": "5"},
        {"turn": 0},
        {"jurisdictions": []},
        {"allow_truncation": 1},
        {"render": "telex"},
        {"tenant": "gfm"},
    ],
)
def test_what_is_no_request(wrong):
    """
    Numbers are numbers, truth is not 1, and the tenant is the token's.
    """
    assert PackRequest.model_validate(ASKED).items == ()
    with pytest.raises(ValidationError):
        PackRequest.model_validate({**ASKED, **wrong})


def test_scopes_are_whole_words():
    """
    A token holds a scope that it names, and none that is only part of one.
    """
    person = Subject.model_validate({**PERSON, "scope": "packs:write ledger:read"})
    assert person.has_scope("ledger:read")
    assert not any(
        person.has_scope(scope) for scope in ("ledger", "read", "ledger:read packs:write", "", "LEDGER:READ")
    )


def test_claims_that_are_not_ours_are_passed_over():
    """
    A token may hold more than the gateway reads.
    """
    assert Subject.model_validate({**PERSON, "iss": "x", "email": "y"}).sub == "ann"


def test_no_domains_are_not_unknown_domains():
    """
    A token without entitlements tells policy so, and one with an empty list tells it another thing.
    """
    assert Subject.model_validate(PERSON).facts()["entitlements"] is None
    assert Subject.model_validate({**PERSON, "entitlements": []}).facts()["entitlements"] == []
    assert "ann" not in str(Subject.model_validate(PERSON).facts())
