"""How documents are cut, by what kind of document they are."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gateway.model.base import BankWord, Model, Name

ChunkMethod = Literal[
    "sliding_window",
    "fixed_size",
    "section_aware",
    "field_level",
    "by_clause",
    "by_step",
    "by_article",
    "by_family",
    "by_section",
]
"""
Windows that end with sentences; windows that end with words; windows within a section; whole fields; and one clause, step of a
procedure, article, product family or section each, below the headers that it stands under.
"""


class ChunkRule(Model):
    """A row of the table `chunking`."""

    method: ChunkMethod
    tokens: Annotated[int, Field(strict=True, ge=64, le=8192)]
    """That no chunk exceeds, with all that it repeats."""

    overlap: Annotated[int, Field(strict=True, ge=0, le=4096)] = 0
    """Tokens of the text before that a chunk repeats at most; methods that repeat headers say none."""

    @model_validator(mode="after")
    def _leaves_room(self) -> "ChunkRule":
        # A window that repeats more than it adds would never end in time.
        if self.overlap * 2 > self.tokens:
            msg = "an overlap is at most half of a chunk"
            raise ValueError(msg)
        if self.overlap and self.method.startswith("by_"):
            msg = "a method that repeats headers has no overlap in tokens"
            raise ValueError(msg)
        return self


class ChunkProfile(Model):
    """One table of rules."""

    default: ChunkRule
    """For documents of every other type."""

    document_types: dict[BankWord, ChunkRule]


class Chunking(Model):
    """The table `chunking`."""

    profile: Name
    """Which of the profiles is used."""

    encoding: Literal["o200k_base", "cl100k_base"]
    """What tokens are counted in."""

    profiles: Annotated[dict[Name, ChunkProfile], Field(min_length=1)]

    @model_validator(mode="after")
    def _profile_exists(self) -> "Chunking":
        if self.profile not in self.profiles:
            msg = "the profile that is used does not exist"
            raise ValueError(msg)
        return self

    def rule_for(self, document_type: str | None) -> ChunkRule:
        """How a document of this type is cut; as any other one where the profile does not know it."""
        profile = self.profiles[self.profile]
        return profile.document_types.get(document_type or "", profile.default)
