"""
Items that speak of one thing, as one group of what they say and under which labels: never pair by pair.

Which source type, date or jurisdiction counts is policy's.  Here equal labels are put together, so that a group costs what is
*different* in it: five hundred records that differ under the same labels are two that do, and the rest as one.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from gateway.model.policy_input import LotFacts, SideFacts


@dataclass(frozen=True, slots=True)
class GroupMember:
    """An item of a group."""

    item: str
    """Its id."""

    says: Hashable
    """Two members that say the same are no rivals."""

    source_type: str | None
    effective_date: str | None
    jurisdiction: str | None


_Labels = tuple[str | None, str | None, str | None]
"""Source type, effective date and jurisdiction."""

_Sides = dict[int, list[str]]
"""Items by the number of what they say, in the order of the set."""


def lots(members: Sequence[GroupMember]) -> list[LotFacts]:
    """Members by source type and effective date, the newest first, and in each by jurisdiction and by what they say."""
    numbers: dict[Hashable, int] = {}
    cells: dict[_Labels, _Sides] = {}
    for one in members:
        labels = one.source_type, one.effective_date, one.jurisdiction
        says = numbers.setdefault(one.says, len(numbers))
        cells.setdefault(labels, {}).setdefault(says, []).append(one.item)
    spread: dict[int, int] = defaultdict(int)
    for sides in cells.values():
        for says in sides:
            spread[says] += 1
    told: dict[tuple[str | None, str | None], list[SideFacts]] = {}
    for (source_type, day, jurisdiction), sides in cells.items():
        told.setdefault((source_type, day), []).extend(_told(sides, jurisdiction, spread))
    found: list[LotFacts] = [
        {"source_type": source_type, "effective_date": day, "sides": sides}
        for (source_type, day), sides in told.items()
    ]
    return sorted(found, key=lambda lot: lot["effective_date"] or "", reverse=True)


def _told(sides: _Sides, jurisdiction: str | None, spread: Mapping[int, int]) -> list[SideFacts]:
    """The sides of one cell: of those that nobody else takes, two show that they differ, and the rest differ alike."""
    kept: list[SideFacts] = []
    rest: list[str] = []
    for place, (says, items) in enumerate(sides.items()):
        if place < 2 or spread[says] > 1:
            kept.append({"says": says, "jurisdiction": jurisdiction, "items": items})
        else:
            rest += items
    if rest:
        kept.append({"says": None, "jurisdiction": jurisdiction, "items": rest})
    return kept
