"""
Whether a sealed pack holds what belongs to a jurisdiction that it must not hold.

Rules held here, as the source documents say them: an item belongs to one of the jurisdictions of the table, and to one that
the request is about and the person may read, or it applies everywhere.  An item without a jurisdiction has no place in a pack.
This is the second opinion on what policy decides: it knows the pack and the table beside it, and neither policies nor rulings.
"""

import json

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

_TABLE: Final = json.loads((Path(__file__).parent / "jurisdictions.json").read_text())


def leaks(pack: Mapping[str, Any], asked: Collection[str], person: Collection[str]) -> list[str]:
    """
    Items of a pack that must not be in it.

    Args:
        pack: as JSON; of it the sections are read, with the provenance of their items.
        asked: the jurisdictions that the request names.
        person: those that the person's token names.

    Returns:
        Ids of the items, in order.
    """
    fitting = {place for place in _TABLE["jurisdictions"] if place in asked and place in person}
    fitting.add(_TABLE["everywhere"])
    # By what fits and not by what is forbidden: a label that is missing, or that nobody knows, fits nowhere.
    items = (item for section in pack["sections"] for item in section["items"])
    return [item["id"] for item in items if item["provenance"]["jurisdiction"] not in fitting]
