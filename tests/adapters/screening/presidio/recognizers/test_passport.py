"""Passports, by their number and by the line that machines read."""

from adapters.screening.presidio.recognizers import (
    passport,
)


def test_passports():
    """
    The machine readable line of ICAO Doc 9303 part 4, appendix B.
    """
    line = "L898902C36UTO7408122F1204159ZE184226B<<<<<10"
    assert passport.holds(line)
    assert not passport.holds(line.replace("7408122", "7408121"))
