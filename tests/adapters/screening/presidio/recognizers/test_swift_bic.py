"""SWIFT codes: of a country that exists, and more than a word in capitals."""

import pytest

from adapters.screening.presidio.recognizers.swift_bic import SwiftRecognizer
from tests.support.recognizing import found


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("DBSSSGSGXXX", 0.4),
        ("DBSSSGS2", 0.4),
        ("DEUTDEFF500", 0.4),
        ("DBSSSGSG", 0.15),
        ("ABCDZZ22", 0.15),
        ("PASSWORD", 0.15),
    ],
)
def test_digits_and_head_offices(value, score):
    """
    A digit or XXX tells a code from a word; without them, or of a country that is none, it needs its word.
    """
    assert found(SwiftRecognizer(), f"via {value}") == {value: score}


@pytest.mark.parametrize("text", ["DBSSSG", "DBSSSGSG1", "dbsssgsgxxx", "DBSSSGSGXXXX", "D8SSSGS2"])
def test_other_forms(text):
    """
    A code has eight or eleven characters, the first six of them letters.
    """
    assert found(SwiftRecognizer(), text) == {}
