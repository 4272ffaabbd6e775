"""Which rules of a bundle have a part in an answer, and which of its tables they read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from gateway.policy.bundle import Bundle
from gateway.policy.rego.reader import modules
from gateway.policy.rego.tree import Call, Expr, Module, Ref, Rule, Var
from gateway.policy.rego.walk import references, steps, walk

RuleRef = tuple[str, str]
"""Package and name of a rule."""

RuleSteps = tuple[str | None, ...]

SERVER_ONLY: Final = "context.batch"
"""Rules that only a policy server evaluates; they ask the others, and no answer is theirs."""


@dataclass(slots=True)
class Reachable:
    """Rules that an answer may depend on, with all rules of the same names."""

    rules: dict[RuleRef, list[tuple[Module, Rule]]]
    """All rules of the bundle, by package and name."""

    found: set[RuleRef] = field(default_factory=set)
    tables: set[tuple[str, ...]] = field(default_factory=set)
    """Paths below `data` that are read, as far as they are written out."""

    def clauses(self) -> Iterator[tuple[Module, Rule]]:
        """Every rule that is reached, once for each time it is written."""
        for name in sorted(self.found):
            yield from self.rules[name]

    def resolve(self, module: Module, path: RuleSteps) -> list[tuple[RuleRef, RuleSteps]]:
        """The rules that a reference may mean, each with the steps that follow it; none for tables and variables."""
        path = _absolute(module, path)
        if not path or path[0] != "data":
            name = path[0] if path else None
            return [((module.package, name), path[1:])] if name and (module.package, name) in self.rules else []
        return list(self._below(path[1:]))

    def _below(self, path: RuleSteps) -> Iterator[tuple[RuleRef, RuleSteps]]:
        for package, name in self.rules:
            parts = (*package.split("."), *name.split("."))
            if package != SERVER_ONLY and all(one is None or one == two for one, two in zip(path, parts, strict=False)):
                yield (package, name), path[len(parts) :]


def reachable(bundle: Bundle, start: RuleRef) -> Reachable:
    """
    The rules that the answer of a rule may depend on.

    Args:
        bundle: the rules.
        start: whose answer it is.

    Raises:
        RegoUnreadableError, RegoTooDeepError: a module cannot be read.
    """
    rules: dict[RuleRef, list[tuple[Module, Rule]]] = {}
    for module in modules(bundle).values():
        for rule in module.rules:
            rules.setdefault((module.package, rule.name.partition(".")[0]), []).append((module, rule))
    reached = Reachable(rules)
    waiting = [start] if start in rules else []
    while waiting:
        name = waiting.pop()
        if name in reached.found:
            continue
        reached.found.add(name)
        for module, rule in rules[name]:
            waiting += _named_in(reached, module, rule)
    return reached


def _named_in(reached: Reachable, module: Module, rule: Rule) -> Iterator[RuleRef]:
    for expr in _read(rule):
        path = steps(expr)
        found = reached.resolve(module, path)
        yield from (name for name, _ in found)
        absolute = _absolute(module, path)
        if absolute[:1] == ("data",):
            reached.tables.add(_written_out(absolute[1:]))


def _read(rule: Rule) -> Iterator[Expr]:
    yield from references(rule)
    yield from (one.target for one in walk(rule) if isinstance(one, Call) and isinstance(one.target, Var | Ref))


def _absolute(module: Module, path: RuleSteps) -> RuleSteps:
    """A reference with what its first name was imported as in its place."""
    for one in module.imports:
        parts = tuple(one.path.split("."))
        if path and parts[0] == "data" and path[0] == (one.alias or parts[-1]):
            return (*parts, *path[1:])
    return path


def _written_out(path: RuleSteps) -> tuple[str, ...]:
    names: list[str] = []
    for step in path:
        if step is None:
            break
        names.append(step)
    return tuple(names)


def scalars(data: object, tables: set[tuple[str, ...]]) -> Iterator[str | int | float]:
    """Every text and number in those tables, names of their rows among them."""
    for path in tables:
        place: object = data
        for step in path:
            place = place.get(step) if isinstance(place, Mapping) else None
        yield from _leaves(place)


def _leaves(value: object) -> Iterator[str | int | float]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, str | int | float) and not isinstance(one, bool):
            yield one
