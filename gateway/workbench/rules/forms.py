"""
Forms of Rego that may not be written, since what they mean is not what they look like, or not the same on both engines.

Each has a sentence in an officer's words; docs/adr/0002-embedded-engine.md and docs/conformance.json say where they come from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gateway.policy.rego.tree import (
    Array,
    Assignment,
    Call,
    Comparison,
    Comprehension,
    Every,
    Expr,
    Module,
    Node,
    Not,
    Object,
    Place,
    Ref,
    Rule,
    Scalar,
    SetOf,
    Statement,
    Unknown,
    Var,
)
from gateway.policy.rego.walk import dotted, walk

_CHANGING: Final = frozenset({"http.send", "opa.runtime", "time.now_ns"})
_CHANGING_OF: Final = ("rand.", "net.lookup", "rego.metadata")
_DIFFERING: Final = frozenset(
    {
        "json.is_valid",
        "json.match_schema",
        "json.verify_schema",
        "yaml.is_valid",
        "graph.reachable",
        "graph.reachable_paths",
        "numbers.range_step",
        "strings.count",
    }
)
_WRITTEN_OUT: Final = Array | SetOf | Object | Comprehension | Scalar
"""What has a value whatever is missing."""


@dataclass(frozen=True, slots=True)
class WrongForm:
    """A form that may not be written, where it is."""

    place: Place
    message: str
    hint: str


def forms(module: Module) -> Iterator[WrongForm]:
    """Everything in a module that may not be written as it is, in the order of the rules."""
    for rule in module.rules:
        yield from _of_rule(rule)
        for node in walk(rule):
            yield from _of_node(module, node)


def _of_rule(rule: Rule) -> Iterator[WrongForm]:
    if rule.kind == "object" or (rule.kind == "set" and rule.path):
        yield WrongForm(
            rule.head,
            f"the rule `{rule.name}` builds a table with keys.",
            "Build a list of small objects and go through it.",
        )
    if rule.kind == "default" and (rule.arguments or (rule.value and _computed(rule.value))):
        yield _differing(
            rule.place, f"`default {rule.name}`", "Write a default as a plain value, of a rule without arguments."
        )


def _computed(value: Expr) -> bool:
    return any(isinstance(node, Comprehension | Call) for node in walk(value))


def _of_node(module: Module, node: Node) -> Iterator[WrongForm]:
    if isinstance(node, Unknown):
        yield WrongForm(
            node.place, f"a form is used that is not known here ({node.kind}).", "Write it as the shipped rules do."
        )
    elif isinstance(node, Statement):
        yield from _of_statement(module, node)
    elif isinstance(node, Comprehension):
        yield from _of_list(module, node)
    elif isinstance(node, Every):
        yield from _of_every(node)
    elif isinstance(node, Not) and isinstance(node.of, SetOf | Object | Comprehension):
        yield _differing(node.place, "`not { … }`", "Give the condition a name and negate the name.")
    elif isinstance(node, Call):
        yield from _of_call(node)
    elif isinstance(node, Var | Ref):
        yield from _of_reference(module, node)
    elif isinstance(node, Comparison) and _counts_refusals(node):
        yield WrongForm(
            node.place,
            "a decision is made by counting refusals, which permits when a refusal is broken.",
            "List what must hold in `permit`.",
        )


def _of_statement(module: Module, node: Statement) -> Iterator[WrongForm]:
    what = node.what
    if isinstance(what, Assignment) and what.operator == ":=" and not isinstance(what.right, _WRITTEN_OUT):
        name, value = module.source(what.left), module.source(what.right)
        said = value if len(value) <= 60 and "\n" not in value else "…"
        yield WrongForm(
            node.place,
            f"a value that may be missing is given a name inside a rule: where `{said}` is nothing, the engines differ.",
            f"Compare it where it stands, or go through it: `some {name} in [{said}]`.",
        )
    for one in node.withs:
        yield WrongForm(one.place, "`with` is used outside a test.", "Write a named statement about the input itself.")


def _of_every(node: Every) -> Iterator[WrongForm]:
    """The embedded engine goes through the whole table instead of looking up the one entry, so that any entry is enough."""
    for one in walk(node.query):
        if isinstance(one, Ref) and any(isinstance(part, Var) for part in one.parts):
            what = "something looked up by a name in brackets within `every`"
            yield _differing(
                one.place,
                what,
                f"Give the condition to a rule of its own: `every {node.value} in … {{ _holds({node.value}) }}`.",
            )


def _of_list(module: Module, node: Comprehension) -> Iterator[WrongForm]:
    if node.kind != "object" and isinstance(node.value, Ref | Call):
        yield WrongForm(
            node.place,
            f"a list is built from values that may be missing: `{module.source(node.value)[:60]}`.",
            "Give the value a name first: `some value in [thing.field]`.",
        )


def _of_call(node: Call) -> Iterator[WrongForm]:
    if node.function in _CHANGING or node.function.startswith(_CHANGING_OF):
        yield WrongForm(
            node.place,
            f"the function `{node.function}` is used, whose answer is not the same every time.",
            "Everything a rule needs comes in the input or the tables.",
        )
    elif node.function in _DIFFERING:
        yield _differing(node.place, f"the function `{node.function}`", "Use a comparison, `in`, or a table.")


def _of_reference(module: Module, node: Var | Ref) -> Iterator[WrongForm]:
    """Areas are looked up by a name that is written out with dots, never by one in brackets or by going through all."""
    if isinstance(node, Ref) and isinstance(node.head, Var) and node.head.name == "data":
        first, *more = node.parts
        looked_up = [first, *more[:1]] if dotted(node).startswith("data.context") else [first]
        written = all(isinstance(part, Scalar) and module.text[part.place.start - 1] == "." for part in looked_up)
        if not written or (dotted(node) == "data.context" and not more):
            yield _by_name(node)


def _by_name(node: Node) -> WrongForm:
    return WrongForm(
        node.place,
        "an area is looked up by a name that is not written out, which the embedded engine mistakes for another area.",
        "Write `data.context.<area>` out; `ctxgate policy areas --write` writes the lines of `context.rego`.",
    )


def _counts_refusals(node: Comparison) -> bool:
    for side in (node.left, node.right):
        if isinstance(side, Call) and side.function == "count" and side.arguments:
            counted = dotted(side.arguments[0])
            if counted == "deny" or counted.endswith(".deny"):
                return True
    return False


def _differing(place: Place, what: str, hint: str) -> WrongForm:
    message = f"{what} is used, which the embedded engine answers differently than OPA (docs/conformance.json)."
    return WrongForm(place, message, hint)
