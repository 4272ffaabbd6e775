"""The table of how documents are cut."""

import pytest

from pydantic import ValidationError

from gateway.model.knowledge.chunking import Chunking, ChunkRule
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME

SHIPPED = Chunking.model_validate(load_bundle(HOME / "policies").data["registry"]["chunking"])


def rows(profile: str) -> dict[str, tuple[str, int, int]]:
    table = SHIPPED.profiles[profile]
    every = {"default": table.default, **table.document_types}
    return {name: (rule.method, rule.tokens, rule.overlap) for name, rule in every.items()}


def test_the_first_table_of_the_documents():
    """
    The profile that is used says what the blueprint says (6.2).
    """
    assert SHIPPED.profile == "bank"
    said = rows("bank")
    assert said["default"] == ("sliding_window", 800, 120)
    assert said["legal_contract"] == ("by_clause", 1500, 0)
    assert said["sop_document"] == said["procedure"] == ("by_step", 1200, 0)
    assert said["regulatory_document"] == said["regulatory_notice"] == ("by_article", 1000, 0)
    assert said["product_taxonomy"] == ("by_family", 600, 0)
    assert said["template_document"] == ("by_section", 500, 0)


def test_the_second_table_of_the_documents():
    """
    The other profile says what the document on the RAG engine says.
    """
    assert rows("module") == {
        "default": ("fixed_size", 512, 64),
        "sop_document": ("section_aware", 512, 64),
        "regulatory_notice": ("section_aware", 384, 48),
        "template_document": ("fixed_size", 512, 64),
        "entity_record": ("field_level", 256, 0),
    }


def test_the_rule_of_a_type():
    """
    A type that the profile does not know, or none, is cut as any other document.
    """
    assert SHIPPED.rule_for("legal_contract").method == "by_clause"
    assert SHIPPED.rule_for("poem") == SHIPPED.rule_for(None) == SHIPPED.profiles["bank"].default


def test_another_profile():
    """
    Which profile is used is one word of the table.
    """
    assert SHIPPED.model_copy(update={"profile": "module"}).rule_for("sop_document").method == "section_aware"


def test_a_profile_that_does_not_exist():
    """
    A table that uses a profile which it does not have is refused.
    """
    with pytest.raises(ValidationError, match="does not exist"):
        Chunking.model_validate({**SHIPPED.model_dump(), "profile": "none"})


@pytest.mark.parametrize(
    "row",
    [
        {"method": "sliding_window", "tokens": 100, "overlap": 51},
        {"method": "by_clause", "tokens": 1000, "overlap": 10},
        {"method": "by_guess", "tokens": 1000},
        {"method": "fixed_size", "tokens": 10},
    ],
)
def test_rules_that_cannot_be_kept(row):
    """
    A window repeats at most half of itself, headers are not counted as overlap, and no chunk is too small to hold a character.
    """
    with pytest.raises(ValidationError):
        ChunkRule.model_validate(row)
