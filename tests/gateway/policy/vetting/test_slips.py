"""Slips of the pen: which entries say dates, and what is said of one that does not."""

import pytest

from gateway.policy.vetting.slips import date_slip, is_of_a_date


@pytest.mark.parametrize("name", ["expires", "valid_from", "effective_date", "keep_until", "key_expires", "held_since"])
def test_an_entry_of_this_name_says_a_date(name):
    """
    What names an end or a beginning is held to be a real date.
    """
    assert is_of_a_date(name)


@pytest.mark.parametrize("name", ["owner", "dated", "expiresat", "id", ""])
def test_other_names_do_not(name):
    """
    Any other text may say what it likes.
    """
    assert not is_of_a_date(name)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("31/12/2020", "Did you mean 2020-12-31? Write a day, such as 2026-12-31"),
        ("03/04/2020", "Did you mean 2020-04-03 or 2020-03-04?"),
        ("next week", "Write a day, such as 2026-12-31"),
        (["2020-12-31"], "Write a day, such as 2026-12-31"),
    ],
)
def test_what_may_be_meant_is_said(value, hint):
    """
    A date written in another way is told back as it should be; where nobody can tell, no guess is made.
    """
    slip = date_slip(("expires",), value)
    assert slip.hint.startswith(hint)
    assert slip.path == ("expires",)
    assert len(date_slip(("expires",), "x" * 10_000).message) < 100
