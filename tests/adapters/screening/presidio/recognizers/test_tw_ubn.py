"""Taiwan unified business numbers: eight bare digits and a check."""

from adapters.screening.presidio.recognizers.identifier import BARE, WEAK
from adapters.screening.presidio.recognizers.tw_ubn import TaiwanUbnRecognizer, is_valid
from tests.support.recognizing import found


def test_taiwan():
    """
    04595257 and 00501503 are UBNs of stdnum and of a public company.
    """
    assert is_valid("00501503")
    assert is_valid("04595257")
    assert not is_valid("00501502")


def test_a_seventh_digit_of_seven_counts_either_way():
    """
    Where the seventh digit is 7 its product counts 10 or 1, so that two last digits of five hold.
    """
    valid = [sum(is_valid(f"123456{seventh}{last}") for last in range(10)) for seventh in (6, 7)]
    assert valid == [2, 4]


def test_bare_digits_are_doubted():
    """
    A valid number is likely but not certain, since one order number in five is one too.
    """
    assert found(TaiwanUbnRecognizer(), "UBN 04595257, 04595258") == {"04595257": BARE, "04595258": WEAK}
    assert found(TaiwanUbnRecognizer(), "04595257.5 or 2026-04595257") == {}
