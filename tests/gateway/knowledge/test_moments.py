"""Until when an answer about labels holds."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gateway.knowledge.labels import DecidingFacts
from gateway.knowledge.moments import NEVER, instant, neighbours, standing
from gateway.model.base import utc_text

NOW = datetime(2026, 3, 1, 9, 15, tzinfo=UTC)
SECONDS = st.integers(-1_000, 100_000)


def deciding(*numbers: float, texts: tuple[str, ...] = ()) -> DecidingFacts:
    return DecidingFacts(frozenset(), True, tuple(numbers), texts)


@given(st.lists(st.integers(-50, 50) | st.floats(-50, 50), min_size=1, max_size=4), SECONDS, st.integers(0, 999_999))
def test_no_comparison_changes_before_the_moment(numbers, age, micro):
    """
    Until the moment that is told no comparison of the age with any of the numbers changes; then the age is another.
    """
    near = neighbours(deciding(*numbers), (), "2026-03-01")
    fetched = NOW - timedelta(seconds=age, microseconds=micro)
    until = near.until(instant(fetched), instant(NOW))

    def said(moment: int) -> list[tuple[bool, bool, bool]]:
        at = (moment - instant(fetched)) // 1_000_000
        return [(at < one, at == one, at > one) for one in numbers]

    before = said(instant(NOW))
    assert until > instant(NOW)
    last = until - 1 if until != NEVER else instant(NOW) + 10**12
    assert said(last) == before
    assert said((instant(NOW) + last) // 2) == before


@given(
    st.lists(st.integers(0, 86_399_999_999), min_size=1, max_size=3),
    st.lists(st.integers(0, 86_399_999_999), min_size=2, max_size=2),
)
def test_times_that_stand_alike_compare_alike(ends, moments):
    """
    Two moments of a day that stand between the same texts compare alike with each, with and without their last letter.
    """
    day = datetime(2026, 3, 1, tzinfo=UTC)
    texts = tuple(utc_text(day + timedelta(microseconds=one)) for one in ends)
    near = neighbours(deciding(texts=texts), (), "2026-03-01")
    first, second = (utc_text(day + timedelta(microseconds=one)) for one in moments)
    if near.of_now(first) == near.of_now(second):
        for text in texts:
            assert [first < text, first == text] == [second < text, second == text]
            ends_, one, two = text.removesuffix("Z"), first.removesuffix("Z"), second.removesuffix("Z")
            assert [one < ends_, one == ends_] == [two < ends_, two == ends_]


def test_requests_that_stand_alike_are_alike():
    """
    Facts that differ in the time and in ages alone, and pass nothing, stand alike; those that pass something do not.
    """
    near = neighbours(deciding(300, texts=("2026-03-01T12:00:00.000000Z",)), (), "2026-03-01")

    def at(hour: int, age: int) -> dict[str, object]:
        return standing({"now": f"2026-03-01T{hour:02}:00:00.000000Z", "records": [{"age_seconds": age}]}, near)

    assert at(9, 1) == at(10, 299)
    assert at(9, 1) != at(13, 1)
    assert at(9, 300) != at(9, 301)
    assert at(9, 299) != at(9, 300)


def test_what_was_never_fetched_has_no_age():
    """
    Where it is not known when something was fetched, no moment changes its age.
    """
    assert neighbours(deciding(300), (), "2026-03-01").until(None, instant(NOW)) == NEVER
