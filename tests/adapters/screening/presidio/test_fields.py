"""What a field's name says of its value."""

import pytest

from adapters.screening.presidio.fields import says_something, type_of, words_of


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


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("customerName", "customer_name"),
        ("home-phone", "home_phone"),
        ("Full Name", "full_name"),
        ("NRIC", "nric"),
        ("nricNo", "nric_no"),
    ],
)
def test_words_of_a_name(key, words):
    """
    Capitals within a name, dashes and blanks part its words.
    """
    assert words_of(key) == words


@pytest.mark.parametrize(
    ("text", "entity", "expected"),
    [
        ("Ong Wei Jie", "PERSON", True),
        ("王小明", "PERSON", True),
        ("12-34", "PERSON", False),
        ("He came. She went", "PERSON", False),
        ("Order 4711", "PERSON", False),
        ("a = b", "PERSON", False),
        ("x" * 81, "PERSON", False),
        ("9123", "PHONE_NUMBER", True),
        ("unknown", "PHONE_NUMBER", False),
        ("me@bank", "EMAIL_ADDRESS", True),
    ],
)
def test_says_something(text, entity, expected):
    """
    A value counts for its field only if it may be that: a name has letters and no sentence, a number has digits.
    """
    assert says_something(text, entity) is expected


@pytest.mark.parametrize(
    ("key", "entity"),
    [
        ("upi_id", "IN_UPI"),
        ("swiftCode", "SWIFT_BIC"),
        ("account_number", "BANK_ACCOUNT"),
        ("old_account_no.", "BANK_ACCOUNT"),
        ("e-mail", "EMAIL_ADDRESS"),
        ("card_number", "CREDIT_CARD"),
        ("account_holder", "PERSON"),
        ("relationshipManager", "PERSON"),
        ("pan", "IN_PAN"),
        ("panic", None),
        ("pandemic_id", None),
        ("company_pan_x", None),
        ("final", None),
        ("product_name", None),
    ],
)
def test_the_end_of_a_name_tells(key, entity):
    """
    The last words of a field's name say what its value is; the same letters within other words say nothing.
    """
    assert type_of(key) == entity
