"""
What the workbench reads of Rego: METADATA, as OPA reads it, and the checklists and refusals of areas.

This is the only reader of `permit`: what it cannot read it refuses, so that no area is passed over in silence.
"""

import re

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.supply.tables import TableError, read_yaml

_BLOCK: Final = re.compile(r"^# METADATA\n((?:#.*\n)+)(.*)", re.MULTILINE)
_NAMED: Final = re.compile(r"[a-z_]\w*(\.[a-z_]\w*)*")
_EMITTED: Final = re.compile(r'"code":\s*"([A-Z]+(?:[-_][A-Z0-9]+)*)"')


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


def emitted_codes(rego: str) -> set[str]:
    """Codes that stand in the rules themselves."""
    return set(_EMITTED.findall(rego))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that says why an item is refused or set aside."""

    codes: frozenset[str]
    """Codes that stand in it; one, unless it is wrong."""

    conditions: tuple[str, ...]
    """The named statements whose absence it explains."""

    line: int


def refusals(rego: str) -> list[Refusal]:
    """Every `deny` and `set_aside` of a module that builds an explanation, in order."""
    found = []
    for match in re.finditer(r"^(?:deny|set_aside) contains \{", rego, re.MULTILINE):
        rule = rego[match.start() :].partition("\n\n")[0]
        negated = re.findall(r"^(?:\tnot|.*? if not) ([a-z_]\w*)$", rule, re.MULTILINE)
        found.append(Refusal(frozenset(emitted_codes(rule)), tuple(negated), rego.count("\n", 0, match.start()) + 1))
    return found


def conditions(rego: str, rule: str = "permit") -> list[str]:
    """
    The checklist of a module: each condition of its `permit`, or of another rule of named statements.

    Read are `permit if { … }` with one statement on each line, and `permit if statement`.

    Raises:
        BundleInvalidError: there is no such rule, more than one, or one with something else than named statements.
    """
    return _checklist(rego, rule)[0]


def with_conditions(rego: str, names: Sequence[str], rule: str = "permit") -> str:
    """
    The module with another checklist; without any condition the rule always holds.

    Raises:
        BundleInvalidError: the checklist that stands there cannot be read.
    """
    _, start, end = _checklist(rego, rule)
    body = "".join(f"\t{name}\n" for name in names or ["true"])
    return f"{rego[:start]}{rule} if {{\n{body}}}{rego[end:]}"


def _checklist(rego: str, rule: str) -> tuple[list[str], int, int]:
    """The conditions, and from where to where the rule stands."""
    heads = list(re.finditer(rf"^{re.escape(rule)}\b(?!\()", rego, re.MULTILINE))
    if not heads:
        raise BundleInvalidError(f"there is no `{rule}`")
    if len(heads) > 1:
        raise BundleInvalidError(f"`{rule}` is written more than once; every condition belongs into one list")
    start = heads[0].start()
    whole = re.compile(rf"{re.escape(rule)} if (?:\{{\n(?P<lines>(?:\t.*\n|\n)*)\}}|(?P<one>[^{{\n]+))$", re.MULTILINE)
    match = whole.match(rego, start)
    if match is None:
        raise BundleInvalidError(f"`{rule}` is not a list of named statements, one on each line")
    stated = (match.group("lines") or match.group("one")).split("\n")
    names = [text for line in stated if (text := line.partition("#")[0].strip())]
    for name in names:
        if not _NAMED.fullmatch(name):
            raise BundleInvalidError(f"`{rule}` holds something else than a named statement: {name}")
    return names, start, match.end()
