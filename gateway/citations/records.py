"""A JSON record as what it says: member by member, object by object, in the words of the members' names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pydantic import JsonValue

from gateway.content.records import worded
from gateway.content.terms import Terms, clauses, read, together

OBJECTS: Final = 64
"""Objects of lists that are read together with what the record says of all of them; those after them are read alone."""

SHARED: Final = 200
"""Members that the record has itself and that are read with each of those objects."""

_SHORT: Final = {
    "bps": "basis points",
    "bp": "basis points",
    "max": "maximum",
    "min": "minimum",
    "pct": "percent",
    "dob": "date of birth",
    "qty": "quantity",
}
"""What is short in the names of members, as people say it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a record with a plain value."""

    path: tuple[str, ...]
    name: Terms
    """Its name, after those of the objects that it is in."""

    value: Terms
    parts: Sequence[Terms]
    """Name and value clause by clause, as they are read of a sentence."""


def groups(content: JsonValue) -> list[list[Member]]:
    """
    What belongs together: the record itself, and with it each object of a list by itself.

    A figure in one object of a list says nothing of what is in another.
    """
    own: list[Member] = []
    objects: list[list[Member]] = []
    _collect(content, (), own, objects)
    shared = own[:SHARED]
    return [own, *(shared + one if index < OBJECTS else one for index, one in enumerate(objects))]


def _collect(value: JsonValue, path: tuple[str, ...], own: list[Member], objects: list[list[Member]]) -> None:
    if isinstance(value, dict):
        for name, member in value.items():
            _collect(member, (*path, name), own, objects)
    elif isinstance(value, list):
        for member in value:
            if isinstance(member, dict):
                objects.append([])
                _collect(member, path, objects[-1], objects)
            else:
                _collect(member, path, own, objects)
    elif value is not None:
        own.append(_member(path, value))


@lru_cache(maxsize=1024)
def _named_by(path: tuple[str, ...]) -> tuple[str, Terms]:
    name = " ".join(_said(path))
    return name, read(name)


def _member(path: tuple[str, ...], value: JsonValue) -> Member:
    name, terms = _named_by(path)
    said = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return Member(path, terms, together(clauses(said)), list(clauses(f"{name} is {said}")))


def _said(path: Sequence[str]) -> Iterator[str]:
    for name in path:
        for word in worded(name).split():
            yield _SHORT.get(word.casefold(), word.casefold() if word.istitle() else word)


def in_another_member(claim: Terms, members: Sequence[Member]) -> bool:
    """Whether a figure of the claim is of a member that the claim names less than it names another one with a figure."""
    for figure, kind in claim.figures.items():
        having = [one for one in members if figure in one.value.figures]
        if kind == "reference" or not having:
            continue
        nearest = max(_named(claim, one) for one in having)
        # A bare number may be money or days, whose unit is in the name; a date is never anything else.
        kinds = {kind} if kind == "date" else {kind, "count"}
        others = [one for one in members if figure not in one.value.figures and kinds & set(one.value.figures.values())]
        if any(_named(claim, one) > nearest for one in others):
            return True
    return False


def _named(claim: Terms, member: Member) -> float:
    """How much of a member's name the claim says."""
    words = member.name.weights
    return len(words.keys() & claim.weights.keys()) / len(words) if words else 0.0


def has_other_value(claim: Terms, missing: set[str], members: Sequence[Member]) -> bool:
    """Whether the claim names a member of which the record says something else than the claim does."""
    if not missing:
        return False
    return any(
        one.value.weights
        and not one.value.figures
        and _named(claim, one) == 1
        and not one.value.weights.keys() & claim.weights.keys()
        for one in members
    )


def said_by_path(members: Iterable[Member]) -> dict[tuple[str, ...], frozenset[str]]:
    """What is said in words in each place of a record, by all objects of a list together."""
    said: dict[tuple[str, ...], set[str]] = {}
    for one in members:
        if not one.value.figures:
            said.setdefault(one.path, set()).update(one.value.weights)
    return {path: frozenset(words) for path, words in said.items()}


def said_of_another(
    missing: set[str], members: Sequence[Member], said: Mapping[tuple[str, ...], frozenset[str]]
) -> bool:
    """Whether what is missing here is what the same member of another object of a list says."""
    return bool(missing) and any(not missing.isdisjoint(said.get(one.path, ())) for one in members)
