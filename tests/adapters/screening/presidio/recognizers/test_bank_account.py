"""Account numbers."""

from adapters.screening.presidio.recognizers import (
    bank_account,
)
from tests.support.screening import pii


def test_account_numbers_need_their_word():
    """
    A run of digits alone is no account.
    """
    assert bank_account.BankAccountRecognizer().analyze("01234567", [], None)[0].score < 0.4
    assert pii("see 0123456789012 there") == []
