"""The words that a bundle brings."""

import pytest

from pydantic import ValidationError

from gateway.model.words.vocabulary import NEEDED, SHIPPED, SectionFacts, Vocabulary
from tests.support.packing import REGISTRY


def test_bundles_from_before_mean_what_the_shipped_table_says():
    """
    A bundle that lists no sections is read as it was when sections stood in the code, and the shipped table lists the same.
    """
    assert REGISTRY.vocabulary.sections == SHIPPED == Vocabulary().sections


@pytest.mark.parametrize(
    ("weight", "said"), [(0.6, "by 0.6 relevance and 0.4 auth"), (0.75, "by 0.75 relevance and 0.25")]
)
def test_the_reason_follows_the_table_of_budgets(weight, said):
    """
    What a pack says of its ranking is the weight that the budget table sets, not one that the code remembers.
    """
    words = Vocabulary()
    assert words.section("knowledge").selected(weight).startswith(said)
    assert words.section("task").selected(weight) == "in the order given"
    assert words.section("conversation").selected(weight) == "in the order spoken"


@pytest.mark.parametrize("name", NEEDED)
def test_a_section_that_the_gateway_needs_cannot_be_left_out(name):
    """
    An officer who removes a section with a meaning of its own is told which one.
    """
    with pytest.raises(ValidationError, match=name):
        Vocabulary(sections=tuple(one for one in SHIPPED if one.name != name))


def test_the_history_is_for_turns_alone():
    """
    No other section can be put among the turns, where whose words they are would be lost.
    """
    with pytest.raises(ValidationError, match="L4"):
        Vocabulary(sections=(*SHIPPED, SectionFacts(name="minutes", layer="L4")))


def test_a_section_is_listed_once():
    """
    Of two rows for one section neither is taken.
    """
    with pytest.raises(ValidationError, match="twice"):
        Vocabulary(sections=(*SHIPPED, SHIPPED[0]))


def test_what_a_bundle_does_not_list_stands_among_what_the_turn_brings():
    """
    A section from before never lands among the instructions.
    """
    assert Vocabulary().section("annex").layer == "L3"
