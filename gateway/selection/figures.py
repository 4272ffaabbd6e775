"""
Figures of a clause: amounts, shares, spans of time, frequencies, dates, times of day and counts, each in one unit.

72 hours and three days are one figure, and so are USD 5 million and $5,000,000, 15 % and 15 percent, quarterly and every three
months, 17:00 and 5 p.m.  Numbers that only name something (section 4.2, version 3, 2026) are none.  One pass over the tokens.
"""

import re

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gateway.content.terms import NUMBERS, SCALE
from gateway.selection.vocabulary import (
    CURRENCIES,
    HOURS_OF_A_MONTH,
    MONTHS,
    NUMBERS_KINDS,
    NUMBERS_NOTHING,
    SIGNS,
    UNITS,
)

TOKEN: Final = re.compile(
    r"every-[a-z]+(?:-[a-z]+)?|\d{4}-\d\d-\d\d(?!\d)|\d{1,2}:\d\d(?!\d)|(?:US|HK|S|A)?[$€£¥]|%"
    r"|\d[\d,]*(?:\.\d+)?(?:[a-zA-Z]{1,2}(?![a-zA-Z]))?|[A-Za-z]+[-/]\d[\w/-]*|[ap]\.m\b|e\.g\b|[^\W\d_]\w*"
)
"""What a clause is made of; each alternative begins with another kind of character or is bounded, so that reading is linear."""

_NUMBERS: Final = {**NUMBERS, "one": 1}
_NUMBER: Final = re.compile(r"(\d[\d,]*(?:\.\d+)?)([a-z]{0,2})")
_ISO_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_CLOSED: Final = ("business", "working", "banking", "trading")
_ORDINAL: Final = ("st", "nd", "rd", "th")
_BEFORE_RANGE: Final = ("from", "between")


class Figure(NamedTuple):
    """A figure of a clause."""

    dimension: str
    """What may be compared with it: "money:USD", "%", "time", "months", "every", "date", "clock", "count", or "" where only the
    number is known."""

    low: float
    """In the unit of its dimension: currency units, percent, hours, months, days of the year, minutes of the day, or pieces."""

    high: float
    """As `low`, but for a range its upper end."""

    number: float
    """As it was written."""

    start: int
    """Its first token."""

    end: int
    """The token after its last one."""

    exact: str = ""
    """Of a date: its year."""


def differ(left: Figure, right: Figure) -> bool | None:
    """Whether two figures differ; None where they cannot be compared."""
    if "" in (left.dimension, right.dimension):
        return _bare_differ(left, right)
    if {left.dimension, right.dimension} == {"time", "months"}:
        left, right = _in_hours(left), _in_hours(right)
    elif {left.dimension, right.dimension} == {"time", "open"}:
        left, right = _with_weekends(left), _with_weekends(right)
    if left.dimension != right.dimension:
        return None
    if left.exact and right.exact and left.exact != right.exact:
        return True
    return not _within(left, right) and not _within(right, left)


def _bare_differ(left: Figure, right: Figure) -> bool | None:
    """For figures of which one has no unit: a record that says 5000000 may mean any currency, 0.15 may be 15 percent."""
    if {left.dimension, right.dimension} & {"date", "clock", "every"}:
        return None
    # A share is written as 15 and as 0.15, and nothing beside the number says which.
    if "%" in (left.dimension, right.dimension):
        return not any(_near(a, b) for a in (left.low, left.low / 100) for b in (right.low, right.low / 100))
    return not any(_near(a, b) for a in (left.low, left.number) for b in (right.low, right.number))


def _near(left: float, right: float) -> bool:
    return abs(left - right) <= 1e-9 * max(abs(left), abs(right))


def _within(inner: Figure, outer: Figure) -> bool:
    slack = 1e-9 * max(abs(outer.low), abs(outer.high))
    return outer.low - slack <= inner.low and inner.high <= outer.high + slack


