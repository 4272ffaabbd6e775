"""How an exception on request stands: in force, over, about to lapse, or never needed."""

from datetime import UTC, datetime, timedelta
from typing import Final

from gateway.model import utc_text
from gateway.ports.waivers import KeptWaiver, Waiver

SOON: Final = timedelta(days=14)
"""How long before its end an officer is reminded of one."""


def needs_a_look(kept: KeptWaiver, now: datetime, within: timedelta = SOON) -> tuple[str, ...]:
    """Why an officer should look at one in force: it lapses soon, was never used, or is used up; nothing for others."""
    waiver = kept.waiver
    if waiver.state != "approved" or ends_at(waiver) <= utc_text(now):
        return ()
    most = waiver.trigger.max_uses
    words = {
        "lapses": ends_at(waiver) <= utc_text(now.astimezone(UTC) + within),
        "never used": kept.used == 0,
        "used up": most is not None and kept.used >= most,
    }
    return tuple(word for word, so in words.items() if so)


def ends_at(waiver: Waiver) -> str:
    """When it ends at the latest."""
    return min(waiver.expires, waiver.trigger.until or waiver.expires)


def state_of(waiver: Waiver, now: datetime) -> str:
    """Where it stands in an officer's words: `asked`, `in force`, `over` or `revoked`."""
    if waiver.state == "revoked":
        return "revoked"
    if ends_at(waiver) <= utc_text(now):
        return "over"
    return "in force" if waiver.state == "approved" else "asked"
