"""Indian Financial System Codes."""

import pytest

from adapters.screening.presidio.recognizers.identifier import LIKELY
from adapters.screening.presidio.recognizers.in_ifsc import IfscRecognizer
from tests.support.recognizing import found


@pytest.mark.parametrize(("value", "score"), [("HDFC0001234", LIKELY), ("SBIN0A1B2C3", 0.3)])
def test_digits_count_more(value, score):
    """
    A branch of six digits is likely, one with letters needs its word.
    """
    assert found(IfscRecognizer(), f"IFSC: {value};") == {value: score}


@pytest.mark.parametrize("text", ["HDFC1001234", "HDF00001234", "hdfc0001234", "HDFC000123", "HDFC00012345"])
def test_other_forms(text):
    """
    Without the zero in the fifth place, in small letters or of another length it is none.
    """
    assert found(IfscRecognizer(), text) == {}
