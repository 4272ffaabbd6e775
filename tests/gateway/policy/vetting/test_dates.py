"""What is a date in a table, and which one was meant by what is none."""

import pytest

from gateway.policy.vetting.dates import is_date, looks_like_a_date, meant


@pytest.mark.parametrize(
    "text", ["2026-03-01", "2028-02-29", "2026-03-01T09:00:00Z", "2026-03-01T09:00:00.000000Z", "9999-12-31"]
)
def test_days_and_times_in_utc(text):
    """
    A day of the calendar and a time in UTC are dates.
    """
    assert is_date(text)


@pytest.mark.parametrize(
    ("value", "dates"),
    [
        ("31/12/2020", ["2020-12-31"]),
        ("12/31/2020", ["2020-12-31"]),
        ("03/04/2026", ["2026-04-03", "2026-03-04"]),
        ("31.12.2020", ["2020-12-31"]),
        ("31-12-2020", ["2020-12-31"]),
        ("2026/12/31", ["2026-12-31"]),
        ("2026-6-3", ["2026-06-03"]),
        (20261231, ["2026-12-31"]),
        ("31 Dec 2026", ["2026-12-31"]),
        ("December 31, 2026", ["2026-12-31"]),
        (" 2026-12-31", ["2026-12-31"]),
        ("2026-12-31T08:00:00+08:00", ["2026-12-31T00:00:00Z"]),
        ("2026-12-31 08:00:00", ["2026-12-31T08:00:00Z"]),
        ("2026-12-31T08:00Z", ["2026-12-31T08:00:00Z"]),
        ("2026-13-45", []),
        ("2026-02-30", []),
        ("0000-01-01", []),
        ("2026-12-31T25:00:00Z", []),
        ("soon", []),
        ("", []),
        ("9" * 5000, []),
        ("0001-01-01T00:00:00+23:00", []),
        (True, []),
        (1.5, []),
        (None, []),
    ],
)
def test_what_is_no_date_and_what_was_meant(value, dates):
    """
    Whatever is written in another way, or is no day of the calendar, is none; and what it may mean is told.
    """
    assert not is_date(value)
    assert meant(value) == dates
    assert all(map(is_date, dates))


def test_what_is_taken_for_a_date_by_its_looks():
    """
    Three numbers with a year at either end are meant as a date; versions and sections are not.
    """
    assert all(map(looks_like_a_date, ["31/12/2020", "2026-13-45", "2026/1/2", "2026-03-01T25:00"]))
    assert not any(map(looks_like_a_date, ["4.1.2", "1-2", "2026.02.01", "EXC-2026-001", "2026", "1/2/3"]))
