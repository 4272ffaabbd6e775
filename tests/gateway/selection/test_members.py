"""What records state in figures, member by member."""

import pytest

from gateway.selection.members import read_record


@pytest.mark.parametrize(
    ("record", "dimension", "low"),
    [
        ({"credit_limit_usd": 5_000_000}, "money:USD", 5_000_000),
        ({"creditLimit": 5_000_000, "currency": "SGD"}, "money:SGD", 5_000_000),
        ({"credit_limit": {"amount": 5_000_000, "currency": "EUR"}}, "money:EUR", 5_000_000),
        ({"credit_limit": 5_000_000}, "", 5_000_000),
        ({"credit_limit": "USD 5 million"}, "money:USD", 5_000_000),
        ({"notice_period_days": 3}, "time", 72),
        ({"notice_period": {"value": 3, "unit": "days"}}, "time", 72),
        ({"rate_percent": 4.25}, "%", 4.25),
        ({"margin_bps": 185}, "%", 1.85),
        ({"review_date": "2026-06-30"}, "date", 6 * 31 + 30),
    ],
)
def test_units_of_members(record, dimension, low):
    """
    A member's unit is taken from its value, its name, or the member beside it; one without a unit has none.
    """
    [statement] = read_record(record).statements
    assert (statement.figure.dimension, pytest.approx(statement.figure.low)) == (dimension, low)


@pytest.mark.parametrize(
    "record",
    [
        {"limits": [1, 2, 3]},
        {"ok": True},
        {"note": "Paid within 5 days. " * 9},
        {"name": "CP-1"},
        {"n": 10**400},
        [],
        {},
    ],
)
def test_members_without_a_figure(record):
    """
    Lists of numbers, prose, names and what is too large to be an amount state nothing.
    """
    assert read_record(record).statements == ()
