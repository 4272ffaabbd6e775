"""Why a whole request is refused, source by source, as far as the caller may know it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from gateway.model import Ruling

MOST_SOURCES: Final = 5
"""Of so many sources the reasons are told, those with the most refusals first."""

MOST_CODES: Final = 3
"""So many codes of each, the most frequent first."""


def reasons_by_source(rulings: Sequence[Ruling]) -> list[tuple[str, str]]:
    """
    (field, message) for the sources whose items were refused most often, with counts by code.

    Only of items that the caller brought: it knows their source ids, while that the gateway found something at a source that the
    caller may not see is itself something that it may not know.
    """
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    refused = Counter[str]()
    for ruling in rulings:
        source = ruling.item.provenance.source_id
        if ruling.outcome == "denied" and ruling.item.channel == "caller" and source is not None:
            refused[source] += 1
            codes[source].update(ruling.codes)
    # By number and then by name: two engines must give the same message.
    worst = sorted(refused, key=lambda source: (-refused[source], source))[:MOST_SOURCES]
    return [(f"sources[{source}]", _told(refused[source], codes[source])) for source in worst]


def _told(items: int, codes: Counter[str]) -> str:
    most = sorted(codes.items(), key=lambda one: (-one[1], one[0]))[:MOST_CODES]
    return f"{items} refused: " + ", ".join(f"{code} ({count})" for code, count in most)
