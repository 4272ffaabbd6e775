"""Singapore NRIC and FIN."""

from adapters.screening.presidio.recognizers import (
    sg_nric,
    sg_uen,
)
from adapters.screening.presidio.recognizers.hk_hkid import check_digit
from adapters.screening.presidio.recognizers.sg_nric import check_letter


def test_singapore():
    """
    UENs of stdnum's documentation, and NRICs of every series.
    """
    assert all(map(sg_uen.is_valid, ["00192200M", "197401143C", "S16FC0121D", "T01FC6132D"]))
    assert not any(map(sg_uen.is_valid, ["00192200X", "197401143D", "S16FC0121X"]))
    assert [sg_nric.check_letter(prefix, "1234567") for prefix in "STFGM"] == ["D", "J", "N", "X", "K"]


def test_check_digits():
    """
    Check characters of published examples: S1234567D, T1234567J, F1234567N, G1234567X; A123456(3), AB987654(3).
    """
    assert "".join(check_letter(prefix, "1234567") for prefix in "STFG") == "DJNX"
    assert (check_digit("A", "123456"), check_digit("AB", "987654")) == ("3", "3")
