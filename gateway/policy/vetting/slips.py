"""A slip of the pen in a table or a case."""

from dataclasses import dataclass
from typing import Final

from gateway.policy.vetting.dates import EXPECTED, meant
from gateway.policy.vetting.places import Path

_DATES: Final = frozenset({"expires", "now", "valid_from", "since", "until", "signed_at", "retired_at", "revoked_at"})
_ENDINGS: Final = ("_date", "_until", "_expires", "_since")


@dataclass(frozen=True, slots=True)
class Slip:
    """What is wrong with an entry, and what was expected."""

    path: Path
    message: str
    hint: str
    key: bool = False
    """Whether the key is wrong, and not the value."""


def is_of_a_date(name: str) -> bool:
    """Whether an entry of this name says a date."""
    return name in _DATES or name.endswith(_ENDINGS)


def date_slip(path: Path, value: object) -> Slip:
    """An entry that should say a date and does not."""
    shown = str(value)[:60] if isinstance(value, str | int | float) else "this"
    dates = " or ".join(meant(value))
    wanted = f"Write {EXPECTED}."
    return Slip(path, f"{shown} is no date.", f"Did you mean {dates}? {wanted}" if dates else wanted)
