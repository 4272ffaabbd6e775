"""What an item states in figures: of which thing, with which bound, under which conditions; and how much of an item is read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from gateway.selection.clauses import thing_of
from gateway.selection.figures import TOKEN, Figure

CHARACTERS: Final = 20_000
"""Of one item; what comes after is not read."""

REMEMBERED: Final = 512
"""Contents of which it is remembered what they state: the same procedures come with request after request."""

STATEMENTS: Final = 120
"""Of one item; those after it are not compared."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A figure, and of what it is one."""

    kind: Literal["text", "record"]
    figure: Figure
    words: frozenset[str]
    """Stems of what it speaks of, without what any statement may have."""

    subject: frozenset[str]
    """Those that stand before the verb."""

    names: frozenset[str]
    """Words with a capital that they do not owe to the start of the sentence."""

    codes: frozenset[str]
    """Words with digits, in capitals alone, or of a numbered kind ("tier#2")."""

    bound: Literal["low", "high", ""]
    compared: bool
    """Whether something is held against the figure ("loans above 5 million") and does not have it."""

    around: frozenset[tuple[str, float, float]]
    """Other figures of the clause and of its conditions."""

    counted: frozenset[str]
    """What a count counts; of a record's member, the last word of its name."""


@dataclass(frozen=True, slots=True)
class Stated:
    """An item as far as it was read."""

    statements: tuple[Statement, ...]
    known: frozenset[str]
    """Of a record the stems of all its words, of a text its codes; and what its labels name."""


def known(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts, each in its one spelling."""
    return frozenset(thing_of(token) for text in texts for token in TOKEN.findall(text[:CHARACTERS]))
