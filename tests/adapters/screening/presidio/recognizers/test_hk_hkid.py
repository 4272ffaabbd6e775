"""Hong Kong identity cards: the check digit with its letters, and the brackets around it."""

import pytest

from adapters.screening.presidio.recognizers.hk_hkid import HkidRecognizer, check_digit
from adapters.screening.presidio.recognizers.identifier import CERTAIN, WEAK
from tests.support.recognizing import found


def test_check_digits():
    """
    Check characters of published examples: A123456(3), AB987654(3).
    """
    assert (check_digit("A", "123456"), check_digit("AB", "987654")) == ("3", "3")


def test_hong_kong():
    """
    G123456(A) is the example of the Immigration Department's own leaflet; L555555(0) another one.
    """
    assert check_digit("G", "123456") == "A"
    assert check_digit("L", "555555") == "0"


@pytest.mark.parametrize("value", ["A123456(3)", "a123456(3)", "A1234563", "A123456-3", "AB 987654 (3)", "G123456(a)"])
def test_ways_of_writing_it(value):
    """
    A valid number is certain with brackets or without.
    """
    assert found(HkidRecognizer(), f"HKID {value}.") == {value: CERTAIN}


def test_another_digit_is_weak():
    """
    With a check digit that does not hold it needs the word that names it.
    """
    assert found(HkidRecognizer(), "A123456(4)") == {"A123456(4)": WEAK}
    assert found(HkidRecognizer(), "ABC123456(3)") == {}
