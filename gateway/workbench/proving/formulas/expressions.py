"""Expressions of Rego: every value that one may have, and when."""

from collections.abc import Iterator, Sequence
from typing import Any

from gateway.policy.rego.tree import (
    Arithmetic,
    Array,
    Call,
    Comparison,
    Comprehension,
    Expr,
    Membership,
    Negative,
    Object,
    Ref,
    Scalar,
    SetOf,
    Var,
)
from gateway.workbench.proving.formulas.builtins import called
from gateway.workbench.proving.formulas.reading import Around, ExpressionsRead, NotCoveredError, RulesRead
from gateway.workbench.proving.formulas.renaming import renamed
from gateway.workbench.proving.formulas.terms import (
    FALSE,
    TRUE,
    Index,
    Term,
    conjoined,
    disjoined,
    equal,
    exists,
    spoken_in,
    term,
    text,
)
from gateway.workbench.proving.formulas.values import (
    Alternative,
    ArrayAtom,
    Atom,
    Entries,
    Fields,
    Known,
    Listed,
    Members,
    Number,
    ObjectFacts,
    Obscure,
    Truth,
    compared,
    rank,
    same,
    scalar,
    unknown,
)

_Choice = tuple[Term, tuple[Index, ...], tuple[Atom, ...]]
"""When several expressions have these values together."""


