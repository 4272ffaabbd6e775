"""Account numbers."""

import pytest

from adapters.screening.presidio.recognizers.bank_account import BankAccountRecognizer
from tests.support.recognizing import found
from tests.support.screening import pii


def test_account_numbers_need_their_word():
    """
    A run of digits alone is no account.
    """
    assert BankAccountRecognizer().analyze("01234567", [], None)[0].score < 0.4
    assert pii("see 0123456789012 there") == []


@pytest.mark.parametrize(("text", "count"), [("123456", 0), ("1234567", 1), ("1" * 18, 1), ("1" * 19, 0)])
def test_lengths(text, count):
    """
    Seven to eighteen digits may be an account, fewer or more are none.
    """
    assert len(found(BankAccountRecognizer(), text)) == count


@pytest.mark.parametrize(
    "text", ["account no 012-34567-8", "rekening 1234 5678 90", "帳號 12345678901", "a/c 123456789"]
)
def test_a_word_names_it(text):
    """
    Beside a word for an account, in the languages of the region, the same digits are one.
    """
    assert "BANK_ACCOUNT" in {finding.type for finding in pii(text)}
