"""
Times as people give them to a command: a day, a time, or how long ago, all in UTC unless an offset says otherwise.

`2026-03-01` is that day's beginning, `2026-03-01T09:00:00+08:00` that moment, and `90d`, `12h`, `30m` or `45s` that long before now,
or after it where an end is asked for.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import typer

from gateway.bootstrap.process import system_clock
from gateway.model.base import utc_text

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_DIGITS: Final = 6
_LONGEST: Final = 40
_EXPECTED: Final = "a day such as 2026-03-01, a time such as 2026-03-01T09:00:00Z, or how long such as 90d, 12h or 30m"


def length(text: str) -> timedelta:
    """
    How long, such as 90d.

    Raises:
        typer.BadParameter: it is none; says what was expected.
    """
    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS and unit in _UNITS):
        raise typer.BadParameter("a length of time is a number and s, m, h, d or w, such as 10m or 90d")
    return timedelta(seconds=int(number) * _UNITS[unit])


def before(text: str) -> str:
    """
    A moment of the past as records have it: UTC with microseconds.

    Raises:
        typer.BadParameter: it is none; says what was expected.
    """
    return utc_text(_moment(text, ahead=False))


def end(text: str) -> str:
    """
    The first day, or time in UTC, at which something no longer holds.

    Raises:
        typer.BadParameter: it is none; says what was expected.
    """
    moment = _moment(text, ahead=True).astimezone(UTC)
    whole_day = moment == moment.replace(hour=0, minute=0, second=0, microsecond=0)
    # After a number of days a whole day ends: what was asked for in days is not over in the middle of one.
    if whole_day or text[-1:] in {"d", "w"}:
        return f"{moment:%Y-%m-%d}"
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _moment(text: str, *, ahead: bool) -> datetime:
    if text[-1:] in _UNITS and text[:-1].isdigit():
        try:
            return system_clock() + length(text) * (1 if ahead else -1)
        except OverflowError as error:
            raise typer.BadParameter(f"that is no time: write {_EXPECTED}") from error
    try:
        moment = datetime.fromisoformat(text if len(text) <= _LONGEST else "")
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(f"write {_EXPECTED}") from error


_HELP: Final = "A day (2026-03-01), a time (2026-03-01T09:00:00Z) or how long ago (90d, 12h)"
Since = Annotated[str | None, typer.Option(parser=before, metavar="TIME", help=f"{_HELP}, inclusive.")]
Until = Annotated[str | None, typer.Option(parser=before, metavar="TIME", help=f"{_HELP}, exclusive.")]
