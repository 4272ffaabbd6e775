"""Singapore UENs, in their three forms."""

import pytest

from adapters.screening.presidio.recognizers.identifier import CERTAIN
from adapters.screening.presidio.recognizers.sg_uen import UenRecognizer, is_valid
from tests.support.recognizing import found


def test_singapore():
    """
    UENs of stdnum's documentation.
    """
    assert all(map(is_valid, ["00192200M", "197401143C", "S16FC0121D", "T01FC6132D"]))
    assert not any(map(is_valid, ["00192200X", "197401143D", "S16FC0121X"]))


def test_a_letter_that_the_alphabet_lacks():
    """
    A value with a letter that no UEN has is not valid, rather than an error.
    """
    assert not is_valid("T01YZ6132D")


@pytest.mark.parametrize(
    ("value", "score"), [("00192200M", CERTAIN), ("197401143C", CERTAIN), ("T01FC6132D", CERTAIN), ("197401143D", 0.25)]
)
def test_each_form_is_found(value, score):
    """
    Businesses, companies and other entities are found; with another check letter they need their word.
    """
    assert found(UenRecognizer(), f"(UEN: {value}).") == {value: score}


def test_a_number_of_another_year_is_not_a_company():
    """
    A company's number begins with the year of its registration.
    """
    assert found(UenRecognizer(), "157401143C") == {}
