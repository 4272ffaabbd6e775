"""Telephone numbers of the regions."""

import pytest

from adapters.screening.presidio.recognizers.identifier import WEAK
from adapters.screening.presidio.recognizers.phone import GROUPED, INTERNATIONAL, LOCAL, PhoneRecognizer
from tests.support.recognizing import found


@pytest.mark.parametrize(
    "number",
    [
        "+65 9123 4567",
        "+6591234567",
        "0065 9123 4567",
        "+852 9123 4567",
        "+62 812-3456-7890",
        "+91 98123 45678",
        "+61 412 345 678",
    ],
)
def test_international_numbers(number):
    """
    A valid number with its country's code counts by itself.
    """
    assert found(PhoneRecognizer(), f"Call {number}, please.") == {number: INTERNATIONAL}


@pytest.mark.parametrize(
    ("number", "score"),
    [("9123 4567", GROUPED), ("(02) 9876 5432", GROUPED), ("91234567", LOCAL), ("9123-4567 ext 12", GROUPED)],
)
def test_local_numbers(number, score):
    """
    In the groups that the region writes it is likely, bare it is not enough.
    """
    assert found(PhoneRecognizer(), f"{number}") == {number: score}


def test_groups_that_no_region_writes():
    """
    A run in groups that is no number of any region is weak, and bare digits that are none are nothing.
    """
    assert found(PhoneRecognizer(), "0000 0000") == {"0000 0000": WEAK}
    assert found(PhoneRecognizer(), "00000000") == {}


@pytest.mark.parametrize("text", ["REF/91234567", "91234567@x", "#91234567", "A-91234567", "12345"])
def test_parts_of_other_codes(text):
    """
    Digits within a reference, an address or an amount are no number.
    """
    assert found(PhoneRecognizer(), text) == {}
