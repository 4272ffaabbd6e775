"""The small types of the wire."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from gateway.model.base import Day, Instant, Model, Name, utc_text


@pytest.mark.parametrize("text", ["2026-03-01T09:15:00Z", "2026-03-01T17:15:00.5+08:00"])
def test_instants(text):
    """
    A time with an offset stays as it was written.
    """
    assert TypeAdapter(Instant).validate_python(text) == text


@pytest.mark.parametrize("text", ["2026-03-01T09:15:00", "2026-02-30T09:15:00Z", "soon", "", "2026-03-01"])
def test_no_instants(text):
    """
    A time without an offset would be another one elsewhere, so it is refused.
    """
    with pytest.raises(ValidationError, match="offset"):
        TypeAdapter(Instant).validate_python(text)


@pytest.mark.parametrize("text", ["20260301", "2026-W09-7", "2026-02-29", "2026-3-1", "01.03.2026", ""])
def test_no_days(text):
    """
    Only YYYY-MM-DD is a day, though other spellings of ISO 8601 can be read: rules compare days as text.
    """
    with pytest.raises(ValidationError):
        TypeAdapter(Day).validate_python(text)


@given(st.dates(), st.dates())
def test_days_as_text_are_in_order(left, right):
    """
    Days that are accepted sort as text as they do as days.
    """
    days = [TypeAdapter(Day).validate_python(one.isoformat()) for one in (left, right)]
    assert (days[0] < days[1]) is (left < right)


@pytest.mark.parametrize("text", ["", "x" * 201, "a\x00b"])
def test_no_names(text):
    """
    A name has 1 to 200 characters and none that a database does not hold.
    """
    with pytest.raises(ValidationError):
        TypeAdapter(Name).validate_python(text)


def test_utc_text():
    """
    A moment is written in UTC with microseconds, wherever it was taken, so that records sort by it.
    """
    assert utc_text(datetime(2026, 3, 1, 17, 15, tzinfo=timezone(timedelta(hours=8)))) == "2026-03-01T09:15:00.000000Z"
    assert utc_text(datetime(2026, 3, 1, tzinfo=UTC)) < utc_text(datetime(2026, 3, 1, 0, 0, 0, 1, tzinfo=UTC))


def test_models_are_closed_and_frozen():
    """
    A model refuses members that it does not know, infinities, and changes.
    """

    class One(Model):
        x: float

    for wrong in ({"x": 1.0, "y": 2}, {"x": float("inf")}, {"x": float("nan")}):
        with pytest.raises(ValidationError):
            One.model_validate(wrong)
    with pytest.raises(ValidationError):
        One(x=1.0).x = 2.0
