"""Payment cards of brands that Presidio does not know."""

import pytest

from adapters.screening.presidio.recognizers.card import CardRecognizer
from tests.support.recognizing import found
from tests.support.screening import pii

UNKNOWN = "8600 0000 0000 0007"
"""Passes the Luhn check, of no brand in Presidio's list."""


def test_the_check_counts_little():
    """
    A number of any brand that passes scores more than one that does not, and neither is enough by itself.
    """
    assert found(CardRecognizer(), "8600000000000007 8600000000000008") == {
        "8600000000000007": 0.3,
        "8600000000000008": 0.1,
    }
    assert pii(UNKNOWN) == []


def test_its_word_makes_it_one():
    """
    Beside a word for a card it is one.
    """
    assert {finding.type for finding in pii(f"debit card {UNKNOWN}")} >= {"CREDIT_CARD"}


@pytest.mark.parametrize(("length", "count"), [(11, 0), (12, 1), (19, 1), (20, 0)])
def test_lengths(length, count):
    """
    Cards have 12 to 19 digits (ISO/IEC 7812-1).
    """
    assert len(found(CardRecognizer(), "1" * length)) == count
