"""Taiwan national IDs and resident certificates, which share their check digit."""

import pytest

from adapters.screening.presidio.recognizers.identifier import CERTAIN, WEAK
from adapters.screening.presidio.recognizers.tw_national_id import TaiwanArcRecognizer, TaiwanIdRecognizer, is_valid
from tests.support.recognizing import found


def test_taiwan():
    """
    A123456789 is the ministry's sample ID.
    """
    assert is_valid("A123456789")
    assert not is_valid("A123456788")


def test_one_digit_in_ten_completes_it():
    """
    For each beginning exactly one check digit holds.
    """
    for head in ("A12345678", "Z29876543", "A80000001", "AC0000000"):
        assert sum(is_valid(f"{head}{digit}") for digit in range(10)) == 1


@pytest.mark.parametrize(
    ("recognizer", "value"),
    [(TaiwanIdRecognizer, "A123456789"), (TaiwanIdRecognizer, "a123456789"), (TaiwanArcRecognizer, "A800000014")],
)
def test_citizens_and_residents(recognizer, value):
    """
    The second character tells a citizen from a resident; both are certain where the check digit holds.
    """
    assert found(recognizer(), f"證號 {value}") == {value: CERTAIN}
    other = TaiwanArcRecognizer if recognizer is TaiwanIdRecognizer else TaiwanIdRecognizer
    assert found(other(), f"證號 {value}") == {}


def test_an_old_certificate():
    """
    Before 2021 a certificate had a second letter from A to D, which counts its last digit.
    """
    [value] = [f"AC0123456{digit}" for digit in range(10) if is_valid(f"AC0123456{digit}")]
    assert found(TaiwanArcRecognizer(), value) == {value: CERTAIN}
    wrong = value[:-1] + str((int(value[-1]) + 1) % 10)
    assert found(TaiwanArcRecognizer(), wrong) == {wrong: WEAK}
