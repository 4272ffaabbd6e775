"""Rules: what each may give, over all inputs."""

from collections.abc import Mapping
from typing import Any

from gateway.policy.rego.tree import Body, Call, Expr, Module, Object, Ref, Rule, Scalar, Var
from gateway.workbench.proving.formulas.bodies import Bodies
from gateway.workbench.proving.formulas.expressions import Expressions
from gateway.workbench.proving.formulas.reading import Around, BundleReading, NotCoveredError, RulesRead
from gateway.workbench.proving.formulas.renaming import renamed
from gateway.workbench.proving.formulas.terms import FALSE, TRUE, Term, conjoined, disjoined, exists, free_in, negated
from gateway.workbench.proving.formulas.values import (
    YES,
    Alternative,
    Atom,
    Known,
    Members,
    Obscure,
    same,
)

_Alternatives = tuple[Alternative, ...]


class Rules(RulesRead):
    """The rules of one bundle; each is read once."""

    def __init__(self, reading: BundleReading) -> None:
        """
        Args:
            reading: the bundle.
        """
        self.reading = reading
        self.bodies = Bodies(self)
        self.expressions = Expressions(self)
        self._values: dict[tuple[str, str], _Alternatives] = {}
        self._defined: dict[tuple[str, str], Term] = {}
        self._calls: dict[tuple[str, str, tuple[Atom, ...]], _Alternatives] = {}

    def value(self, package: str, name: str, node: Expr) -> _Alternatives:
        """
        Every value that a rule may have.

        Raises:
            NotCoveredError: it is made in a way that is not covered.
        """
        key = (package, name)
        if key not in self._values:
            self.reading.rules_read.add(key)
            self._values[key] = self._made(package, name, node)
        return self._values[key]

    def call(self, call: Call, arguments: tuple[Atom, ...], around: Around) -> _Alternatives | None:
        """What a function of the bundle gives; None where it is no function of the bundle."""
        found = self._function(call, around)
        if found is None:
            return None
        key = (*found, arguments)
        if key not in self._calls:
            self.reading.rules_read.add(found)
            self._calls[key] = self._applied(found, arguments, call)
        return self._calls[key]

    def _function(self, call: Call, around: Around) -> tuple[str, str] | None:
        target = call.target
        if isinstance(target, Var):
            key = (around.module.package, target.name)
            return key if key in self.reading.rules else None
        if not isinstance(target, Ref) or not isinstance(target.head, Var):
            return None
        names = [part.value for part in target.parts if isinstance(part, Scalar) and isinstance(part.value, str)]
        heads = {(one.alias or one.path.rpartition(".")[2]): one.path.split(".")[1:] for one in around.module.imports}
        heads["data"] = []
        if target.head.name not in heads:
            return None
        path = [*heads[target.head.name], *names]
        found = (".".join(path[:-1]), path[-1])
        return found if found in self.reading.rules else None

    def data(self, node: Expr, path: tuple[str, ...], parts: tuple[Expr, ...], around: Around) -> list[Alternative]:
        """
        What stands below `data`: a rule, or a part of the tables.

        Raises:
            NotCoveredError: a whole package is read.
        """
        while parts and isinstance(parts[0], Scalar) and isinstance(parts[0].value, str):
            if self._is_rule(path):
                break
            path, parts = (*path, parts[0].value), parts[1:]
        if self._is_rule(path):
            if self._table(path):
                raise NotCoveredError(node, "a table and a rule have one name")
            return self._of_rule((".".join(path[:-1]), path[-1]), node, parts, around)
        if ".".join(path) in self.reading.packages:
            raise NotCoveredError(node, "a whole package is read")
        return self.expressions.steps(self._table(path), parts, around)

    def _of_rule(self, key: tuple[str, str], node: Expr, parts: tuple[Expr, ...], around: Around) -> list[Alternative]:
        """What stands below a rule; of an object that is written out only the field is looked at, and that there are the others."""
        rules = self.reading.rules[key]
        rule, name = rules[0][1], parts[0].value if parts and isinstance(parts[0], Scalar) else None
        if len(rules) > 1 or rule.bodies or rule.path or rule.kind != "complete" or not isinstance(rule.value, Object):
            return self.expressions.steps(self.value(*key, node), parts, around)
        fields = {field.value: value for field, value in rule.value.fields if isinstance(field, Scalar)}
        if name not in fields or len(fields) < len(rule.value.fields):
            return self.expressions.steps(self.value(*key, node), parts, around)
        self.reading.rules_read.add(key)
        there = self._there(rules[0][0], key, fields)
        found = self.expressions.of(fields[name], Around(rules[0][0]))
        whole = [Alternative(conjoined([there, one.guard]), one.atom, one.binders) for one in found]
        return self.expressions.steps(whole, parts[1:], around)

    def _there(self, module: Module, key: tuple[str, str], fields: Mapping[Any, Expr]) -> Term:
        """Where an object that is written out is defined: each of its fields is."""
        if key not in self._defined:
            around = Around(module)
            self._defined[key] = conjoined(self._has_value(value, around) for value in fields.values())
        return self._defined[key]

    def _has_value(self, value: Expr, around: Around) -> Term:
        try:
            return disjoined(one.closed() for one in self.expressions.of(value, around))
        except NotCoveredError as error:
            return self.reading.unknown_at(error, around)

    def _is_rule(self, path: tuple[str, ...]) -> bool:
        return bool(path) and (".".join(path[:-1]), path[-1]) in self.reading.rules

    def _table(self, path: tuple[str, ...]) -> list[Alternative]:
        table = self.reading.tables
        for name in path:
            if not isinstance(table, dict) or name not in table:
                return []
            table = table[name]
        return [Alternative(TRUE, Known(table))]

    def _made(self, package: str, name: str, node: Expr) -> _Alternatives:
        rules = self.reading.rules[package, name]
        kinds = {rule.kind for _, rule in rules} - {"default"}
        if any(rule.name != name or rule.path for _, rule in rules):
            raise NotCoveredError(node, f"{name} makes an object entry by entry")
        if kinds <= {"complete"}:
            return self._complete(f"{package}.{name}", rules, ())
        if kinds == {"set"}:
            return self._set(rules, node)
        raise NotCoveredError(node, f"{name} is a rule of another kind")

    def _set(self, rules: list[tuple[Module, Rule]], node: Expr) -> _Alternatives:
        members: list[Alternative] = []
        try:
            for module, rule in rules:
                members += self._given(rule, Around(module))
        except NotCoveredError as error:
            # Nothing is known of how many members it has, so that it is no set with one member of which nothing is known.
            self.reading.note(error)
            return (Alternative(TRUE, Obscure((self.reading.tag, str(error.place), str(node.place)))),)
        return (Alternative(TRUE, Members(_simplified(members))),)

    def _complete(self, name: str, rules: list[tuple[Module, Rule]], arguments: tuple[Atom, ...]) -> _Alternatives:
        """Of a rule, or of a function with its arguments, every value."""
        # Rules of one name that hold together must agree; where they may not, that is noted.
        found: list[list[Alternative]] = []
        default: list[Alternative] = []
        for module, rule in rules:
            if rule.kind == "default":
                default += self.expressions.of(rule.value, Around(module)) if rule.value else []
            else:
                found.append(self._guarded(rule, Around(module, {}, free_in(arguments)), arguments))
        self._note_conflicts(name, found, free_in(arguments))
        merged = _simplified([one for several in found for one in several])
        missing = negated(disjoined(one.closed() for one in merged))
        return merged + tuple(Alternative(missing, one.atom) for one in default if missing is not FALSE)

    def _applied(self, key: tuple[str, str], arguments: tuple[Atom, ...], call: Call) -> _Alternatives:
        rules = self.reading.rules[key]
        if {rule.kind for _, rule in rules} != {"function"}:
            raise NotCoveredError(call, f"{key[1]} has a default or is no function")
        return self._complete(".".join(key), rules, arguments)

    def _guarded(self, rule: Rule, around: Around, arguments: tuple[Atom, ...]) -> list[Alternative]:
        """What one rule gives; anything, where it is not covered."""
        try:
            around, fits = _named(rule, around, arguments)
            given = self._given(rule, around)
            return [Alternative(conjoined([fits, one.guard]), one.atom, one.binders) for one in given]
        except NotCoveredError as error:
            holds = self.reading.unknown_at(error, around)
            return [Alternative(holds, Obscure((self.reading.tag, str(error.place), *around.key())))]

    def _given(self, rule: Rule, around: Around) -> list[Alternative]:
        if not rule.bodies:
            return self.expressions.of(rule.value, around) if rule.value else [Alternative(TRUE, YES)]
        found: list[Alternative] = []
        for body in rule.bodies:
            earlier = negated(disjoined(one.closed() for one in found))
            given = self._of_body(rule, body, around)
            found += [Alternative(conjoined([earlier, one.guard]), one.atom, one.binders) for one in given]
        return [one for one in found if one.guard is not FALSE]

    def _of_body(self, rule: Rule, body: Body, around: Around) -> list[Alternative]:
        value = body.value if body.is_else else rule.value
        if len(rule.bodies) > 1 and value is not None and not isinstance(value, Scalar):
            raise NotCoveredError(value, "one of several alternatives by `else` is worked out")
        found = []
        for solution in self.bodies.solutions(body.query, around):
            given = self.expressions.of(value, solution.around) if value else [Alternative(TRUE, YES)]
            for one in given:
                guard = conjoined([solution.guard, one.guard])
                found.append(Alternative(guard, one.atom, solution.binders + one.binders))
        return found

    def _note_conflicts(self, name: str, found: list[list[Alternative]], outer: frozenset[object]) -> None:
        """Note where two rules of a name hold together and give two values: the engine then fails."""
        conflicts: list[Term] = []
        for place, several in enumerate(found):
            for one in several:
                conflicts += [_both(one, other) for later in found[place + 1 :] for other in later]
                if one.binders:
                    conflicts.append(_both(one, one))
        some = [one for one in conflicts if one is not FALSE]
        if some:
            self.reading.conflicts.setdefault(name, []).append(disjoined(some))


