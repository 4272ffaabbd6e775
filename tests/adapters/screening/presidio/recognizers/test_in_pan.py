"""Indian PAN: the strict form alone."""

import pytest

from adapters.screening.presidio.recognizers.in_pan import StrictPanRecognizer
from tests.support.recognizing import found


@pytest.mark.parametrize("holder", "ABCFGHJLPT")
def test_kinds_of_holders(holder):
    """
    The fourth letter is one of the ten kinds of holders.
    """
    value = f"ABC{holder}D1234F"
    assert found(StrictPanRecognizer(), f"PAN {value}.") == {value: 0.6}


@pytest.mark.parametrize("text", ["ABCXD1234F", "ABCPD12345", "ABCPD1234FG", "1ABCPD1234F", "ABCDEFGHIJ"])
def test_weaker_patterns_are_left_out(text):
    """
    Any ten letters and digits are none.
    """
    assert found(StrictPanRecognizer(), text) == {}
