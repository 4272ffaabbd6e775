"""Which tables the rules of a bundle read, and where."""

from dataclasses import dataclass, field

from gateway.policy.bundle import Bundle
from gateway.policy.rego.reader import modules
from gateway.policy.rego.tree import Module, Place
from gateway.policy.rego.walk import references, steps


@dataclass(slots=True)
class Reads:
    """What all rules read of the tables under `context`."""

    keys: dict[str, dict[str, list[Place]]] = field(default_factory=dict)
    """Of each area its tables and rules by name, with the first place in each rule that reads one."""

    whole: set[str] = field(default_factory=set)
    """Areas that a rule reads whole, so that all of their tables are read."""

    rules: dict[str, set[str]] = field(default_factory=dict)
    """Of each area the names of its rules, which are read like tables."""


def reads_of(bundle: Bundle) -> Reads:
    """
    What the rules of a bundle read.

    Raises:
        RegoUnreadableError, RegoTooDeepError: a module cannot be read.
    """
    found = Reads()
    for name, module in modules(bundle).items():
        area = "/".join(name.split("/")[1:-1])
        found.rules.setdefault(area, set()).update(rule.name.partition(".")[0] for rule in module.rules)
        _add(found, module)
    return found


def _add(found: Reads, module: Module) -> None:
    for one in module.imports:
        _note(found, tuple(one.path.split(".")), one.place, set())
    for rule in module.rules:
        seen: set[tuple[str, str]] = set()
        for reference in references(rule):
            _note(found, steps(reference), reference.place, seen)


def _note(found: Reads, path: tuple[str | None, ...], place: Place, seen: set[tuple[str, str]]) -> None:
    if path[:2] != ("data", "context") or len(path) < 3 or path[2] is None:
        return
    area, key = path[2], path[3] if len(path) > 3 else None
    if key is None:
        found.whole.add(area)
    elif (area, key) not in seen:
        seen.add((area, key))
        found.keys.setdefault(area, {}).setdefault(key, []).append(place)
