"""
Until when an answer of policy about labels holds.

An age changes an answer only as it passes a number that it may be compared with, and the time only as it passes a text; both
stand in the rules, the tables or the other facts of the question, or the rules are not foreseen (reading/flow.py).  Days pass at
midnight, UTC.  So a question is the same as an earlier one where day, time and ages stand between the same neighbours.
"""

import math

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from gateway.knowledge.labels import DecidingFacts

NEVER: Final = 2**62
"""Microseconds: a moment that does not come."""

_SECOND: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def instant(moment: datetime) -> int:
    """Microseconds since 1970, UTC."""
    past = moment - _EPOCH
    return (past.days * 86_400 + past.seconds) * _SECOND + past.microseconds


@dataclass(frozen=True, slots=True)
class Edges:
    """What times and ages are compared with in the questions of one request."""

    ages: tuple[int, ...]
    """Ages in whole seconds at which an answer may change, sorted."""

    texts: tuple[str, ...]
    """Texts that the time may pass on the day of the request, sorted."""

    def of_now(self, now: str) -> list[int]:
        """Between which texts the time stands, as it is and without its last letter, as rules compare it."""
        return [
            place(self.texts, text) for text in (now, now.removesuffix("Z")) for place in (bisect_left, bisect_right)
        ]

    def of_age(self, seconds: int) -> int:
        """Between which ages an age stands."""
        return bisect_right(self.ages, seconds)

    def until(self, fetched_at: int | None, now: int) -> int:
        """
        The first moment after now at which something fetched then has an age that may change an answer.

        Args:
            fetched_at: in microseconds; None where it is not known, so that there is no age.
            now: in microseconds.
        """
        if fetched_at is None:
            return NEVER
        place = self.of_age((now - fetched_at) // _SECOND)
        return NEVER if place == len(self.ages) else fetched_at + self.ages[place] * _SECOND


def neighbours(deciding: DecidingFacts, told: Iterable[object], day: str) -> Edges:
    """
    What times and ages may be compared with.

    Args:
        deciding: what rules and tables say.
        told: everything else that is told in the questions.
        day: of the request, such as ``2026-03-01``; what lies on another day is not passed on it.
    """
    scalars = [one for value in told for one in _scalars(value)]
    numbers = {*deciding.numbers, *(float(one) for one in scalars if not isinstance(one, str))}
    # Both where it is reached and where it is passed: `<` and `<=` change there.
    ages = {edge for number in numbers if math.isfinite(number) for edge in (math.ceil(number), math.floor(number) + 1)}
    texts = {*deciding.texts, *(one for one in scalars if isinstance(one, str))}
    today = {one for one in texts if one.startswith(f"{day}T")}
    return Edges(tuple(sorted(ages)), tuple(sorted(today | {one.removesuffix("Z") for one in today})))


def standing(facts: Mapping[str, Any], near: Edges) -> dict[str, Any]:
    """The facts that all questions of a request share, with places in the place of times and ages."""
    placed = {name: _placed(value, near) for name, value in facts.items() if name != "now"}
    now = str(facts["now"])
    return {**placed, "day": now[:10], "time": near.of_now(now)}


def _placed(value: object, near: Edges) -> object:
    if isinstance(value, Mapping):
        return {
            name: near.of_age(one) if name == "age_seconds" and isinstance(one, int) else _placed(one, near)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_placed(one, near) for one in value]
    return value


def _scalars(value: object) -> Iterator[str | int | float]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            # What an age is now is no number that another is compared with.
            waiting += [inner for name, inner in one.items() if name not in {"age_seconds", "age_days", "now"}]
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, str | int | float) and not isinstance(one, bool):
            yield one
