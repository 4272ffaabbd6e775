"""Indonesian NPWP: fifteen digits with dots and a dash, or bare, or sixteen."""

import pytest

from adapters.screening.presidio.recognizers.id_npwp import NpwpRecognizer, is_valid
from adapters.screening.presidio.recognizers.identifier import LIKELY, WEAK
from tests.support.recognizing import found


def test_indonesia():
    """
    NPWP 01.312.166.0-091.000 of stdnum's documentation.
    """
    assert is_valid("013121660091000")
    assert not is_valid("123456789091000")


def test_sixteen_digits():
    """
    Sixteen digits are the old fifteen after a zero; after another digit they are a NIK and not for this check.
    """
    assert is_valid("0013121660091000")
    assert not is_valid("1013121660091000")


@pytest.mark.parametrize("value", ["01.312.166.0-091.000", "013121660091000", "0013121660091000"])
def test_ways_of_writing_it(value):
    """
    A valid number is likely in each of its forms; with another check digit it needs its word.
    """
    assert found(NpwpRecognizer(), f"NPWP {value}") == {value: LIKELY}
    wrong = value.replace("66", "67")
    assert found(NpwpRecognizer(), wrong) == {wrong: WEAK}
