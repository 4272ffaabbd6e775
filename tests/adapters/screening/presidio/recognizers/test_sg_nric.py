"""Singapore NRIC and FIN: the check letters, the forms they are written in, and what only looks like one."""

import pytest

from adapters.screening.presidio.recognizers.identifier import CERTAIN, WEAK
from adapters.screening.presidio.recognizers.sg_nric import NricRecognizer, check_letter
from tests.support.recognizing import found


def test_check_digits():
    """
    Check characters of published examples: S1234567D, T1234567J, F1234567N, G1234567X.
    """
    assert "".join(check_letter(prefix, "1234567") for prefix in "STFG") == "DJNX"


def test_singapore():
    """
    NRICs of every series.
    """
    assert [check_letter(prefix, "1234567") for prefix in "STFGM"] == ["D", "J", "N", "X", "K"]


@pytest.mark.parametrize("value", ["S1234567D", "s1234567d", "S1234 567 D", "S-1234-567-D", "T1234567J", "M1234567K"])
def test_ways_of_writing_it(value):
    """
    A valid number is certain however it is written.
    """
    assert found(NricRecognizer(), f"(IC {value})") == {value: CERTAIN}


def test_another_letter_is_weak():
    """
    With a check letter that does not hold it needs the word that names it.
    """
    assert found(NricRecognizer(), "S1234567A") == {"S1234567A": WEAK}


@pytest.mark.parametrize("text", ["XS1234567D", "S1234567DX", "A1234567D", "S123456D", "S12345678D", "REF-S1234567D"])
def test_parts_of_other_codes(text):
    """
    What stands within a longer code, or has another prefix or length, is none.
    """
    assert found(NricRecognizer(), text) == {}
