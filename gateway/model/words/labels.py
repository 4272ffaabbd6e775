"""
What an item may say beside its provenance: labels that the bank declares, and metadata that nobody decides by.

Rule held here: a label has a declared name and type, so that policy can decide by it; metadata has neither, so that nothing may.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictFloat, StrictInt, model_validator

from gateway.model.base import BankWord, Model, one_visible_line

MOST_LABELS: Final = 32
"""Labels of one item beside its provenance."""

MOST_METADATA: Final = 20
"""Members of the metadata of one item."""

_LabelText = Annotated[str, Field(max_length=200), AfterValidator(one_visible_line)]
_Number = StrictBool | StrictInt | StrictFloat

LabelValue = Annotated[_Number | _LabelText, Field(union_mode="left_to_right")]
"""What a label says: a text of one line, a number, or yes or no."""

FreeLabels = Annotated[dict[BankWord, LabelValue], Field(max_length=MOST_LABELS)]
"""By name."""

_MetadataName = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(one_visible_line)]
_MetadataText = Annotated[str, Field(max_length=500), AfterValidator(one_visible_line)]

Metadata = Annotated[
    dict[_MetadataName, Annotated[_Number | _MetadataText | None, Field(union_mode="left_to_right")]],
    Field(max_length=MOST_METADATA),
]
"""A flat map of what a store keeps with an item, such as a page or an address."""


class LabelEntry(Model):
    """A label that items may carry beside their provenance."""

    type: Literal["word", "text", "date", "number", "boolean"]
    """What it says: one of `words`; a text of one line, 200 characters at most; a day as YYYY-MM-DD; a number; yes or no."""

    words: Annotated[tuple[BankWord, ...], Field(max_length=1000)] = ()
    source_types: tuple[BankWord, ...] = ()
    """Of which source types items may carry it; none for all."""

    description: Annotated[str, Field(max_length=500)] = ""

    @model_validator(mode="after")
    def _words_of_a_word(self) -> "LabelEntry":
        if bool(self.words) != (self.type == "word"):
            msg = "a label of the type word lists its words, and no other does"
            raise ValueError(msg)
        return self

    def takes(self, value: object) -> bool:
        """Whether it may say this."""
        if self.type in {"number", "boolean"}:
            return isinstance(value, bool if self.type == "boolean" else int | float) and (
                self.type == "boolean" or not isinstance(value, bool)
            )
        if not isinstance(value, str):
            return False
        return value in self.words if self.type == "word" else self.type == "text" or _is_day(value)

    @property
    def expected(self) -> str:
        """What it may say, in words."""
        return {
            "word": "one of its words",
            "text": "a text",
            "date": "a date as YYYY-MM-DD",
            "number": "a number",
            "boolean": "true or false",
        }[self.type]


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def declared(labels: Mapping[str, object], source_type: object, entries: Mapping[str, LabelEntry]) -> bool:
    """Whether every label is declared for items of this source type, and says what its type may say."""
    return all(
        (entry := entries.get(name)) is not None
        and entry.takes(value)
        and (not entry.source_types or source_type in entry.source_types)
        for name, value in labels.items()
    )
