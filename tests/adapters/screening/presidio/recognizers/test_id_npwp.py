"""Indonesian NPWP."""

from adapters.screening.presidio.recognizers import (
    id_nik,
    id_npwp,
)


def test_indonesia():
    """
    NPWP 01.312.166.0-091.000 of stdnum's documentation, and NIKs of plausible and impossible days.
    """
    assert id_npwp.is_valid("013121660091000")
    assert not id_npwp.is_valid("123456789091000")
    assert id_nik.is_valid("3171011708450001")
    assert id_nik.is_valid("3171015708450001")
    assert not id_nik.is_valid("3171013208450001")
    assert not id_nik.is_valid("9901011708450001")
