"""UPI addresses: a known handle, and no dot after it."""

import pytest

from adapters.screening.presidio.recognizers.identifier import CERTAIN, WEAK
from adapters.screening.presidio.recognizers.in_upi import UpiRecognizer
from tests.support.recognizing import found


@pytest.mark.parametrize(
    ("value", "score"), [("meera.k@okhdfcbank", CERTAIN), ("9812345678@PayTM", CERTAIN), ("someone@somewhere", WEAK)]
)
def test_handles(value, score):
    """
    A handle of a provider is certain in any case; another one needs the word.
    """
    assert found(UpiRecognizer(), f"pay {value}, please") == {value: score}


@pytest.mark.parametrize("text", ["meera@okhdfcbank.com", "m@upi", "meera@ upi", "meera@upi2"])
def test_addresses_of_mail_are_none(text):
    """
    With a domain behind the handle it is an e-mail address, and not found here.
    """
    assert found(UpiRecognizer(), text) == {}
