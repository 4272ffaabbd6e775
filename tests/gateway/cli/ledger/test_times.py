"""Times as people give them to a command."""

from datetime import UTC, datetime, timedelta

import pytest
import typer

from gateway.cli.ledger import times
from gateway.policy.vetting.dates import is_date

NOW = datetime(2026, 3, 1, 9, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr(times, "system_clock", lambda: NOW)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-02-01", "2026-02-01T00:00:00.000000Z"),
        ("2026-02-01T10:00", "2026-02-01T10:00:00.000000Z"),
        ("2026-02-01T10:00:00+08:00", "2026-02-01T02:00:00.000000Z"),
        ("2026-02-01T10:00:00.123456Z", "2026-02-01T10:00:00.123456Z"),
        ("12h", "2026-02-28T21:15:00.000000Z"),
        ("2w", "2026-02-15T09:15:00.000000Z"),
    ],
)
def test_a_moment_of_the_past(text, moment):
    """
    A day, a time in any zone, and how long ago are one form to the ledger.
    """
    assert times.before(text) == moment


@pytest.mark.parametrize(
    ("text", "day"), [("2026-12-31", "2026-12-31"), ("90d", "2026-05-30"), ("12h", "2026-03-01T21:15:00Z")]
)
def test_an_end(text, day):
    """
    An end is a day, or a time in UTC, as tables have it.
    """
    assert times.end(text) == day
    assert is_date(times.end(text))


@pytest.mark.parametrize("text", ["", "31/12/2026", "soon", "2026-13-45", "9" * 50, "999999w", "-1d", "1y", "²d"])
def test_what_is_no_time_is_answered_with_examples(text):
    """
    Whoever writes a time in another way is shown three that would be understood, and no pattern.
    """
    with pytest.raises(typer.BadParameter, match="such as"):
        times.end(text)


@pytest.mark.parametrize(("text", "long"), [("10m", timedelta(minutes=10)), ("1d", timedelta(days=1))])
def test_a_length(text, long):
    """
    A length is a number and a unit; anything else is refused with an example.
    """
    assert times.length(text) == long
    with pytest.raises(typer.BadParameter, match="10m"):
        times.length("ten minutes")
