"""What a computed name, or a sum, may be where it is made of tables and of what stands in rules alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from gateway.knowledge.reading.reachable import Reachable, RuleSteps, scalars
from gateway.policy.rego.tree import (
    Arithmetic,
    Array,
    Assignment,
    Every,
    Expr,
    Module,
    Object,
    Ref,
    Rule,
    Scalar,
    SomeIn,
    Var,
)
from gateway.policy.rego.walk import steps, walk

_MOST: Final = 10_000

_COUNT: Final = {
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
}


@dataclass(frozen=True, slots=True)
class Constants:
    """The tables of a bundle, and its rules."""

    reached: Reachable
    data: Mapping[str, object]

    def names(self, module: Module, rule: Rule, variable: str) -> set[str] | None:
        """All texts that a variable may be which goes through tables in this rule; None where it may be anything else."""
        sources = [one for one in walk(rule) if isinstance(one, SomeIn) and _binds(one, variable)]
        if not sources or _bound_otherwise(rule, variable):
            return None
        found: set[str] = set()
        for one in sources:
            path = steps(one.within)
            if path[:1] != ("data",) or self.reached.resolve(module, path):
                return None
            found |= {value for value in scalars(self.data, {_prefix(path[1:])}) if isinstance(value, str)}
        return found

    def numbers(self, module: Module, expr: Expr) -> set[float] | None:
        """What numbers of rules and tables may come to; None where anything else has a part in it."""
        if isinstance(expr, Scalar) and isinstance(expr.value, int | float):
            return {float(expr.value)}
        if isinstance(expr, Ref) and steps(expr)[:1] == ("data",) and not self.reached.resolve(module, steps(expr)):
            return {float(one) for one in scalars(self.data, {_prefix(steps(expr)[1:])}) if not isinstance(one, str)}
        if not isinstance(expr, Arithmetic) or expr.operator not in _COUNT:
            return None
        left, right = self.numbers(module, expr.left), self.numbers(module, expr.right)
        if left is None or right is None or len(left) * len(right) > _MOST:
            return None
        return {_COUNT[expr.operator](one, two) for one in left for two in right}


def _prefix(path: RuleSteps) -> tuple[str, ...]:
    """As far as a path is written out."""
    names: list[str] = []
    for step in path:
        if step is None:
            break
        names.append(step)
    return tuple(names)


def _binds(one: SomeIn, name: str) -> bool:
    return isinstance(one.value, Var) and one.value.name == name


def _bound_otherwise(rule: Rule, name: str) -> bool:
    """Whether a variable may also get its value as an argument, by an assignment, as a key or in `every`."""
    others: list[Expr] = list(rule.arguments)
    for node in walk(rule):
        if isinstance(node, Assignment):
            others += [side for side in (node.left, node.right) if isinstance(side, Var | Array | Object)]
        elif isinstance(node, SomeIn):
            others += [node.key] if node.key else []
            others += [] if isinstance(node.value, Var) else [node.value]
        elif isinstance(node, Every) and name in {node.key, node.value}:
            return True
    return any(isinstance(one, Var) and one.name == name for part in others for one in walk(part))


def written(arguments: Iterable[Expr]) -> object:
    """What the first of some arguments is, where it stands in the rule as it is; None where it does not."""
    return next((one.value for one in arguments if isinstance(one, Scalar)), None)