def _in_hours(figure: Figure) -> Figure:
    if figure.dimension != "months":
        return figure
    shortest, longest = HOURS_OF_A_MONTH
    return figure._replace(dimension="time", low=figure.low * shortest, high=figure.high * longest)


def _with_weekends(figure: Figure) -> Figure:
    """Days on which the bank is open as the span of days that they may take, with weekends and a holiday."""
    if figure.dimension != "open":
        return figure
    return figure._replace(dimension="time", high=figure.high * 2 + 72)


def figures(tokens: Sequence[str]) -> list[Figure]:
    """Every figure of a clause, in order."""
    return list(_figures(tokens, [token.casefold() for token in tokens]))


def _figures(tokens: Sequence[str], low: Sequence[str]) -> Iterator[Figure]:
    at = 0
    while at < len(tokens):
        found = _frequency(low, at) or _date(low, at) or _clock(low, at) or _quantity(tokens, low, at)
        if found is None:
            at += 1
            continue
        yield found
        at = found.end


def _word(low: Sequence[str], at: int) -> str:
    return low[at] if 0 <= at < len(low) else ""


def _value(token: str, after: str) -> tuple[float, int] | None:
    """The number that a token writes, and how many tokens it takes with the word of scale after it."""
    if token in _NUMBERS:
        number, suffix = float(_NUMBERS[token]), ""
    else:
        found = _NUMBER.fullmatch(token)
        if found is None:
            return None
        number, suffix = float(found[1].replace(",", "")), found[2]
    if suffix and suffix not in SCALE:
        return None
    taken = 2 if not suffix and after in SCALE else 1
    return number * SCALE.get(suffix or after, 1.0), taken


def _unit(word: str) -> str | None:
    singular = word.removesuffix("s")
    return singular if singular in UNITS else None


def _frequency(low: Sequence[str], at: int) -> Figure | None:
    """How often: "every-quarter", "every 12 months", "every two years"."""
    token = low[at]
    if token.startswith("every-"):
        half, unit = token.startswith("every-half-"), _unit(token.rpartition("-")[2])
        return _every(unit, 0.5 if half else 1.0, at, at + 1) if unit else None
    if token not in {"every", "each"}:
        return None
    value = _value(_word(low, at + 1), "")
    unit = _unit(_word(low, at + 2))
    return _every(unit, value[0], at, at + 3) if value and unit else None


def _every(unit: str, count: float, start: int, end: int) -> Figure:
    kind, size = UNITS[unit]
    # In hours throughout: a year is 12 months of the same length as each of the others, so nothing is lost in comparing.
    hours = count * size * (730.5 if kind == "months" else 1.0)
    return Figure("every", hours, hours, count, start, end)


def _date(low: Sequence[str], at: int) -> Figure | None:
    """A day: "2026-03-31", "31 March 2026", "March 31", "the 10th of the month"."""
    token, after = low[at], _word(low, at + 1)
    if _ISO_DATE.fullmatch(token):
        year, month, day = token.split("-")
        return _day(int(month), int(day), year, at, at + 1)
    day_of = _day_number(token)
    if day_of is not None and after in MONTHS:
        return _with_year(low, MONTHS[after], day_of, at, at + 2)
    if token in MONTHS and (day_of := _day_number(after)) is not None:
        return _with_year(low, MONTHS[token], day_of, at, at + 2)
    if day_of is not None and token.endswith(_ORDINAL) and (after, _word(low, at + 3)) == ("of", "month"):
        return _day(0, day_of, "", at, at + 4)
    return None


def _day_number(token: str) -> int | None:
    digits = token[:-2] if token.endswith(_ORDINAL) else token
    return int(digits) if digits.isdecimal() and len(digits) <= 2 and 1 <= int(digits) <= 31 else None


