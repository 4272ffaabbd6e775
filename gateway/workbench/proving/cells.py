"""Into what the rules divide the facts of an input: the values that they know of each, and whatever else it may be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gateway.workbench.proving.formulas.inputs import InputSchema, named
from gateway.workbench.proving.formulas.terms import (
    FALSE,
    Term,
    below,
    conjoined,
    disjoined,
    equal,
    negated,
    number,
    parts_of,
    text,
)
from gateway.workbench.proving.formulas.values import (
    Alternative,
    Entries,
    Known,
    Listed,
    Number,
    ObjectFacts,
    Text,
    Truth,
)


@dataclass(frozen=True)
class Cell:
    """Some of the values that a fact may have, of which at most one cell holds."""

    label: str
    holds: Term


def cells_of(schema: InputSchema, formulas: Iterable[Term]) -> dict[str, tuple[Cell, ...]]:
    """For each fact that formulas speak of, and that is no member of a list, its cells."""
    spoken = _spoken(formulas)
    found = dict(_of_object(schema, schema.everything(), [], spoken))
    return {name: cells for name, cells in found.items() if len(cells) > 1}


def _spoken(formulas: Iterable[Term]) -> dict[tuple[Any, ...], set[Any]]:
    """For each fact the values that it is compared with."""
    found: dict[tuple[Any, ...], set[Any]] = {}
    for one in {part for formula in formulas for part in parts_of(formula)}:
        if one.op.startswith("some_") and one.args[0] != "~":
            path = one.args[:-1] if str(one.args[-1]).startswith("?") else one.args
            found.setdefault(named(path), set())
        elif one.op in {"equal", "below"}:
            values = {each.args[0] for each in one.args if each.op in {"text", "number"}}
            for each in one.args:
                if each.op.startswith("some_"):
                    found.setdefault(named(each.args), set()).update(values)
    return found


def _of_object(
    schema: InputSchema, facts: ObjectFacts, outer: list[Term], spoken: dict[tuple[Any, ...], set[Any]]
) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    for name in schema.names(facts.kind):
        options = schema.field(facts, name)
        path = (*facts.path, name)
        # A fact inside an object that may be missing has one value more: nothing.
        if path in spoken or len(options) > 1:
            cells = [cell for one in options for cell in _of_option(one, sorted(spoken.get(path, set()), key=repr))]
            there = [Cell(one.label, conjoined([*outer, one.holds])) for one in cells]
            without = [Cell("nothing", negated(conjoined(outer)))] if outer else []
            if path in spoken:
                yield ".".join(path), tuple(cell for cell in (*there, *without) if cell.holds is not FALSE)
        for one in options:
            if isinstance(one.atom, ObjectFacts):
                yield from _of_object(schema, one.atom, [*outer, one.guard], spoken)


def _of_option(one: Alternative, values: list[Any]) -> Iterator[Cell]:
    # A text or number that the rules compare with nothing has one cell, so that it tells nothing.
    match one.atom:
        case Known():
            label = "nothing" if one.atom.value is None else str(one.atom.value)
            yield Cell(label, one.guard)
        case Text():
            texts = [value for value in values if isinstance(value, str)]
            same = [Cell(value, conjoined([one.guard, equal(one.atom.term, text(value))])) for value in texts]
            yield from same
            others = negated(disjoined(equal(one.atom.term, text(value)) for value in texts))
            yield Cell("any other" if texts else "any", conjoined([one.guard, others]))
        case Number():
            yield from _figures(one, one.atom.term, values)
        case Truth():
            yield Cell("true", conjoined([one.guard, one.atom.term]))
            yield Cell("false", conjoined([one.guard, negated(one.atom.term)]))
        case ObjectFacts() | Listed() | Entries():
            yield Cell("given", one.guard)


def _figures(one: Alternative, fact: Term, values: list[Any]) -> Iterator[Cell]:
    """Between the figures that a number is compared with, and each of them."""
    figures = sorted({value for value in values if isinstance(value, int | float) and not isinstance(value, bool)})
    if not figures:
        yield Cell("any", one.guard)
        return
    yield Cell(f"less than {figures[0]}", conjoined([one.guard, below(fact, number(figures[0]))]))
    for value in figures:
        yield Cell(str(value), conjoined([one.guard, equal(fact, number(value))]))
    for low, high in pairwise(figures):
        inside = [below(number(low), fact), below(fact, number(high))]
        yield Cell(f"between {low} and {high}", conjoined([one.guard, *inside]))
    yield Cell(f"more than {figures[-1]}", conjoined([one.guard, below(number(figures[-1]), fact)]))
