"""
Every small change of a module that decides something else, found in its syntax tree.

For each alternative of each rule: without each of its lines, with each comparison, `in` and `not` turned round, and without the
alternative; each default turned round or left out.  A line that gives a name to what other lines read is not left out, since
the rule would be none any more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gateway.policy.rego.tree import (
    Assignment,
    Body,
    Comparison,
    Membership,
    Module,
    Node,
    Not,
    Place,
    Rule,
    Scalar,
    Some,
    SomeIn,
    Statement,
    Var,
)
from gateway.policy.rego.walk import statements, walk

TURNED: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""What a comparison says when it is turned round."""

_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class RuleEdit:
    """One change of a module."""

    place: Place
    """What is changed."""

    rule: str
    """The name of the rule that it is in."""

    what: str
    """What is done, in words, such as ``without `known` ``."""

    text: str
    """What stands there then."""

    def applied(self, module: Module) -> str:
        """The text of the module with the change."""
        return module.text[: self.place.start] + self.text + module.text[self.place.end :]


def edits(module: Module) -> Iterator[RuleEdit]:
    """Every change of a module, in the order of its rules."""
    for rule in module.rules:
        if rule.kind == "default":
            yield from _of_default(rule)
        for body in rule.bodies:
            yield from _of_body(module, rule, body)
        if not rule.bodies and rule.kind != "default":
            yield RuleEdit(rule.place, rule.name, f"without `{_said(module, rule)}`", f"{module.source(rule)} if false")


def _of_default(rule: Rule) -> Iterator[RuleEdit]:
    if isinstance(rule.value, Scalar) and isinstance(rule.value.value, bool):
        turned = str(not rule.value.value).lower()
        yield RuleEdit(rule.value.place, rule.name, f"with the default {turned}", turned)
    yield RuleEdit(rule.place, rule.name, "without its default", "")


def _of_body(module: Module, rule: Rule, body: Body) -> Iterator[RuleEdit]:
    for statement in statements(body.query):
        if not _always_holds(statement) and not _names_what_others_read(rule, statement):
            yield RuleEdit(statement.place, rule.name, f"without `{_said(module, statement)}`", "true")
    for node in walk(body.query):
        yield from _turned(module, rule, node)
    if body.query.statements:
        lines = "\n".join(module.source(statement) for statement in body.query.statements)
        what = f"without the alternative `{_said(module, body)}`"
        yield RuleEdit(body.query.place, rule.name, what, f"{{\n{lines}\nfalse\n}}")
    else:
        yield RuleEdit(body.place, rule.name, f"without `{_said(module, body)}`", "")


def _names_what_others_read(rule: Rule, statement: Statement) -> bool:
    named = set(_named(statement.what))
    inside = range(statement.place.start, statement.place.end)
    return any(isinstance(node, Var) and node.name in named and node.place.start not in inside for node in walk(rule))


def _named(what: Node) -> Iterator[str]:
    """The variables that a line gives a value to."""
    if isinstance(what, Some):
        yield from what.names
    elif isinstance(what, SomeIn):
        given = [what.value, *([what.key] if what.key else [])]
        yield from (node.name for node in walk(given) if isinstance(node, Var))
    elif isinstance(what, Assignment):
        yield from (node.name for node in walk(what.left) if isinstance(node, Var))


def _always_holds(statement: Statement) -> bool:
    return isinstance(statement.what, Scalar) and statement.what.value is True


def _turned(module: Module, rule: Rule, node: Node) -> Iterator[RuleEdit]:
    if isinstance(node, Comparison) and node.operator in TURNED:
        sides = module.source(node.left), module.source(node.right)
        turned = f"{sides[0]} {TURNED[node.operator]} {sides[1]}"
        yield RuleEdit(node.place, rule.name, f"with `{_short(turned)}`", turned)
    elif isinstance(node, Not):
        yield RuleEdit(node.place, rule.name, f"without the `not` of `{_said(module, node)}`", module.source(node.of))
    elif isinstance(node, Statement) and isinstance(node.what, Membership):
        turned = f"not {module.source(node)}"
        yield RuleEdit(node.place, rule.name, f"with `{_short(turned)}`", turned)


def _said(module: Module, node: Node) -> str:
    return _short(module.source(node))


def _short(text: str) -> str:
    """A text on one line, and not longer than a line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
