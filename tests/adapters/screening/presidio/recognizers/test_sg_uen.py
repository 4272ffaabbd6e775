"""Singapore UENs."""

from adapters.screening.presidio.recognizers import (
    sg_nric,
    sg_uen,
)


def test_singapore():
    """
    UENs of stdnum's documentation, and NRICs of every series.
    """
    assert all(map(sg_uen.is_valid, ["00192200M", "197401143C", "S16FC0121D", "T01FC6132D"]))
    assert not any(map(sg_uen.is_valid, ["00192200X", "197401143D", "S16FC0121X"]))
    assert [sg_nric.check_letter(prefix, "1234567") for prefix in "STFGM"] == ["D", "J", "N", "X", "K"]
