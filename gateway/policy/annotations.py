"""
What the workbench reads of Rego: METADATA, as OPA reads it, and the checklists and refusals of areas.

This is the only reader of `permit`: what it cannot read it refuses, so that no area is passed over in silence.
"""

import re

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.rego.reader import read
from gateway.policy.rego.tree import Module, Not, Object, Place, Ref, Rule, Scalar, Var
from gateway.policy.rego.walk import steps, walk
from gateway.policy.supply.tables import TableError, read_yaml

_BLOCK: Final = re.compile(r"^# METADATA\n((?:#.*\n)+)(.*)", re.MULTILINE)
_EXPLAINING: Final = frozenset({"deny", "set_aside"})


@dataclass(frozen=True, slots=True)
class Annotation:
    """One METADATA block and the line it stands over."""

    fields: dict[str, Any]
    target: str
    line: int

    @property
    def code(self) -> str | None:
        """The code of the refusal or warning that it annotates."""
        return (self.fields.get("custom") or {}).get("code")

    @property
    def controls(self) -> list[str]:
        """Where the controls that it implements are described."""
        return [str(resource["ref"]) for resource in self.fields.get("related_resources") or []]


# Checks, pages and explanations each ask again, of the same modules, and parsing YAML is slow.
@lru_cache(maxsize=100)
def annotations(rego: str) -> Sequence[Annotation]:
    """
    Every METADATA block of a module, in order.

    Raises:
        BundleInvalidError: a block is no table in YAML; the message names its line.
    """
    found = []
    for match in _BLOCK.finditer(rego):
        line = rego.count("\n", 0, match.start()) + 1
        found.append(Annotation(_fields(match.group(1), line), match.group(2), line))
    return found


def _fields(block: str, line: int) -> dict[str, Any]:
    try:
        fields = read_yaml(re.sub(r"^# ?", "", block, flags=re.MULTILINE))
    except TableError as error:
        raise BundleInvalidError(f"METADATA in line {line} cannot be read: {error}") from error
    table = fields if isinstance(fields, dict) else {"custom": "not a table"}
    # Of the members only these are looked into.
    custom, resources = table.get("custom") or {}, table.get("related_resources") or []
    listed = isinstance(resources, list) and all(isinstance(one, dict) and "ref" in one for one in resources)
    if not isinstance(custom, dict) or not isinstance(custom.get("code"), str | None) or not listed:
        raise BundleInvalidError(f"METADATA in line {line} is not a table as OPA documents it")
    return table


def title_over(rego: str, line: int) -> str:
    """The title of the METADATA block that stands directly over a line; empty where none does."""
    lines = rego.split("\n")
    over = next((number for number in range(line - 1, 0, -1) if not lines[number - 1].startswith("#")), 0) + 1
    blocks = (block for block in annotations(rego) if over <= block.line < line)
    return next((str(block.fields["title"]) for block in blocks if "title" in block.fields), "")


def emitted_codes(rego: str) -> set[str]:
    """Codes that stand in the rules themselves, whatever else the text is."""
    return {code for rule in _module(rego).rules for code in _codes(rule)}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that says why an item is refused or set aside."""

    codes: frozenset[str]
    """Codes that stand in it; one, unless it is wrong."""

    conditions: tuple[str, ...]
    """The named statements whose absence it explains."""

    line: int
    rule: str = "deny"
    place: Place | None = None
    """Where it stands."""


def refusals(rego: str) -> list[Refusal]:
    """
    Every `deny` and `set_aside` of a module that builds an explanation, in order.

    Raises:
        RegoUnreadableError, RegoTooDeepError: the module cannot be read.
    """
    found = []
    for rule in _module(rego).rules if rego.strip() else ():
        if rule.name in _EXPLAINING and rule.kind == "set" and isinstance(rule.value, Object):
            negated = [
                statement.what.of.name
                for body in rule.bodies
                for statement in body.query.statements
                if isinstance(statement.what, Not) and isinstance(statement.what.of, Var)
            ]
            codes = frozenset(_codes(rule))
            found.append(Refusal(codes, tuple(negated), rule.place.line, rule.name, rule.place))
    return found


def _codes(rule: Rule) -> Iterator[str]:
    """The texts under `code` in the objects that a rule makes."""
    for node in walk(rule):
        if isinstance(node, Object):
            for key, value in node.fields:
                named = isinstance(key, Scalar) and key.value == "code"
                if named and isinstance(value, Scalar) and isinstance(value.value, str):
                    yield value.value


def conditions(rego: str, rule: str = "permit") -> list[str]:
    """
    The checklist of a module: each condition of its `permit`, or of another rule of named statements.

    Raises:
        BundleInvalidError: there is no such rule, more than one, or one with something else than named statements.
    """
    module, found = _checklist(rego, rule)
    return [module.source(statement) for statement in found.bodies[0].query.statements]


def with_conditions(rego: str, names: Sequence[str], rule: str = "permit") -> str:
    """
    The module with another checklist; without any condition the rule always holds.

    Raises:
        BundleInvalidError: the checklist that stands there cannot be read.
    """
    _, found = _checklist(rego, rule)
    body = "".join(f"\t{name}\n" for name in names or ["true"])
    return f"{rego[: found.place.start]}{rule} if {{\n{body}}}{rego[found.place.end :]}"


def _checklist(rego: str, name: str) -> tuple[Module, Rule]:
    """The one rule of a name, whose body is a list of named statements."""
    module = _module(rego)
    rules = module.named(name)
    if not rules:
        raise BundleInvalidError(f"there is no `{name}`")
    if len(rules) > 1 or len(rules[0].bodies) > 1:
        raise BundleInvalidError(f"`{name}` is written more than once; every condition belongs into one list")
    [rule] = rules
    if rule.kind != "complete" or rule.value is not None or not rule.bodies:
        raise BundleInvalidError(f"`{name}` is not a list of named statements, one on each line")
    for statement in rule.bodies[0].query.statements:
        what = statement.what
        always = isinstance(what, Scalar) and what.value is True
        named = isinstance(what, Var | Ref) and bool(steps(what)) and None not in steps(what)
        if statement.withs or not (named or always):
            stated = module.source(statement)
            raise BundleInvalidError(f"`{name}` holds something else than a named statement: {stated}")
    return module, rule


def _module(rego: str) -> Module:
    return read("the module", rego)