class Expressions(ExpressionsRead):
    """Reads expressions."""

    def __init__(self, rules: RulesRead) -> None:
        self._rules = rules
        self._reading = rules.reading

    def of(self, expr: Expr, around: Around) -> list[Alternative]:
        """
        Every value that an expression may have.

        Raises:
            NotCoveredError: it is not covered.
        """
        match expr:
            case Scalar():
                return [Alternative(TRUE, Known(expr.value))]
            case Var() if expr.name in around.names:
                return [Alternative(TRUE, around.names[expr.name])]
            case Var():
                return self._ref(expr, expr, (), around)
            case Ref():
                return self._ref(expr, expr.head, expr.parts, around)
            case Array():
                return [_made(one, _row(one[2])) for one in self._each(expr.members, around)]
            case SetOf():
                return [_made(one, _set(one[2])) for one in self._each(expr.members, around)]
            case Object():
                return self._object(expr, around)
            case Comprehension():
                return [Alternative(TRUE, self._comprehension(expr, around))]
        return self._operation(expr, around)

    def _operation(self, expr: Expr, around: Around) -> list[Alternative]:
        # Of undefined sides there is no choice, so that the whole is undefined as well.
        match expr:
            case Call():
                return self._call(expr, around)
            case Comparison():
                sides = self._each((expr.left, expr.right), around)
                return [_made(one, Truth(compared(expr.operator, *one[2]))) for one in sides]
            case Arithmetic():
                sides = self._each((expr.left, expr.right), around)
                return [made for one in sides for made in self._counted(expr.operator, one)]
            case Membership(key=None):
                sides = self._each((expr.value, expr.within), around)
                return [_made(one, Truth(self._member(one[2], around.within(one[1]), expr))) for one in sides]
            case Negative():
                sides = self._each((expr.of,), around)
                return [made for one in sides for made in self._counted("-", (one[0], one[1], (Known(0), *one[2])))]
        raise NotCoveredError(expr, f"{type(expr).__name__.lower()} is not covered here")

    def _each(self, exprs: Sequence[Expr], around: Around) -> Iterator[_Choice]:
        """Every choice of values of several expressions."""
        if not exprs:
            yield TRUE, (), ()
            return
        for first in self.of(exprs[0], around):
            for guard, binders, atoms in self._each(exprs[1:], around.within(first.binders)):
                both = conjoined([first.guard, guard])
                if both is not FALSE:
                    yield both, first.binders + binders, (first.atom, *atoms)

    def _object(self, expr: Object, around: Around) -> list[Alternative]:
        names = [key.value for key, _ in expr.fields if isinstance(key, Scalar) and isinstance(key.value, str)]
        if len(names) < len(expr.fields):
            raise NotCoveredError(expr, "the names of an object are worked out")
        values = self._each([value for _, value in expr.fields], around)
        return [_made(one, _fields(names, one[2])) for one in values]

    def _comprehension(self, expr: Comprehension, around: Around) -> Atom:
        if expr.kind == "object":
            return Obscure((self._reading.tag, str(expr.place), *around.key()))
        found = [
            Alternative(conjoined([one.guard, value.guard]), value.atom, one.binders + value.binders)
            for one in self._rules.bodies.solutions(expr.query, around)
            for value in self.of(expr.value, one.around)
        ]
        return Members(tuple(one for one in found if one.guard is not FALSE), ordered=expr.kind == "array")

    def _call(self, expr: Call, around: Around) -> list[Alternative]:
        found = []
        for guard, binders, atoms in self._each(expr.arguments, around):
            inside = around.within(binders)
            own = self._rules.call(expr, atoms, inside)
            given = called(expr.function, atoms, self._reading.ground) if own is None else own
            for one in given:
                fresh_one = renamed(one, inside.scope)
                found.append(
                    Alternative(conjoined([guard, fresh_one.guard]), fresh_one.atom, binders + fresh_one.binders)
                )
        return found

    @staticmethod
    def _counted(operator: str, choice: _Choice) -> list[Alternative]:
        left, right = choice[2]
        one, other = scalar(left), scalar(right)
        ranks = {rank(left), rank(right)}
        if one is None or other is None or ranks != {2}:
            if None in ranks or ranks & {4, 6}:
                return [_made(choice, Obscure((operator, left, right)))]
            return []
        names = {"+": "plus", "-": "minus", "*": "times"}
        linear = operator in {"+", "-"} or (operator == "*" and "number" in {one.op, other.op})
        if not linear:
            guard = conjoined([choice[0], unknown("defined", operator, left, right)])
            return [Alternative(guard, Obscure((operator, left, right)), choice[1])]
        if one.op == other.op == "number" and {type(one.args[0]), type(other.args[0])} == {int}:
            a, b = one.args[0], other.args[0]
            return [_made(choice, Known({"+": a + b, "-": a - b, "*": a * b}[operator]))]
        return [_made(choice, Number(term(names[operator], one, other)))]

    def _member(self, sides: tuple[Atom, ...], around: Around, node: Membership) -> Term:
        """Where a value is a member of a collection."""
        value, within = sides
        if isinstance(within, Obscure | ObjectFacts):
            return unknown("member", value, within)
        if isinstance(within, Fields):
            return disjoined(same(one, value) for _, one in within.fields)
        inside = around.within(spoken_in(value))
        found = self._rules.bodies.members(within, inside, node) if _has_members(within) else []
        return disjoined(exists(one.binders, conjoined([one.guard, same(one.value, value)])) for one in found)

    def _ref(self, whole: Expr, head: Expr, parts: tuple[Expr, ...], around: Around) -> list[Alternative]:
        if not isinstance(head, Var) or head.name in around.names:
            return self.steps(self.of(head, around), parts, around)
        if head.name == "input":
            return self.steps([Alternative(TRUE, self._reading.schema.everything())], parts, around)
        if head.name == "data":
            return self._rules.data(whole, (), parts, around)
        for one in around.module.imports:
            if head.name == (one.alias or one.path.rpartition(".")[2]) and one.path.startswith("data."):
                return self._rules.data(whole, tuple(one.path.split(".")[1:]), parts, around)
        if (around.module.package, head.name) in self._reading.rules:
            return self.steps(self._rules.value(around.module.package, head.name, whole), parts, around)
        raise NotCoveredError(whole, f"{head.name} is not bound before it is used")

    def steps(self, found: Sequence[Alternative], parts: tuple[Expr, ...], around: Around) -> list[Alternative]:
        """What stands below values, one step after the other."""
        # What was chosen for a value must stay apart from what is chosen below it.
        if not parts:
            return [renamed(one, around.scope) for one in found]
        result = []
        for one in (renamed(each, around.scope) for each in found):
            inside = around.within(one.binders)
            below = self._below(one.atom, parts[0], inside)
            below = [Alternative(conjoined([one.guard, each.guard]), each.atom, each.binders) for each in below]
            below = [each for each in below if each.guard is not FALSE]
            found_below = self.steps(below, parts[1:], inside)
            result += [Alternative(each.guard, each.atom, one.binders + each.binders) for each in found_below]
        return result

    def _below(self, atom: Atom, part: Expr, around: Around) -> list[Alternative]:
        if isinstance(part, Var) and part.name not in around.names and part.name == "_":
            members = self._rules.bodies.members(atom, around, part) if _has_members(atom) else []
            return [Alternative(one.guard, one.value, one.binders) for one in members]
        found = []
        for key in self.of(part, around):
            inside = around.within(key.binders)
            found += [
                Alternative(conjoined([key.guard, one.guard]), one.atom, key.binders + one.binders)
                for one in self._looked_up(atom, key.atom, inside, part)
            ]
        return found

    def _looked_up(self, atom: Atom, key: Atom, around: Around, node: Expr) -> list[Alternative]:
        # A key that is not known may be each of the names, under the condition that it is.
        name = scalar(key)
        if isinstance(atom, Known):
            return _in_table(atom.value, key, name)
        if isinstance(atom, ObjectFacts):
            names = self._reading.schema.names(atom.kind)
            return [
                Alternative(conjoined([equal(name, text(each)), one.guard]), one.atom)
                for each in names
                if name is not None and rank(key) == 3
                for one in self._reading.schema.field(atom, each)
            ]
        if isinstance(atom, Entries):
            found = self._rules.bodies.members(atom, around.within(spoken_in(key)), node)
            return [Alternative(conjoined([same(one.key, key), one.guard]), one.value, one.binders) for one in found]
        if isinstance(atom, Fields):
            return [Alternative(same(key, Known(each)), one) for each, one in atom.fields]
        if isinstance(atom, Members) and not atom.ordered:
            held = disjoined(
                exists(one.binders, conjoined([one.guard, same(one.value, key)]))
                for one in self._rules.bodies.members(atom, around.within(spoken_in(key)), node)
            )
            return [Alternative(held, key)]
        if isinstance(atom, Obscure | ArrayAtom | Listed | Members):
            return [Alternative(unknown("there", atom, key), Obscure(("below", atom, key)))]
        return []


