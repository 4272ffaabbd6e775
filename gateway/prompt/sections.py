"""
Items by the sections that the bundle lists.

Which agent may use a section is policy's, and so is which of them may stay outside a pack.
"""

from collections.abc import Iterable
from typing import TypeVar

from gateway.model.words.vocabulary import SectionFacts, Vocabulary

_Item = TypeVar("_Item")


def by_section(items: Iterable[tuple[str, _Item]], words: Vocabulary) -> list[tuple[SectionFacts, list[_Item]]]:
    """Items grouped by their sections, in the order of a pack; sections without items are left out."""
    groups: dict[str, list[_Item]] = {name: [] for name in words.by_section}
    for section, item in items:
        groups.setdefault(section, []).append(item)
    return [(words.section(name), found) for name, found in groups.items() if found]
