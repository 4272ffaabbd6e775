"""
The words of the bank that requests, items and tables may use: which there are is the bundle's to say.

Rule held here: the gateway itself needs a few sections and gives them a meaning (`NEEDED`); every other word means to it what the
tables say.
"""

from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from gateway.model.base import BankWord, Model
from gateway.model.words.labels import LabelEntry

HISTORY: Final = "conversation"
"""The section of turns, which are read as a history and wherever else a prompt has one; no other stands in that layer."""

NEEDED: Final = ("system", "entity", "knowledge", "prior_result", HISTORY)
"""Sections that the gateway gives a meaning of their own: instructions, the entity's record, documents, results, turns."""

LAST: Final = 9
"""Reading order of sections that no layer reads first; among them the order of ranking decides."""


class SectionFacts(Model):
    """Which part of the context an item is for, and how it stands in a prompt."""

    name: BankWord
    layer: Literal["L1", "L3", "L4", "L5"]
    """Where its items stand when they come in: instructions, what the turn brings, history, the person's words.  What the library
    carries over stands in L2."""

    reading_order: Annotated[int, Field(strict=True, ge=0, le=LAST)] = LAST
    """Within its layer, smallest first."""

    in_order: Annotated[bool, Field(strict=True)] = False
    """Whether its items stand in the order in which they came: they are neither ranked nor compared with others."""

    def selected(self, relevance_weight: float) -> str:
        """Why its items stand where they do, in words; *relevance_weight* is the budget table's."""
        if self.in_order:
            return "in the order spoken" if self.layer == "L4" else "in the order given"
        authority = round(1 - relevance_weight, 6)
        return f"by {relevance_weight:g} relevance and {authority:g} authority, highest first"


SHIPPED: Final = (
    SectionFacts(name="system", layer="L1", reading_order=0, in_order=True),
    SectionFacts(name="tool_schema", layer="L1", reading_order=1),
    SectionFacts(name="few_shot", layer="L1", reading_order=2),
    SectionFacts(name="knowledge", layer="L3", reading_order=6),
    SectionFacts(name="entity", layer="L3", reading_order=3),
    SectionFacts(name="tool_result", layer="L3", reading_order=4),
    SectionFacts(name="prior_result", layer="L3", reading_order=5),
    SectionFacts(name="memory", layer="L3", reading_order=7),
    SectionFacts(name="upload", layer="L3"),
    SectionFacts(name="conversation", layer="L4", in_order=True),
    SectionFacts(name="task", layer="L5", in_order=True),
    SectionFacts(name="user", layer="L5", in_order=True),
)
"""The sections of every bundle from before bundles listed them; no bundle since then is read with these."""


class Vocabulary(Model):
    """All words that a request and its items may use, by kind; where a bundle has none of a kind, none is known."""

    sections: Annotated[tuple[SectionFacts, ...], Field(max_length=64)] = SHIPPED
    """In the order of a pack: what changes least comes first, so that providers can cache the prefix."""

    labels: Annotated[dict[BankWord, LabelEntry], Field(max_length=200)] = Field(default_factory=dict)
    """What items may say beside their provenance, by name."""

    jurisdictions: tuple[BankWord, ...] = ()
    group_wide: BankWord | None = None
    """The one of them that stands for all."""

    source_types: tuple[BankWord, ...] = ()
    classifications: tuple[BankWord, ...] = ()
    """The least sensitive first."""

    roles: tuple[str, ...] = ()
    departments: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> "Vocabulary":
        names = [section.name for section in self.sections]
        if len(names) != len({*names}):
            msg = "a section is listed twice"
            raise ValueError(msg)
        if missing := [name for name in NEEDED if name not in names]:
            msg = f"the section {missing[0]} is missing, which the gateway itself gives a meaning"
            raise ValueError(msg)
        if [section.name for section in self.sections if section.layer == "L4"] != [HISTORY]:
            msg = f"the layer L4 is the history, in which the section {HISTORY} stands and no other"
            raise ValueError(msg)
        return self

    @cached_property
    def by_section(self) -> dict[str, SectionFacts]:
        """The sections by their names, in order."""
        return {section.name: section for section in self.sections}

    @cached_property
    def known(self) -> dict[str, frozenset[str]]:
        """The words of requests and items by kind, to look one up."""
        return {
            "section": frozenset(self.by_section),
            "source type": frozenset(self.source_types),
            "classification": frozenset(self.classifications),
            "jurisdiction": frozenset(self.jurisdictions),
        }

    def section(self, name: str) -> SectionFacts:
        """What is known about a section; of one that a bundle before this one had, that it stands among what the turn brings."""
        return self.by_section.get(name) or SectionFacts(name=name, layer="L3")