def _in_table(table: Any, key: Atom, name: Term | None) -> list[Alternative]:  # noqa: ANN401 - any JSON
    """What a table that is known has for a key."""
    if isinstance(key, Obscure):
        return [Alternative(unknown("there", Known(table), key), Obscure(("below", Known(table), key)))]
    if isinstance(table, dict) and name is not None and rank(key) == 3:
        if isinstance(key, Known):
            return [Alternative(TRUE, Known(table[key.value]))] if key.value in table else []
        return [Alternative(equal(name, text(one)), Known(value)) for one, value in table.items()]
    if isinstance(table, list) and rank(key) == 2:
        return [Alternative(same(key, Known(place)), Known(value)) for place, value in enumerate(table)]
    return []


def _has_members(atom: Atom) -> bool:
    found = rank(atom)
    return found is None or found >= 4


def _made(choice: _Choice, atom: Atom) -> Alternative:
    return Alternative(choice[0], atom, choice[1])


def _row(atoms: tuple[Atom, ...]) -> Atom:
    values = [one.value for one in atoms if isinstance(one, Known)]
    return Known(values) if len(values) == len(atoms) else ArrayAtom(atoms)


def _set(atoms: tuple[Atom, ...]) -> Atom:
    return Members(tuple(Alternative(TRUE, one) for one in atoms))


def _fields(names: list[str], atoms: tuple[Atom, ...]) -> Atom:
    values = [one.value for one in atoms if isinstance(one, Known)]
    pairs = zip(names, atoms, strict=True)
    return Known(dict(zip(names, values, strict=True))) if len(values) == len(atoms) else Fields(tuple(pairs))
