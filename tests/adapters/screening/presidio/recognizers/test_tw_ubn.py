"""Taiwan unified business numbers."""

from adapters.screening.presidio.recognizers import (
    tw_national_id,
    tw_ubn,
)


def test_taiwan():
    """
    A123456789 is the ministry's sample ID; 04595257 and 00501503 are UBNs of stdnum and of a public company.
    """
    assert tw_national_id.is_valid("A123456789")
    assert not tw_national_id.is_valid("A123456788")
    assert tw_ubn.is_valid("00501503")
    assert tw_ubn.is_valid("04595257")
    assert not tw_ubn.is_valid("00501502")
