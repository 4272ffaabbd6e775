"""Times that reports are about."""

import pytest

from gateway.errors import FieldInvalidError
from gateway.reporting.span import span_of


def test_days_are_meant_whole():
    """
    Who asks for October gets all of its last day.
    """
    span = span_of("2026-10-01", "2026-10-31")
    assert (span.since, span.until) == ("2026-10-01T00:00:00.000000Z", "2026-11-01T00:00:00.000000Z")
    assert span.title == "2026-10-01 to 2026-10-31"


def test_times_with_an_offset():
    """
    A time is taken to UTC, to the microsecond.
    """
    span = span_of("2026-10-01T08:00:00+08:00", "2026-10-01T00:00:00.5Z")
    assert (span.since, span.until) == ("2026-10-01T00:00:00.000000Z", "2026-10-01T00:00:00.500000Z")
    assert span.title == "2026-10-01T00:00:00.000000Z to 2026-10-01T00:00:00.500000Z"


@pytest.mark.parametrize(
    ("since", "until", "field"),
    [
        ("31/10/2026", "2026-11-01", "since"),
        ("2026-10-01", "2026-10-32", "until"),
        ("2026-10-01T00:00:00", "2026-10-02", "since"),
        ("2026-10-01 00:00:00", "2026-10-02", "since"),
        ("0001-01-01", "2026-10-02", "since"),
        ("2026-10-01", "9999-12-31", "until"),
        ("", "2026-10-02", "since"),
        ("yesterday", "2026-10-02", "since"),
        ("2026-10-02", "2026-10-01", "until"),
        ("2026-10-02T00:00:00Z", "2026-10-02T00:00:00Z", "until"),
        ("9" * 1000, "2026-10-02", "since"),
        ("9999-12-31T23:59:59-12:00", "2026-10-02", "since"),
    ],
)
def test_what_is_no_period(since, until, field):
    """
    What nobody can be sure about is refused, and the field is named.
    """
    with pytest.raises(FieldInvalidError) as caught:
        span_of(since, until)
    assert [name for name, _ in caught.value.fields] == [field]
