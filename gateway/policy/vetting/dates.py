"""
Dates as tables and cases say them: a day, or a time in UTC, and nothing else.

Rules compare times as texts, which is right for these two alone: as a text 31/12/2020 comes after every day there will be, and a
time of another zone is taken for one of UTC.
"""

import re

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, Field

EXPECTED: Final = "a day, such as 2026-12-31, or a time in UTC, such as 2026-12-31T09:00:00Z"

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z")
_SHAPE: Final = re.compile(r"[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}([T ].*)?|[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{4}")
_LONGEST: Final = 40

_OTHER_WAYS: Final = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y")
_DAY_OR_MONTH_FIRST: Final = ("%d/%m/%Y", "%m/%d/%Y")


def is_date(value: object) -> bool:
    """Whether it is a day that there is, as 2026-12-31, or a time in UTC, as 2026-12-31T09:00:00Z."""
    if not isinstance(value, str) or len(value) > _LONGEST or not (_DAY.fullmatch(value) or _TIME.fullmatch(value)):
        return False
    return _moment(value) is not None


def looks_like_a_date(text: str) -> bool:
    """Whether whoever wrote it meant a date."""
    return len(text) <= _LONGEST and _SHAPE.fullmatch(text) is not None


def meant(value: object) -> list[str]:
    """Which dates may be meant by what is none; none where nobody can tell, two where the month may stand first or second."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not text or len(text) > _LONGEST:
        return []
    moment = _moment(text) if len(text) > len("2026-12-31") else None
    if moment is None:
        return list(dict.fromkeys(_days(text)))
    try:
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        return []
    return [f"{at:%Y-%m-%dT%H:%M:%SZ}"]


def _days(text: str) -> Iterator[str]:
    even = re.sub(r"(?<=[0-9])[-.](?=[0-9])", "/", text)
    for form, written in (*((form, text) for form in _OTHER_WAYS), *((form, even) for form in _DAY_OR_MONTH_FIRST)):
        try:
            yield f"{datetime.strptime(written, form).replace(tzinfo=UTC):%Y-%m-%d}"
        except ValueError:
            continue


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None


def _checked(text: str) -> str:
    if not is_date(text):
        msg = f"must be {EXPECTED}"
        raise ValueError(msg)
    return text


DayOrTime = Annotated[str, Field(max_length=_LONGEST), AfterValidator(_checked)]
"""A day or a time in UTC, the first that no longer counts."""
