"""Passports, by their number and by the line that machines read."""

import pytest

from adapters.screening.presidio.recognizers import passport_recognizers
from adapters.screening.presidio.recognizers.identifier import CERTAIN, WEAK
from adapters.screening.presidio.recognizers.passport import (
    MachineReadableRecognizer,
    PassportRecognizer,
    check_digit,
    holds,
)
from tests.support.recognizing import found

LINE = "L898902C36UTO7408122F1204159ZE184226B<<<<<10"
"""Of ICAO Doc 9303 part 4, appendix B."""


def test_passports():
    """
    The machine readable line of ICAO Doc 9303 part 4, appendix B.
    """
    assert holds(LINE)
    assert not holds(LINE.replace("7408122", "7408121"))


@pytest.mark.parametrize(("field", "digit"), [("520727", "3"), ("L898902C3", "6"), ("AB2134<<<", "5"), ("<<<<<<", "0")])
def test_check_digits(field, digit):
    """
    The examples of ICAO Doc 9303 part 3, and a field of fillers.
    """
    assert check_digit(field) == digit


def test_the_line_counts_by_itself():
    """
    A line whose check digits hold is certain; one with a changed digit in any of the three fields is not.
    """
    assert found(MachineReadableRecognizer(), f"{LINE}\n") == {LINE: CERTAIN}
    for index in (0, 14, 22):
        changed = LINE[:index] + ("M" if index == 0 else "9") + LINE[index + 1 :]
        assert found(MachineReadableRecognizer(), changed) == {changed: 0.3}


@pytest.mark.parametrize(
    ("entity", "value", "other"),
    [
        ("SG_PASSPORT", "K1234567E", "A1234567E"),
        ("HK_PASSPORT", "K01234567", "B01234567"),
        ("IN_PASSPORT", "J8369854", "J0369854"),
        ("TW_PASSPORT", "300000001", "900000001"),
        ("ID_PASSPORT", "B1234567", "12345678"),
        ("AU_PASSPORT", "PA1234567", "PAA123456"),
    ],
)
def test_each_jurisdiction(entity, value, other):
    """
    A number has the form of its jurisdiction, and counts only beside a word that names it.
    """
    assert found(PassportRecognizer(entity), f"{value} {other}") == {value: WEAK}


def test_all_are_there():
    """
    The analyzers get one recognizer for each jurisdiction, and one for the line.
    """
    entities = [entity for recognizer in passport_recognizers() for entity in recognizer.supported_entities]
    assert entities == [f"{country}_PASSPORT" for country in ("SG", "HK", "IN", "TW", "ID", "AU")] + ["PASSPORT_MRZ"]
