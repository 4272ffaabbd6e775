"""What a field's name says of its value."""

import pytest

from adapters.screening.presidio.fields import type_of


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("customer_name", "PERSON"),
        ("accountHolderName", "PERSON"),
        ("nric", "SG_NRIC_FIN"),
        ("home-phone", "PHONE_NUMBER"),
        ("file_name", None),
        ("status", None),
    ],
)
def test_field_names(key, expected):
    """
    A field's name stands for a type only where it says so.
    """
    assert expected == type_of(key)
