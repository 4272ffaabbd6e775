"""Changes of the shipped rules as a hurried or a hostile hand would make them, drawn with a seed."""

import random

from dataclasses import dataclass

from gateway.policy.rego.parse import parse
from gateway.policy.rego.reader import modules
from gateway.policy.rego.tree import Comparison, Membership, Not, Ref, Statement
from gateway.policy.rego.walk import references, steps, walk
from tests.support.bundles import SHIPPED

_OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
_ADDED = 'input.request.purpose == "a_purpose_that_no_case_names"'


@dataclass(frozen=True)
class Seeded:
    """One change."""

    kind: str
    file: str
    line: int
    rule: str
    before: str
    after: str
    text: str

    def __str__(self):
        return f"{self.kind}: {self.file}:{self.line}: {self.rule}: {self.before} -> {self.after}"


def seeded(count, seed=20261123):
    """So many changes, of all kinds in turn, each of another place; the same for the same seed."""
    drawn = random.Random(seed)
    by_kind = {}
    for one in _all(drawn):
        by_kind.setdefault(one.kind, []).append(one)
    for changes in by_kind.values():
        drawn.shuffle(changes)
    found = []
    while len(found) < count:
        found += [changes.pop() for _, changes in sorted(by_kind.items()) if changes]
    return found[:count]


def _all(drawn):
    for name, module in modules(SHIPPED).items():
        if name.startswith("context/batch/") or name == "context/context.rego":
            continue
        for rule in module.rules:
            for node in walk(rule):
                for kind, place, after in _of(module, node, drawn):
                    yield _seeded(kind, module, rule, place, after)
            for one in references(rule):
                for kind, after in _other(module, one, drawn):
                    yield _seeded(kind, module, rule, one.place, after)
            alternatives = [one for one in module.named(rule.name) if one.kind == "complete" and one.value is None]
            if rule.kind == "complete" and rule.value is None and rule.bodies:
                end = rule.place.end
                place = rule.place.__class__(name, rule.place.line, 1, end, end)
                yield _seeded("added alternative", module, rule, place, f"\n\n{rule.name} if {_ADDED}")
                if len(alternatives) > 1:
                    yield _seeded("dropped alternative", module, rule, rule.place, "")


def _same(module, node):
    """The operator that says the same of null, before which nothing comes in Rego's order of values."""
    of_null = module.source(node.right) == "null"
    return {"==": "<=", "<=": "==", "!=": ">", ">": "!="}.get(node.operator) if of_null else None


def _of(module, node, drawn):
    if isinstance(node, Comparison):
        operator = drawn.choice([one for one in _OPERATORS if one not in {node.operator, _same(module, node)}])
        yield "operator", node.place, f"{module.source(node.left)} {operator} {module.source(node.right)}"
    elif isinstance(node, Not):
        yield "dropped not", node.place, module.source(node.of)
    elif isinstance(node, Statement) and isinstance(node.what, Membership):
        yield "in another set", node.what.within.place, '{"something", "else"}'


def _other(module, one, drawn):
    path = steps(one)
    if not isinstance(one, Ref) or path[:2] != ("data", "context") or None in path[:4] or len(path) < 4:
        return
    table = SHIPPED.data["context"].get(path[2], {})
    value = table.get(path[3])
    if len(path) == 4 and isinstance(value, int | float) and not isinstance(value, bool):
        yield "threshold", f"({module.source(one)} {drawn.choice('+-')} 1)"
    alike = sorted(key for key, other in table.items() if key != path[3] and type(other) is type(value))
    if value is not None and alike:
        written = module.source(one)
        start = f"data.context.{path[2]}.{path[3]}"
        if written.startswith(start):
            yield "another table", f"data.context.{path[2]}.{drawn.choice(alike)}{written[len(start) :]}"


def _seeded(kind, module, rule, place, after):
    text = module.text[: place.start] + after + module.text[place.end :]
    before = " ".join(module.text[place.start : place.end].split())
    return Seeded(kind, module.file, place.line, rule.name, before, " ".join(after.split()), text)


def readable(one):
    """The tree of a changed module."""
    return parse(one.file, one.text)
