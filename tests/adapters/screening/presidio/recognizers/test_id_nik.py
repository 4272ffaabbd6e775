"""Indonesian NIK: no check digit, but a province, a birthday and a serial."""

import pytest

from adapters.screening.presidio.recognizers.id_nik import NikRecognizer, is_valid
from adapters.screening.presidio.recognizers.identifier import LIKELY
from tests.support.recognizing import found


def test_indonesia():
    """
    NIKs of plausible and impossible days.
    """
    assert is_valid("3171011708450001")
    assert is_valid("3171015708450001")
    assert not is_valid("3171013208450001")
    assert not is_valid("9901011708450001")


@pytest.mark.parametrize(
    "value",
    [
        "2071011708450001",
        "3100011708450001",
        "3171001708450001",
        "3171010008450001",
        "3171017208450001",
        "3171011713450001",
        "3171011708450000",
    ],
)
def test_what_no_office_gives_out(value):
    """
    A province, regency or district that is none, a day of 0 or over 71, a month of 13 and a serial of 0 are refused.
    """
    assert not is_valid(value)


@pytest.mark.parametrize(
    "value", ["3171011708450001", "3171 0117 0845 0001", "317101-170845-0001", "31.71.01.170845.0001"]
)
def test_ways_of_writing_it(value):
    """
    A plausible number is likely in each of the groups it is written in.
    """
    assert found(NikRecognizer(), f"KTP {value},") == {value: LIKELY}


def test_sixteen_digits_of_another_kind():
    """
    The digits of a payment card are hardly a NIK.
    """
    assert found(NikRecognizer(), "4111111111111111") == {"4111111111111111": 0.1}
