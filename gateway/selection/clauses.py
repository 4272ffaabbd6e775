"""A clause as a statement needs it: its figures, its content words and what they are in it, the bound that a figure has."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from gateway.content.terms import DENIALS, NUMBERS, STOP, stem
from gateway.selection.figures import TOKEN, Figure, figures
from gateway.selection.vocabulary import (
    COMPARED,
    CURRENCIES,
    GENERIC,
    HIGH_BOUND,
    LOW_BOUND,
    NOT_IN_FORCE,
    NUMBERS_KINDS,
    NUMBERS_NOTHING,
    SAME,
    SIGNS,
)

_VERBS: Final = frozenset(
    "must shall is are be has have may can should will within at by needs need requires require may cannot of that which".split()
)
_NUMBERED: Final = NUMBERS_NOTHING | NUMBERS_KINDS
_CONDITION: Final = ("if", "when", "where", "for", "once", "after", "unless", "in", "until")


@lru_cache(maxsize=10_000)
def thing_of(token: str) -> str:
    """A word in the one spelling that stands for all that say the same."""
    found = stem(token.casefold())
    return SAME.get(found, found)


@dataclass(frozen=True, slots=True)
class Clause:
    """The tokens of a clause and the figures among them."""

    tokens: list[str]
    low: list[str]
    figures: list[Figure]

    @property
    def in_force(self) -> bool:
        """Whether it states what holds, and not what held, came out or might be."""
        return NOT_IN_FORCE.isdisjoint(self.low)

    @property
    def condition(self) -> bool:
        """Whether it says when or for what another clause holds."""
        return bool(self.low) and self.low[0] in _CONDITION


def clause(text: str) -> Clause:
    """A clause, from its text."""
    tokens = TOKEN.findall(text)
    return Clause(tokens, [token.casefold() for token in tokens], figures(tokens))


@dataclass(frozen=True, slots=True)
class Word:
    """A content word of a clause."""

    thing: str
    """In the one spelling that stands for all that say the same."""

    before_verb: bool
    name: bool
    """Whether it has a capital that it does not owe to the start of the clause."""

    code: bool
    """Whether it has digits or capitals alone, or is a kind by its number ("tier#2")."""


def words_of(part: Clause) -> list[Word]:
    """The content words of a clause, without its figures and what any statement may have."""
    taken = {at for figure in part.figures for at in range(figure.start, figure.end)}
    found, before_verb = [], True
    for at, (token, low) in enumerate(zip(part.tokens, part.low, strict=True)):
        if at in taken or low in _VERBS:
            # A preposition at the start leads to the subject: "For the rates desk the limit is".
            before_verb = before_verb and (at == 0 or low == "of") and at not in taken
            continue
        word = _word(part, at, token, low, before_verb=before_verb)
        if word is not None:
            found.append(word)
    return found


def _word(part: Clause, at: int, token: str, low: str, *, before_verb: bool) -> Word | None:
    before = part.low[at - 1] if at else ""
    if before in NUMBERS_KINDS and (low[0].isdigit() or len(low) == 1 or low in NUMBERS):
        number = NUMBERS.get(low, low)
        return Word(f"{before}#{number}", before_verb, name=False, code=True)
    if _names_part(part, at, low) or low in STOP or low in DENIALS or low in SIGNS or low[0].isdigit():
        return None
    thing = thing_of(token)
    if thing in GENERIC or token in CURRENCIES or len(low) == 1 or low == "%":
        return None if token not in CURRENCIES else Word(low, before_verb, name=False, code=True)
    has_digit = any(letter.isdigit() for letter in token)
    capital = token[0].isupper()
    return Word(thing, before_verb, capital and at > 0, has_digit or (token.isupper() and len(token) > 1))


def _names_part(part: Clause, at: int, low: str) -> bool:
    """Whether it is a part of a document by its number, "version 3", or that number."""
    after = part.low[at + 1] if at + 1 < len(part.low) else ""
    return (at > 0 and part.low[at - 1] in NUMBERS_NOTHING) or (low in _NUMBERED and after[:1].isdigit())


def bound_of(part: Clause, figure: Figure) -> tuple[Literal["low", "high", ""], bool]:
    """Whether a figure is what something must at least or may at most be, and whether something is only held against it."""
    near = part.low[max(figure.start - 3, 0) : figure.start]
    after = part.low[figure.end : figure.end + 2]
    compared = not COMPARED.isdisjoint(near) or after[:1] == ["or"]
    denied = not DENIALS.isdisjoint(part.low[max(figure.start - 4, 0) : figure.start])
    words = {*near, *(part.low if not compared else ())}
    if "exceed" in words or ("up" in near and "to" in near) or "later" in near:
        return "high", False
    if not LOW_BOUND.isdisjoint(words) or (compared and "more" in after):
        return ("high" if denied else "low"), compared
    if not HIGH_BOUND.isdisjoint(words):
        return ("low" if denied else "high"), compared
    return "", compared


def counted_by(part: Clause, figure: Figure) -> frozenset[str]:
    """The words after a count, of which one is what it counts."""
    if figure.dimension != "count":
        return frozenset()
    return frozenset(thing_of(word) for word in part.low[figure.end : figure.end + 3] if word not in STOP)
