"""Australian BSB numbers, with the account that follows."""

import pytest

from adapters.screening.presidio.recognizers.au_bsb import BsbRecognizer
from adapters.screening.presidio.recognizers.identifier import WEAK
from tests.support.recognizing import found
from tests.support.screening import pii


@pytest.mark.parametrize(
    "value", ["062-000", "062000", "062-000 12345678", "062-000, account no: 12345678", "062-000 acc 123456789"]
)
def test_the_account_belongs_to_it(value):
    """
    A BSB is found by itself and together with the account number behind it; its form alone says little.
    """
    assert found(BsbRecognizer(), f"to {value}.") == {value: WEAK}


def test_it_needs_its_word():
    """
    Six digits are a BSB only where the word is.
    """
    assert "AU_BANK_ACCOUNT" in {finding.type for finding in pii("BSB 062-000")}
    assert pii("on 062-000 of the plan") == []
