"""The table of channels."""

import pytest

from pydantic import ValidationError

from gateway.model.sources.channels import Channel

ROLE = {"section": "conversation", "source_type": "user_input"}
ROW = {
    "id": "c",
    "agent": "RISK",
    "purpose": "general_research",
    "model": "gpt-4o",
    "without_person": None,
    "domain": "NPA",
    "jurisdiction": "SG",
    "jurisdictions": ["SG"],
    "data_classification": "INTERNAL",
    "ttl_seconds": 60,
    "roles": {"user": ROLE},
}


def test_a_row():
    """
    A row says everything that a message may not say of itself.
    """
    assert Channel.model_validate(ROW).roles["user"].section == "conversation"


@pytest.mark.parametrize(
    "wrong",
    [
        {"jurisdictions": []},
        {"ttl_seconds": -1},
        {"roles": {"somebody": ROLE}},
        {"roles": {"user": {"section": "conversation"}}},
        {"vouched": True},
    ],
)
def test_what_is_no_row(wrong):
    """
    A row that lacks a part or says more than there is refuses the bundle.
    """
    with pytest.raises(ValidationError):
        Channel.model_validate({**ROW, **wrong})
