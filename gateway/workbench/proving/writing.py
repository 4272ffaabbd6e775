"""Writing inputs down from what a solver found."""

import copy

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gateway.workbench.proving.formulas.inputs import InputSchema, fits, named
from gateway.workbench.proving.formulas.terms import (
    Term,
    parts_of,
)
from gateway.workbench.proving.formulas.values import (
    Alternative,
    Atom,
    Entries,
    Known,
    Listed,
    Number,
    ObjectFacts,
    Text,
    Truth,
)
from gateway.workbench.proving.solver import Question

_ABSENT: Final = object()
_ENDINGS: Final = ("-other", "~other", ".other", "!", " ")


@dataclass(frozen=True)
class Lost:
    """A list of the input of which somebody has less."""

    listed: Listed
    path: tuple[Any, ...]
    """Where the formula speaks of what is left of it."""


class Writing:
    """Writes one input."""

    def __init__(self, schema: InputSchema, question: Question, names: Mapping[Fraction, str]) -> None:
        self._schema = schema
        self._question = question
        self._names = names

    def facts(self, facts: ObjectFacts, base: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
        """An object; what the question does not speak of is as in the base."""
        written = {}
        for name in self._schema.names(facts.kind):
            value = base.get(name, _ABSENT) if isinstance(base, Mapping) else _ABSENT
            found = self._one(self._schema.field(facts, name), value)
            if found is not _ABSENT:
                written[name] = found
        return written

    def _one(self, options: list[Alternative], base: Any) -> Any:  # noqa: ANN401 - any JSON
        tags = {part for one in options for part in parts_of(one.guard) if part.op == "some_truth"}
        if not any(map(self._question.spoken_of, tags)):
            options = [one for one in options if fits(base, one.atom)] or options
            return self._value(options[0].atom, base)
        for one in options:
            if self._question.truth(one.guard):
                return self._value(one.atom, base)
        return _ABSENT

    def _value(self, atom: Atom, base: Any) -> Any:  # noqa: ANN401 - any JSON
        plain = fits(base, atom)
        match atom:
            case Known():
                return atom.value
            case ObjectFacts():
                return self.facts(atom, base)
            case Listed():
                return self._members(atom, base if plain else [])
            case Entries():
                return self._entries(atom, base if plain else {})
            case Text() if self._question.spoken_of(atom.term):
                return self._names[self._question.figure(atom.term)]
            case Number() if self._question.spoken_of(atom.term):
                figure = self._question.figure(atom.term)
                return int(figure) if figure.denominator == 1 else float(figure)
            case Truth() if self._question.spoken_of(atom.term):
                return self._question.truth(atom.term)
        return copy.deepcopy(base) if plain else _PLAIN.get(type(atom))

    def less(self, facts: dict[str, Any], lost: Lost) -> dict[str, Any]:
        """The same input with what is left of a list, where it is one."""
        other = copy.deepcopy(facts)
        *outer, last = lost.listed.path
        holder = other
        for name in outer:
            holder = holder[name]
        if isinstance(holder[last], list):
            holder[last] = self._members(Listed(lost.path, lost.listed.kind), [])
        return other

    def _members(self, listed: Listed, base: list[Any]) -> list[Any]:
        if not self._question.has_list(listed.path):
            return copy.deepcopy(base)
        found: list[Any] = []
        for slot in self._question.slots(listed.path):
            one = self._one(self._schema.item(listed, (*listed.path, slot)), _ABSENT)
            if one not in found:
                found.append(one)
        return found

    def _entries(self, entries: Entries, base: Mapping[str, Any]) -> dict[str, Any]:
        if not self._question.has_list(entries.path):
            return copy.deepcopy(dict(base))
        found: dict[str, Any] = {}
        for slot in self._question.slots(entries.path):
            name, options = self._schema.entry(entries, slot)
            found[self._value(name, "")] = self._one(options, _ABSENT)
        return found


_PLAIN: Final[dict[type, Any]] = {Text: "", Number: 0, Truth: False}


def texts_at(question: Question, formulas: list[Term]) -> dict[Fraction, str]:
    """A text for each place on the line that the question uses."""
    # From the lowest place up, so that each text stands behind those before it.
    names = {Fraction(place): one for place, one in enumerate(question.texts)}
    for place in sorted({question.figure(one) for one in question.placed()} - names.keys()):
        low = max((each for each in names if each < place), default=Fraction(0))
        above = [names[each] for each in names if each > place]
        names[place] = _between(names[low], min(above, default=None))
    return names | _plainer(question, formulas, names)


def _plainer(question: Question, formulas: list[Term], names: Mapping[Fraction, str]) -> dict[Fraction, str]:
    """Plain names for texts that the rules have no name for in their place, where only whether they are equal matters."""
    own, ordered = compared_with(formulas)
    using: dict[Fraction, list[tuple[Any, ...]]] = {}
    for one in question.placed():
        using.setdefault(question.figure(one), []).append(named(one.args) if one.op == "some_text" else ("?",))
    free = [
        place
        for place, paths in using.items()
        if not any(path in ordered or path == ("?",) or names[place] in own.get(path, ()) for path in paths)
    ]
    return {place: f"another-{count}" for count, place in enumerate(sorted(free), 1)}


def compared_with(formulas: list[Term]) -> tuple[dict[Any, set[str]], set[Any]]:
    """For each text of the input the texts that it is compared with, and which texts are compared by order."""
    # Only of these can a value matter by its name, or by its place among others.
    own: dict[Any, set[str]] = {}
    ordered: set[Any] = set()
    for one in (part for formula in formulas for part in parts_of(formula)):
        facts = [named(each.args) for each in one.args if isinstance(each, Term) and each.op == "some_text"]
        if one.op == "equal":
            own_texts = [each.args[0] for each in one.args if each.op == "text"]
            for path in facts:
                own.setdefault(path, set()).update(own_texts)
        elif one.op not in {"and", "or", "not", "exists"}:
            ordered.update(facts)
    return own, ordered


def _between(low: str, high: str | None) -> str:
    """A text behind one and before another."""
    for ending in _ENDINGS:
        if high is None or low + ending < high:
            return low + ending
    return low + "\t"
