"""Names of people: what introduces them, and what the model takes for one and is none."""

import pytest

from adapters.screening.presidio.recognizers.person import ALONE, SCORE, PersonRecognizer, introduced, likelihood
from tests.support.recognizing import found
from tests.support.screening import MODEL, WORST


def names(text):
    return [text[start:end] for start, end in introduced(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My name is Meera Krishnan and I", "Meera Krishnan"),
        ("We spoke with Muhammad Danial bin Osman today", "Muhammad Danial bin Osman"),
        ("Account of Tan Ah Kow; closed", "Tan Ah Kow"),
        ("Dear Mr. Lai Yi-Chun,", "Lai Yi-Chun"),
        ("Sean O'Brien called about the fee", "Sean O'Brien"),
        ("| customer | city |\n| Chia Boon Keng | Penang |", "Chia Boon Keng"),
        ("This is S. R. Nathan.", "S. R. Nathan"),
    ],
)
def test_what_introduces_a_name(text, name):
    """
    A title, a verb, a table's column of names: what they point at is a name, particles and initials included.
    """
    assert name in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "Records of Project Alpha were kept",
        "signed by the committee",
        "Attn: Risk Department",
        "Met the Board of Directors",
        "On behalf of Meridian Bank",
        "| item | city |\n| Blue Chair | Penang |",
        "Call from Marina Bay station",
    ],
)
def test_what_is_introduced_and_no_person(text):
    """
    A heading, a company, a place or a table of other things is no name.
    """
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "span", "score"),
    [
        ("yesterday Sarah Johnson came", "Sarah Johnson", SCORE),
        ("yesterday Sarah came", "Sarah", ALONE),
        ("see Section Four of it", "Section Four", 0.0),
        ("in the Raffles wing", "Raffles", 0.0),
        ("order-Smith came", "Smith", 0.0),
        ("Sarah Johnson Street", "Sarah Johnson", 0.0),
        ("Sarah 42 came", "Sarah", 0.0),
    ],
)
def test_likelihood(text, span, score):
    """
    What the model takes for a person counts only where it looks and stands like one.
    """
    start = text.index(span)
    assert likelihood(text, start, start + len(span)) == score


def test_the_model_and_the_words_together():
    """
    A name is found by either, once.
    """
    recognizer = PersonRecognizer(MODEL)
    assert found(recognizer, "Yesterday Sarah Johnson met the auditors.") == {"Sarah Johnson": SCORE}
    assert found(recognizer, "My name is Sarah Johnson.")["Sarah Johnson"] == SCORE


@pytest.mark.parametrize("number", range(len(WORST)))
def test_the_worst_texts(number, effort):
    """
    What introduces a name is looked for in no more than twenty passes, however the text is made.
    """
    effort.within(20, lambda: list(introduced(WORST[number])))
