"""Choices of members that are kept apart from others."""

from collections.abc import Iterable
from typing import Any

from gateway.workbench.proving.formulas.terms import Index, replaced, spoken_in
from gateway.workbench.proving.formulas.values import Alternative


def renamed(one: Alternative, scope: Iterable[Index]) -> Alternative:
    """An alternative whose choices are none of those in a scope."""
    taken = set(scope)
    if not taken.intersection(one.binders):
        return one
    taken |= spoken_in(one)
    names: dict[Index, Index] = {}
    for index in one.binders:
        names[index] = fresh(replaced(index.path, names), taken)
        taken.add(names[index])
    return Alternative(replaced(one.guard, names), replaced(one.atom, names), tuple(names.values()))


def fresh(path: tuple[Any, ...], taken: Iterable[Index]) -> Index:
    """A member of a list that is none of those taken."""
    numbers = {index.number for index in taken if index.path == path}
    return Index(path, next(place for place in range(len(numbers) + 1) if place not in numbers))
