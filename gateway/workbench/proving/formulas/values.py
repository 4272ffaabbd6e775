"""
What an expression of Rego may be, over all inputs: alternatives, each with the formula that tells when it is that.

An expression without an alternative that holds is undefined.  Values of two types compare as in Rego: null, truths, numbers, texts,
arrays, objects and sets, in this order.
"""

import json

from dataclasses import dataclass
from typing import Any, Final

from gateway.workbench.proving.formulas.terms import (
    FALSE,
    TRUE,
    Index,
    Term,
    below,
    boolean,
    conjoined,
    disjoined,
    equal,
    exists,
    negated,
    number,
    some_truth,
    text,
)


class Known:
    """A value that is known: a part of a table, or a constant."""

    __slots__ = ("_key", "value")

    def __init__(self, value: Any) -> None:  # noqa: ANN401 - any JSON
        self.value = value
        self._key = json.dumps(value, sort_keys=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not known."""

    term: Term


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is not known."""

    term: Term


@dataclass(frozen=True, slots=True)
class Truth:
    """True where a formula holds, and else false."""

    term: Term


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """An object of the input; *kind* is its place in the schema."""

    path: tuple[Any, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of the input; *kind* is its place in the schema."""

    path: tuple[Any, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Entries:
    """An object of the input whose names the schema leaves open, as its entries in any number; *kind* is its place in the schema."""

    path: tuple[Any, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Members:
    """A set or array that rules make: each alternative is a member where it holds, for each choice of what it binds."""

    members: "tuple[Alternative, ...]"
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class ArrayAtom:
    """An array that is written out."""

    items: "tuple[Atom, ...]"


@dataclass(frozen=True, slots=True)
class Fields:
    """An object that is written out."""

    fields: "tuple[tuple[str, Atom], ...]"


@dataclass(frozen=True, slots=True)
class Size:
    """How many something has."""

    of: "Listed | Entries | Members"


@dataclass(frozen=True, slots=True)
class Obscure:
    """Anything at all: what it comes from is not covered; *key* tells what that is."""

    key: tuple[Any, ...]


Atom = Known | Text | Number | Truth | ObjectFacts | Listed | Entries | Members | ArrayAtom | Fields | Size | Obscure


@dataclass(frozen=True, slots=True)
class Alternative:
    """One value that an expression may have."""

    guard: Term
    """When it has it."""

    atom: Atom
    binders: tuple[Index, ...] = ()
    """Members of lists of the input that are chosen for it, those of an outer list first."""

    def closed(self) -> Term:
        """Where it is the value for some choice."""
        return exists(self.binders, self.guard)


NULL: Final = Known(None)
YES: Final = Known(True)


def scalar(atom: Atom) -> Term | None:
    """The text or number that a value is; None for any other value."""
    if isinstance(atom, Text | Number):
        return atom.term
    if isinstance(atom, Known) and isinstance(atom.value, str):
        return text(atom.value)
    if isinstance(atom, Known) and isinstance(atom.value, int | float) and not isinstance(atom.value, bool):
        return number(atom.value)
    return None


_RANKS: Final[dict[type, int]] = {
    Truth: 1,
    Number: 2,
    Text: 3,
    Listed: 4,
    ArrayAtom: 4,
    ObjectFacts: 5,
    Entries: 5,
    Fields: 5,
    Size: 2,
}
_KNOWN_RANKS: Final = {type(None): 0, bool: 1, int: 2, float: 2, str: 3, list: 4, dict: 5}


def rank(atom: Atom) -> int | None:
    """The place of a value's type in the order of types; None where it may be any."""
    if isinstance(atom, Known):
        return _KNOWN_RANKS[type(atom.value)]
    if isinstance(atom, Members):
        return 4 if atom.ordered else 6
    return _RANKS.get(type(atom))


def truth(atom: Atom) -> Term | None:
    """Where a value is true; None where it is no truth."""
    if isinstance(atom, Truth):
        return atom.term
    if isinstance(atom, Known) and isinstance(atom.value, bool):
        return boolean(atom.value)
    return None


def unknown(*key: Any) -> Term:  # noqa: ANN401 - what it depends on
    """A truth of which nothing is known but what it depends on."""
    return some_truth("~", *key)


def same(left: Atom, right: Atom) -> Term:
    """Where two values are equal."""
    ranks = rank(left), rank(right)
    if None not in ranks and ranks[0] != ranks[1]:
        return FALSE
    if left == right and not isinstance(left, Obscure):
        return TRUE
    one, other = scalar(left), scalar(right)
    if one is not None and other is not None:
        return equal(one, other)
    truths = truth(left), truth(right)
    if truths[0] is not None and truths[1] is not None:
        return _alike(truths[0], truths[1])
    return _same_parts(left, right)


def _alike(one: Term, other: Term) -> Term:
    return disjoined([conjoined([one, other]), conjoined([negated(one), negated(other)])])


def _same_parts(left: Atom, right: Atom) -> Term:
    for size, count in ((left, right), (right, left)):
        if isinstance(size, Size) and isinstance(count, Known):
            return sized(size, "==", count)
    left_parts, right_parts = _parts(left), _parts(right)
    if left_parts is None or right_parts is None:
        return unknown("same", left, right)
    if left_parts.keys() != right_parts.keys():
        return FALSE
    return conjoined(same(left_parts[name], right_parts[name]) for name in left_parts)


def _parts(atom: Atom) -> dict[Any, Atom] | None:
    if isinstance(atom, ArrayAtom):
        return dict(enumerate(atom.items))
    if isinstance(atom, Fields):
        return dict(atom.fields)
    if isinstance(atom, Known) and isinstance(atom.value, list):
        return {place: Known(one) for place, one in enumerate(atom.value)}
    if isinstance(atom, Known) and isinstance(atom.value, dict):
        return {name: Known(one) for name, one in atom.value.items()}
    return None


def compared(operator: str, left: Atom, right: Atom) -> Term:
    """Where a comparison of Rego holds."""
    if operator == "==":
        return same(left, right)
    if operator == "!=":
        return negated(same(left, right))
    if isinstance(left, Size) and isinstance(right, Known):
        return sized(left, operator, right)
    if isinstance(right, Size) and isinstance(left, Known):
        return sized(right, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[operator], left)
    if operator in {">", ">="}:
        left, right, operator = right, left, {">": "<", ">=": "<="}[operator]
    return _before(left, right) if operator == "<" else negated(_before(right, left))


def _before(left: Atom, right: Atom) -> Term:
    ranks = rank(left), rank(right)
    if ranks[0] is not None and ranks[1] is not None and ranks[0] != ranks[1]:
        return boolean(ranks[0] < ranks[1])
    if left == right and not isinstance(left, Obscure):
        return FALSE
    one, other = scalar(left), scalar(right)
    if one is not None and other is not None:
        return below(one, other)
    truths = truth(left), truth(right)
    if truths[0] is not None and truths[1] is not None:
        return conjoined([negated(truths[0]), truths[1]])
    return unknown("before", left, right)


_FILLED: Final = {(">", 0), (">=", 1), ("!=", 0)}
_EMPTY: Final = {("<", 1), ("<=", 0), ("==", 0)}


def sized(size: Size, operator: str, count: Known) -> Term:
    """Where a number of members compares so with a number that is known."""
    wanted = (operator, count.value)
    if isinstance(count.value, bool) or not isinstance(count.value, int):
        return unknown("sized", size, operator, count)
    if wanted in _FILLED:
        return filled(size.of)
    if wanted in _EMPTY:
        return negated(filled(size.of))
    return unknown("sized", size, operator, count)


def filled(of: Listed | Entries | Members) -> Term:
    """Where there is a member."""
    if isinstance(of, Listed | Entries):
        return exists([Index(of.path, 0)], TRUE)
    return disjoined(member.closed() for member in of.members)
