"""A time that a report is about: days or instants in UTC, from the first up to the last, which a day is meant with whole."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from gateway.errors import FieldInvalidError
from gateway.model.base import utc_text

_DAY: Final = len("2026-10-31")
_YEARS: Final = range(1970, 9000)
_ADVICE: Final = "a day such as 2026-10-31, or a time with an offset such as 2026-10-31T12:00:00Z"


@dataclass(frozen=True, slots=True)
class Span:
    """From one instant up to, not including, another."""

    since: str
    until: str

    @property
    def title(self) -> str:
        """As people say it: days by their dates where it is whole days."""
        midnight = "T00:00:00.000000Z"
        if self.since.endswith(midnight) and self.until.endswith(midnight):
            last = date.fromisoformat(self.until[:_DAY]) - timedelta(days=1)
            return f"{self.since[:_DAY]} to {last.isoformat()}"
        return f"{self.since} to {self.until}"


def span_of(since: str, until: str) -> Span:
    """
    The time between what was asked for.

    Raises:
        FieldInvalidError: one of them is no time, or the end is not after the beginning.
    """
    span = Span(_instant("since", since, 0), _instant("until", until, 1))
    if span.since >= span.until:
        raise FieldInvalidError("a period ends after it begins", fields=[("until", "is not after since")])
    return span


def _instant(field: str, text: str, days: int) -> str:
    """An instant as records have it; *days* are added where the text is a day."""
    moment: datetime | None = None
    try:
        if len(text) == _DAY:
            moment = datetime.combine(date.fromisoformat(text) + timedelta(days=days), time(), UTC)
        else:
            stated = datetime.fromisoformat(text)
            # Without an offset nobody knows which time is meant; this machine's is nobody's.
            moment = stated.astimezone(UTC) if stated.tzinfo else None
    except (ValueError, OverflowError):
        pass
    if moment is None or moment.year not in _YEARS:
        raise FieldInvalidError("a period is between two times", fields=[(field, f"must be {_ADVICE}")])
    return utc_text(moment)
