"""Hong Kong identity cards."""

from adapters.screening.presidio.recognizers import (
    hk_hkid,
)
from adapters.screening.presidio.recognizers.hk_hkid import check_digit
from adapters.screening.presidio.recognizers.sg_nric import check_letter


def test_hong_kong():
    """
    G123456(A) is the example of the Immigration Department's own leaflet; L555555(0) another one.
    """
    assert hk_hkid.check_digit("G", "123456") == "A"
    assert hk_hkid.check_digit("L", "555555") == "0"


def test_check_digits():
    """
    Check characters of published examples: S1234567D, T1234567J, F1234567N, G1234567X; A123456(3), AB987654(3).
    """
    assert "".join(check_letter(prefix, "1234567") for prefix in "STFG") == "DJNX"
    assert (check_digit("A", "123456"), check_digit("AB", "987654")) == ("3", "3")