def _with_year(low: Sequence[str], month: int, day: int, start: int, end: int) -> Figure:
    year = _word(low, end)
    return _day(month, day, year, start, end + 1) if _is_year(year) else _day(month, day, "", start, end)


def _day(month: int, day: int, year: str, start: int, end: int) -> Figure:
    place = float(month * 31 + day)
    return Figure("date", place, place, place, start, end, year)


def _is_year(token: str) -> bool:
    return len(token) == 4 and token.isdecimal() and token[:2] in {"19", "20"}


def _clock(low: Sequence[str], at: int) -> Figure | None:
    """A time of day: "17:00", "5 p.m.", "5:30 pm"."""
    token, after = low[at], _word(low, at + 1)
    hour, colon, minute = token.partition(":")
    half = token[-2:] if token[-2:] in {"am", "pm"} else after.replace(".", "")
    if not colon and half not in {"am", "pm"}:
        return None
    hour = hour.removesuffix(half)
    if not hour.isdecimal() or int(hour) > 24 or (colon and not minute.isdecimal()):
        return None
    later = 12 if half == "pm" and int(hour) < 12 else 0
    minutes = 60.0 * (int(hour) + later) + int(minute or 0)
    taken = 2 if half in {"am", "pm"} and not token.endswith(half) else 1
    return Figure("clock", minutes, minutes, minutes, at, at + taken)


def _quantity(tokens: Sequence[str], low: Sequence[str], at: int) -> Figure | None:
    """An amount, a share, a span of time or a count; also a range of them."""
    value = _value(low[at], _word(low, at + 1))
    if value is None or _only_names(low, at):
        return None
    number, taken = value
    start, end, last = at, at + taken, number
    # "5 to 7 years", "from 5 to 7 years": the unit stands after the second.
    second = _value(_word(low, end + 1), _word(low, end + 2)) if _word(low, end) == "to" else None
    if second is not None and second[0] > number:
        last, end = second[0], end + 1 + second[1]
    return _dimension(tokens, low, Figure("count", number, last, number, start, end))


def _only_names(low: Sequence[str], at: int) -> bool:
    before = _word(low, at - 1)
    if before in NUMBERS_NOTHING or before in NUMBERS_KINDS:
        return True
    if _is_year(low[at]) and _unit(_word(low, at + 1)) is None and _word(low, at - 1).upper() not in CURRENCIES:
        return True
    # "one" is more often an article than a figure; before a unit it is one.
    return low[at] == "one" and _unit(_word(low, at + 1)) is None and _word(low, at + 1) not in {*_CLOSED, "basis"}


def _dimension(tokens: Sequence[str], low: Sequence[str], figure: Figure) -> Figure:
    before = tokens[figure.start - 1] if figure.start else ""
    after, following = _word(low, figure.end), _word(low, figure.end + 1)
    if before in CURRENCIES or before in SIGNS:
        return figure._replace(dimension=f"money:{SIGNS.get(before, before)}", start=figure.start - 1)
    if after.upper() in CURRENCIES and tokens[figure.end].isupper():
        return figure._replace(dimension=f"money:{after.upper()}", end=figure.end + 1)
    if after in {"%", "percent"} or (after, following) == ("per", "cent"):
        return figure._replace(dimension="%", end=figure.end + (2 if after == "per" else 1))
    if after in {"bp", "bps"} or (after == "basis" and following.startswith("point")):
        share = figure._replace(dimension="%", low=figure.low / 100, high=figure.high / 100)
        return share._replace(end=figure.end + (2 if after == "basis" else 1))
    closed = after in _CLOSED
    unit = _unit(following) if after in {*_CLOSED, "calendar", "consecutive", "full"} else _unit(after)
    if unit is None:
        return figure
    kind, size = UNITS[unit]
    end = figure.end + (1 if unit == _unit(after) else 2)
    kind = "open" if closed and kind == "time" else kind
    return figure._replace(dimension=kind, low=figure.low * size, high=figure.high * size, end=end)
