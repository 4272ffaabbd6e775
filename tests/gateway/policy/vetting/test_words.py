"""Where a bundle's words stand."""

from gateway.policy.vetting.words import TABLES, defined, undefinable, unguarded, unspoken, words_of
from tests.support.bundles import SHIPPED as BUNDLE


def test_every_kind_has_words_in_the_shipped_bundle():
    """
    Each table that defines words is where this module says it is.
    """
    words = defined(BUNDLE.data)
    assert words.keys() == TABLES.keys()
    assert all(words.values())
    assert words["classification"] == ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED")


def test_a_row_is_a_word():
    """
    An officer who adds a country to the table of jurisdictions has added a word, and needs no other table for it.
    """
    data = {"context": {"jurisdiction": {"jurisdictions": {"MY": {}}, "group_wide": "GLOBAL"}}}
    assert words_of(data)["jurisdictions"] == ("MY", "GLOBAL")


def test_a_row_that_yaml_read_as_something_else_is_told_of():
    """
    Who writes NO for Norway, or a country in words, sees which row it is.
    """
    data = {"context": {"jurisdiction": {"jurisdictions": {False: {}, "Hong Kong": {}, "SG": {}}}}}
    assert [slip.path[-1] for slip in undefinable(data)] == ["False", "Hong Kong"]
    assert list(undefinable(BUNDLE.data)) == []


def test_a_section_among_the_instructions_must_be_guarded():
    """
    An officer who puts a new section among the instructions is told that anybody's text could stand there.
    """
    rows = [{"name": "system", "layer": "L1"}, {"name": "memo", "layer": "L1"}]
    data = {"registry": {"vocabulary": {"sections": rows}}, "context": {"trust": {"instructing_sections": ["system"]}}}
    assert [slip.path[3] for slip in unguarded(data)] == ["1"]
    assert list(unguarded(BUNDLE.data)) == []


def test_an_age_for_a_word_that_no_label_says():
    """
    An officer who misspells the kind of document in the table of ages is told, instead of a row that never binds.
    """
    data = {
        "context": {"freshness": {"longest_days": {"by_label": {"document_type": {"kyc_documnet": 730}}}}},
        "registry": {"vocabulary": {"labels": {"document_type": {"words": ["kyc_document"]}}}},
    }
    [slip] = unspoken(data)
    assert (slip.path[-1], slip.hint) == ("kyc_documnet", "Did you mean kyc_document?")
    assert list(unspoken(BUNDLE.data)) == []
