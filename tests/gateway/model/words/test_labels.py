"""Labels that the bank declares, and metadata."""

import pytest

from pydantic import TypeAdapter, ValidationError

from gateway.model.request import Candidate
from gateway.model.words.labels import LabelEntry, Metadata, declared

KYC = LabelEntry(type="word", words=("kyc_document", "report"), source_types=("bank_sop",))
METADATA = TypeAdapter(Metadata)


@pytest.mark.parametrize(
    ("entry", "good", "bad"),
    [
        (KYC, "kyc_document", "rumour"),
        (LabelEntry(type="text"), "any words", 7),
        (LabelEntry(type="date"), "2026-03-01", "01/03/2026"),
        (LabelEntry(type="number"), 1.5, True),
        (LabelEntry(type="number"), 7, "7"),
        (LabelEntry(type="boolean"), False, 0),
    ],
)
def test_a_label_says_what_its_type_may(entry, good, bad):
    """
    A label of each type takes its own values and no look-alikes: a number is no truth value, a date has one spelling.
    """
    assert entry.takes(good)
    assert not entry.takes(bad)


def test_what_is_declared():
    """
    Labels are declared by name, with what they say, for the source types of their row; none at all is always declared.
    """
    entries = {"document_type": KYC}
    assert declared({}, None, entries)
    assert declared({"document_type": "report"}, "bank_sop", entries)
    assert not declared({"document_type": "report"}, "email", entries)
    assert not declared({"document_type": "report", "mood": "good"}, "bank_sop", entries)


@pytest.mark.parametrize("row", [{"type": "word"}, {"type": "text", "words": ["a"]}])
def test_words_go_with_the_type_word(row):
    """
    An officer who lists words for another type, or none for this one, is told.
    """
    with pytest.raises(ValidationError, match="lists its words"):
        LabelEntry.model_validate(row)


@pytest.mark.parametrize(
    "labels",
    [
        {"a" * 65: 1},
        {"two words": 1},
        {"a": "x" * 201},
        {"a": "two\nlines"},
        {"a": None},
        {"a": [1]},
        {f"n{at}": 1 for at in range(33)},
    ],
)
def test_labels_are_bounded(labels):
    """
    Nobody sends a label that is long, nested, hidden or one of too many.
    """
    with pytest.raises(ValidationError):
        Candidate.model_validate({"id": "a", "section": "knowledge", "content": "", "provenance": {"labels": labels}})


@pytest.mark.parametrize(
    "metadata",
    [{"a" * 65: 1}, {"a": "x" * 501}, {"a": {"b": 1}}, {"a": "\u202e"}, {"": 1}, {f"n{at}": 1 for at in range(21)}],
)
def test_metadata_is_bounded(metadata):
    """
    What a store keeps with an item is flat, short and visible.
    """
    with pytest.raises(ValidationError):
        METADATA.validate_python(metadata)


def test_metadata_keeps_what_it_is():
    """
    Page and address come back as they were sent: a number stays a number, yes stays yes.
    """
    sent = {"page": 3, "url": "https://kb.bank.example/4", "final": True, "score": 0.5, "author": None}
    back = METADATA.validate_python(sent)
    assert back == sent
    assert [type(value) for value in back.values()] == [int, str, bool, float, type(None)]