def _named(rule: Rule, around: Around, arguments: tuple[Atom, ...]) -> tuple[Around, Term]:
    """What a function sees of its arguments, and where they are what it asks for."""
    if len(rule.arguments) != len(arguments):
        raise NotCoveredError(rule, "it is called with another number of arguments")
    fits = TRUE
    for pattern, atom in zip(rule.arguments, arguments, strict=True):
        if isinstance(pattern, Var):
            around = around.naming(pattern.name, atom)
        elif isinstance(pattern, Scalar):
            fits = conjoined([fits, same(Known(pattern.value), atom)])
        else:
            raise NotCoveredError(pattern, "an argument is taken apart")
    return around, fits


def _both(one: Alternative, other: Alternative) -> Term:
    """Where two alternatives hold and have different values."""
    second = renamed(other, frozenset(one.binders) | free_in(one.guard) | free_in(one.atom))
    differ = negated(same(one.atom, second.atom))
    return exists(one.binders + second.binders, conjoined([one.guard, second.guard, differ]))


def _simplified(found: list[Alternative]) -> _Alternatives:
    """The same alternatives, with one for each value that does not depend on what is chosen."""
    guards: dict[Atom, list[Term]] = {}
    others = []
    for one in found:
        if free_in(one.atom) & frozenset(one.binders):
            others.append(one)
        else:
            guards.setdefault(one.atom, []).append(one.closed())
    merged = [Alternative(disjoined(several), atom) for atom, several in guards.items()]
    return tuple(one for one in (*merged, *others) if one.guard is not FALSE)
