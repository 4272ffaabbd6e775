"""Going through a tree: every node below another, and what rules read and call."""

import dataclasses

from collections.abc import Iterable, Iterator
from typing import Final

from gateway.policy.rego.tree import Call, Expr, Node, Ref, Rule, Scalar, Statement, Var

_members: Final[dict[type[Node], tuple[str, ...]]] = {}
"""The fields of each kind of node, in order."""


def children(node: Node) -> Iterator[Node]:
    """The nodes that stand directly below a node, in the order of the text."""
    kind = type(node)
    if kind not in _members:
        _members[kind] = tuple(field.name for field in dataclasses.fields(kind))
    for name in _members[kind]:
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for member in value:
            yield from _nodes(member)


def walk(node: Node | Iterable[Node]) -> Iterator[Node]:
    """A node, or several, and everything below, each before what stands below it."""
    waiting: list[Node] = [node] if isinstance(node, Node) else list(node)[::-1]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += list(children(one))[::-1]


def statements(node: Node) -> Iterator[Statement]:
    """Every statement below a node, also those within comprehensions and `every`."""
    return (one for one in walk(node) if isinstance(one, Statement))


def steps(expr: Expr) -> tuple[str | None, ...]:
    """
    What a reference looks up, from its first name on; None for a step that is not written out.

    Empty where it begins with something else than a name: `f(x).y`.
    """
    if isinstance(expr, Var):
        return (expr.name,)
    if not isinstance(expr, Ref) or not isinstance(expr.head, Var):
        return ()
    found = (part.value if isinstance(part, Scalar) and isinstance(part.value, str) else None for part in expr.parts)
    return (expr.head.name, *found)


def dotted(expr: Expr) -> str:
    """The steps of a reference that are written out before the first that is not: `input.item` of `input.item[x].y`."""
    names: list[str] = []
    for step in steps(expr):
        if step is None:
            break
        names.append(step)
    return ".".join(names)


def references(node: Node | Iterable[Node]) -> Iterator[Var | Ref]:
    """Every reference and every name below a node, the longest of each; the name of a function that is called is none."""
    waiting: list[Node] = [node] if isinstance(node, Node) else list(node)[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Var | Ref):
            yield one
        below = children(one)
        if isinstance(one, Call):
            below = iter(one.arguments)
        elif isinstance(one, Ref) and isinstance(one.head, Var):
            below = iter(one.parts)
        waiting += list(below)[::-1]


def calls(node: Node | Iterable[Node]) -> Iterator[Call]:
    """Every call of a function below a node."""
    return (one for one in walk(node) if isinstance(one, Call))


def used_names(rule: Rule) -> set[str]:
    """Every first name that a rule reads or calls: rules of its module, imports, variables and builtins alike."""
    found = {steps(one)[0] for one in references(rule) if steps(one)}
    found |= {call.function.partition(".")[0] for call in calls(rule)}
    return {name for name in found if name}
