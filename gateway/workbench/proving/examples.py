"""
Inputs from what a solver found, as plain as can be.

What the question does not speak of stays as in the base input that every case starts from, and of the rest as much as can be; texts
that the rules have no name for are written so that they stand where the solver put them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gateway.workbench.proving.formulas.inputs import InputSchema, fits, named
from gateway.workbench.proving.formulas.reading import Ground
from gateway.workbench.proving.formulas.terms import (
    Index,
    Term,
    conjoined,
    disjoined,
    equal,
    exists,
    negated,
    parts_of,
    term,
    text,
)
from gateway.workbench.proving.formulas.values import (
    Alternative,
    Entries,
    Known,
    Listed,
    ObjectFacts,
    same,
)
from gateway.workbench.proving.solver import DEEPEST, Question, Settled, TooManyTermsError, texts_in
from gateway.workbench.proving.writing import Lost, Writing, compared_with, texts_at

_ABSENT: Final = object()


@dataclass(frozen=True)
class Found:
    """What was found."""

    settled: Settled
    facts: dict[str, Any] | None = None
    less: dict[str, Any] | None = None
    """The same input with what is left of the list."""


class Examples:
    """Looks for inputs for which formulas hold."""

    def __init__(self, schema: InputSchema, base: Mapping[str, Any], ground: Ground) -> None:
        """
        Args:
            schema: of the inputs.
            base: a plain input that is allowed.
            ground: asks the engine for a builtin.
        """
        self._schema = schema
        self._base = base
        self._ground = ground
        self.plain = list(self._as_base(schema.everything(), base))

    def find(
        self, formula: Term, *, seconds: float, tried: Iterable[Mapping[str, Any]] = (), lost: Lost | None = None
    ) -> Found:
        """
        The plainest input for which a formula may hold; whether it does, the engine says.

        Args:
            formula: what is to hold.
            seconds: for one check of the solver.
            tried: inputs that it is not to be.
            lost: the list of which a second input has less.
        """
        others = [negated(conjoined(self._as_base(self._schema.everything(), one))) for one in tried]
        for deepest in range(DEEPEST, 0, -1):
            try:
                return self._found([formula, *others], seconds, lost, deepest)
            except TooManyTermsError:
                continue
        return Found(Settled.OPEN)

    def _found(self, wanted: list[Term], seconds: float, lost: Lost | None, deepest: int) -> "Found":
        realised = list(self._realised(wanted[0]))
        question = Question([*wanted, *realised], also=self.plain, seconds=seconds, deepest=deepest)
        spoken = _spoken(wanted[0])
        choices = [question.choice(one) for one in self.plain if spoken & _spoken(one)]
        settled = question.check_most(choices)
        if settled is not Settled.POSSIBLE:
            return Found(settled)
        writing = Writing(self._schema, question, texts_at(question, [wanted[0], *self.plain]))
        facts = writing.facts(self._schema.everything(), self._base)
        return Found(settled, facts, writing.less(facts, lost) if lost else None)

    def _as_base(self, facts: ObjectFacts, base: Mapping[str, Any]) -> Iterator[Term]:
        """One formula for each fact: that it is as in the base."""
        for name in self._schema.names(facts.kind):
            value = base.get(name, _ABSENT)
            for one in self._schema.field(facts, name):
                if not fits(value, one.atom):
                    continue
                yield from self._alike(one, value)

    def _alike(self, one: Alternative, value: Any) -> Iterator[Term]:  # noqa: ANN401 - any JSON
        yield one.guard
        if isinstance(one.atom, ObjectFacts):
            yield from (disjoined([negated(one.guard), below]) for below in self._as_base(one.atom, value))
        elif isinstance(one.atom, Listed):
            yield self._same_members(one.atom, value)
        elif isinstance(one.atom, Entries):
            yield self._same_entries(one.atom, value)
        else:
            yield disjoined([negated(one.guard), same(one.atom, Known(value))])

    def _same_members(self, listed: Listed, values: list[Any]) -> Term:
        # Each value is there, and nothing else is.
        index = Index(listed.path, 0)
        items = self._schema.item(listed, (*listed.path, index))
        plain = [value for value in values if not isinstance(value, dict | list)]
        each = [[conjoined([one.guard, same(one.atom, Known(value))]) for one in items] for value in plain]
        there = [exists([index], disjoined(one)) for one in each]
        other = exists([index], conjoined([negated(disjoined(one)) for one in each]))
        return conjoined([*there, negated(other)])

    def _same_entries(self, entries: Entries, values: Mapping[str, Any]) -> Term:
        """As of members, by name and value."""
        index = Index(entries.path, 0)
        name, options = self._schema.entry(entries, index)
        # Both ways: each wanted entry is there, and none is that is not wanted.
        each = [
            [conjoined([one.guard, same(name, Known(key)), same(one.atom, Known(value))]) for one in options]
            for key, value in values.items()
        ]
        there = [exists([index], disjoined(one)) for one in each]
        other = exists([index], conjoined([negated(disjoined(one)) for one in each]))
        return conjoined([*there, negated(other)])

    def _realised(self, formula: Term) -> Iterator[Term]:
        """That texts made of others are what the engine makes of them, for a few of which that is known."""
        # Without this the solver may choose for a made text what no text gives.
        joined = [one for one in parts_of(formula) if one.op == "joined"]
        yield from (self._joined(one, formula) for one in sorted(joined, key=repr))
        for one in sorted(_made_in(formula), key=repr):
            arguments = one.args[1:] if one.op == "made_text" else one.args[2:]
            unknown = [each for each in arguments if each.op != "text"]
            if len(unknown) != 1 or len(one.free) > 1:
                continue
            options = [self._pinned(one, arguments, unknown[0], value) for value in self._tried(unknown[0], formula)]
            realised = disjoined(conjoined(option) for option in options if option)
            yield negated(exists(one.free, negated(realised)))

    def _pinned(self, one: Term, arguments: tuple[Term, ...], fact: Term, value: str) -> list[Term]:
        function = one.args[0] if one.op == "made_text" else one.args[1]
        given = self._ground(function, tuple(value if each is fact else each.args[0] for each in arguments))
        if not given:
            return []
        result = equal(one, text(given[0])) if one.op == "made_text" else one if given[0] else negated(one)
        return [equal(fact, text(value)), result]

    def _joined(self, one: Term, formula: Term) -> Term:
        """Of a text with a known beginning, what it is for the texts that its end is compared with and those of the base."""
        prefix, rest = one.args
        own, _ = compared_with([formula])
        words = sorted(set(texts_of(self._base)) | own.get(named(rest.args), set()))
        each = [conjoined([equal(rest, text(word)), term("equal", one, text(prefix + word))]) for word in words]
        other = negated(disjoined(equal(rest, text(word)) for word in words))
        return disjoined([*each, other])

    def _tried(self, fact: Term, formula: Term) -> list[str]:
        """Values of a text for which it is known what is made of it: that of the base, and for a time those it is held against."""
        value: Any = self._base
        for step in fact.args if fact.op == "some_text" else ():
            value = value.get(step) if isinstance(value, dict) else None
        if fact.free:
            # No member stands in the base, so that of a time it can only be that it has come, or has not.
            return list(_ENDS)
        if not isinstance(value, str):
            return []
        times = [one for one in sorted(texts_in(formula)) if _is_time(one)] if _is_time(value) else []
        return [value, *times, *(_ENDS if times else ())]


_ENDS: Final = ("1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z")


def _is_time(value: str) -> bool:
    return len(value) >= 10 and value[:4].isdecimal() and value[4] == value[7] == "-"


def texts_of(value: object) -> Iterator[str]:
    """Every text of an input."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)


def _spoken(one: Term) -> set[Any]:
    """The facts and lists that a formula speaks of."""
    found: set[Any] = set()
    for part in parts_of(one):
        if part.op in {"some_text", "some_whole", "some_number", "some_truth"} and part.args[0] != "~":
            found.add(part)
        elif part.op == "exists":
            found.add(part.args[0].path)
    return found


def _made_in(formula: Term) -> list[Term]:
    found = []
    for one in parts_of(formula):
        functions = one.op == "made_text" or (one.op == "some_truth" and one.args[0] == "~")
        if functions and all(isinstance(each, Term) for each in one.args[2:]):
            found.append(one)
    return found


def different(one: Mapping[str, Any], base: Mapping[str, Any], path: tuple[str, ...] = ()) -> dict[str, Any]:
    """The facts of an input that are not as in the base, by their names."""
    found: dict[str, Any] = {}
    for name, value in one.items():
        plain = base.get(name, _ABSENT)
        if isinstance(value, Mapping) and isinstance(plain, Mapping):
            found |= different(value, plain, (*path, name))
        elif value != plain:
            found[".".join((*path, name))] = value
    return found
