"""
The one table of sections: everything that the gateway knows about the part of the context that an item is for.

What a section costs at most, and what of it is never cut, is the budget table's (`policies/registry/budgets/data.yaml`); who
may use it is policy's, and so is which of them may stay outside a pack.  A new section is one entry here and one name in `gateway.model.base.Section`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from gateway.model.base import Section
from gateway.model.envelope import Layer

LAST: Final = 9
"""Reading order of sections that no layer reads first; among them the order of ranking decides."""


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """What is known about a section."""

    name: Section
    layer: Layer
    """Where its items stand in the prompt when they come in; what the library carries over stands in L2."""

    reading_order: int = LAST
    """Within its layer, smallest first."""

    in_sequence: str | None = None
    """Why its items stand in the order in which they came, where they do: they are neither ranked nor compared with others."""

    is_source: bool = False
    """Whether an answer can rest on its items, so that people are shown them as sources."""

    def selected(self, relevance_weight: float) -> str:
        """Why its items stand where they do, in words; *relevance_weight* is the budget table's."""
        if self.in_sequence:
            return self.in_sequence
        authority = round(1 - relevance_weight, 6)
        return f"by {relevance_weight:g} relevance and {authority:g} authority, highest first"


_GIVEN: Final = "in the order given"

SECTIONS: Final = (
    SectionFacts("system", "L1", 0, in_sequence=_GIVEN),
    SectionFacts("tool_schema", "L1", 1),
    SectionFacts("few_shot", "L1", 2),
    SectionFacts("knowledge", "L3", 6, is_source=True),
    SectionFacts("entity", "L3", 3, is_source=True),
    SectionFacts("tool_result", "L3", 4, is_source=True),
    SectionFacts("prior_result", "L3", 5, is_source=True),
    SectionFacts("memory", "L3", 7, is_source=True),
    SectionFacts("upload", "L3", is_source=True),
    SectionFacts("conversation", "L4", in_sequence="in the order spoken"),
    SectionFacts("task", "L5", in_sequence=_GIVEN),
    SectionFacts("user", "L5", in_sequence=_GIVEN),
)
"""In the order of a pack: what changes least comes first, so that providers can cache the prefix."""

FACTS: Final = {section.name: section for section in SECTIONS}

_Item = TypeVar("_Item")


def by_section(items: Iterable[tuple[Section, _Item]]) -> list[tuple[SectionFacts, list[_Item]]]:
    """Items grouped by their sections, in the order of a pack; sections without items are left out."""
    groups: dict[Section, list[_Item]] = {}
    for section, item in items:
        groups.setdefault(section, []).append(item)
    return [(section, groups[section.name]) for section in SECTIONS if section.name in groups]
