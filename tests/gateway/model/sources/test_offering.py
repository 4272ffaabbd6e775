"""What a model is told of a tool, and by what a question finds it."""

import pytest

from gateway.model.sources.offering import Fit, Labels, Offering, near, signature, spoken
from gateway.model.sources.tools import Tool

LABELS = Labels(
    source_id="tool_registry",
    source_type="reference_data",
    data_classification="INTERNAL",
    jurisdiction="GLOBAL",
    domain="ALL",
    ttl_seconds=60,
)
FIT = Fit(least=0, share=0)
NOTES = {"reads": "Reads.", "personal_data": "Mind the names."}
OFFERING = Offering(near=FIT, others=FIT, most=1, unsure=0, notes=NOTES, section="tool_schema", labels=LABELS)
TOOL = {
    "id": "get_limits",
    "source": "sor-desk",
    "operation": "limits.v2",
    "description": "Limits of a counterparty",
    "words": ["credit line"],
    "parameters": {"type": "object", "properties": {"id": {"type": "string", "maxLength": 9}}, "required": ["id"]},
    "arguments": {"id": "entity.id"},
    "domains": ["DESK"],
    "safety": ["reads", "personal_data", "leaves_the_bank"],
    "owner": "Desk",
}


def tool(**changes):
    return Tool.model_validate({**TOOL, **changes})


def test_a_signature_says_what_a_model_needs_and_nothing_else():
    """
    Name, description, parameters as they are written, and the note of each safety tag that has one: neither the source nor what it
    calls the tool.
    """
    assert signature(tool(), OFFERING) == {
        "name": "get_limits",
        "description": "Limits of a counterparty",
        "parameters": TOOL["parameters"],
        "safety": ["Reads.", "Mind the names."],
    }


def test_a_question_finds_it_by_name_description_and_words():
    """
    What it is called and how else people say that; parameters, whose names are much the same everywhere, find nothing.
    """
    assert spoken(tool()) == "get limits Limits of a counterparty credit line"


@pytest.mark.parametrize(
    ("changes", "domain", "is_near"),
    [
        ({}, "DESK", True),
        ({"arguments": {"n": "entity.number"}}, "DESK", True),
        ({}, "NPA", False),
        ({"arguments": {"j": "jurisdictions"}}, "DESK", False),
        ({"arguments": {}}, "DESK", False),
    ],
)
def test_near(changes, domain, is_near):
    """
    Near is a tool of the request's domain that is told the request's entity.
    """
    assert near(tool(**changes), domain) is is_near
