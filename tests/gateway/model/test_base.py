"""The small types of the wire."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from gateway.model.base import Day, Instant, Model, Name, name_problem, person_of, utc_text


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


class TestPersons:
    @pytest.mark.parametrize(
        "spelt",
        [
            "Dana.Ng",
            "dana.ng ",
            "\uff44ana.ng",
            "da na.ng",
            "dana.\u200bng",
            "DANA.NG\u00a0",
            "dana\u00ad.ng",
            "dana.ng\u3164",
            "d\ufe00ana.ng",
        ],
    )
    def test_one_person_however_spelt(self, spelt):
        """
        Case, compatibility forms, white space and what nobody sees make nobody another person.
        """
        assert person_of(spelt) == "dana.ng"

    @given(st.text(max_size=30))
    @example("a\u200b\u0301")
    def test_the_same_again(self, identity):
        """
        What a person is compared by is compared by itself, in any case.
        """
        person = person_of(identity)
        assert person_of(person) == person
        assert person_of(f" {identity}\u200b ") == person

    @given(st.text(min_size=1, max_size=30))
    def test_a_name_that_may_be_used_is_somebodys(self, name):
        """
        A name without a problem has something to compare by, holds nothing that is not seen, and is not a sign alone.
        """
        assert name_problem(name) is not None or person_of(name)

    @pytest.mark.parametrize(
        "name", ["sarah.lim", "s-1", "Zo\u00eb", "\u738b\u5c0f\u660e", "a@b.example", "CN=ann,OU=x", "7"]
    )
    def test_what_people_are_called(self, name):
        """
        Names of people, of addresses and of directories are names.
        """
        assert name_problem(name, exact=True) is None
