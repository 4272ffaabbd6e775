"""What differs between two bundles, in words: rules, table rows and entries of the registry added, removed and changed."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle

REFITTED: Final = "What fits into a pack changes with the budgets; only decisions on items can be decided again."

_ENTRIES: Final = {
    "agents": "agent",
    "contracts": "contract",
    "domains": "domain",
    "models": "model",
    "purposes": "purpose",
    "sources": "source",
}
"""What an entry of a table of the registry is called."""

_FOLLOWS: Final = {
    "agents": " Requests that name it are refused.",
    "models": " Requests that name it are refused.",
    "purposes": " Requests that name it are refused.",
    "sources": " It vouches for nothing any more, and is not fetched from.",
}
"""What follows where an entry is removed."""

_PARTS: Final = {
    "archetypes": "budget of archetype",
    "authority_boost": "boost of authority tier",
    "library": "session library:",
    "overflow": "overflow step",
    "prompts": "prompt",
    "relevance_weight": "weight of relevance",
    "sections": "budget",
    "turn_decay": "weight of an earlier turn",
}
"""What a member of the tables `budgets` and `prompts` is called, where its name is not enough."""

_NAMES: Final = ("id", "kid", "name")
"""Members that say which of a list an entry is."""


def diff(old: Bundle, new: Bundle) -> list[str]:
    """One sentence for each difference; empty where both decide by the same text and tables."""
    return [
        *_rules(old, new),
        *_schemas(old, new),
        *_tables(_without_registry(old), _without_registry(new), ()),
        *_registry(old, new),
    ]


def registry_changes(old: Bundle, new: Bundle) -> list[str]:
    """One sentence for each difference of the two registries; empty where agents, budgets and the rest are the same."""
    sentences = list(_registry(old, new))
    before, after = (bundle.data.get("registry", {}).get("budgets") for bundle in (old, new))
    return [*sentences, REFITTED] if before != after else sentences


def _without_registry(bundle: Bundle) -> dict[str, Any]:
    return {name: table for name, table in bundle.data.items() if name != "registry"}


def _rules(old: Bundle, new: Bundle) -> Iterator[str]:
    for name in sorted(old.modules.keys() | new.modules.keys()):
        if name not in new.modules:
            yield f"{name} is removed."
        elif name not in old.modules:
            yield f"{name} is added."
        elif old.modules[name] != new.modules[name]:
            yield from _refusals(name, old.modules[name], new.modules[name])


def _schemas(old: Bundle, new: Bundle) -> Iterator[str]:
    for name in sorted(name for name in {*old.others, *new.others} if name.endswith("/schema.json")):
        if name not in new.others:
            yield f"{name} is removed: nothing says any more what the tables beside it may say."
        elif name not in old.others:
            yield f"{name} is added."
        elif old.others[name] != new.others[name]:
            yield f"{name}: what the tables beside it may say is described differently."


def _refusals(name: str, old: str, new: str) -> Iterator[str]:
    before = {block.code: block.fields for block in annotations(old) if block.code}
    after = {block.code: block.fields for block in annotations(new) if block.code}
    told = False
    for code in sorted(before.keys() | after.keys()):
        if code not in after:
            yield f"{name}: the refusal {code} ({before[code]['title']}) is removed."
        elif code not in before:
            yield f"{name}: the refusal {code} ({after[code]['title']}) is added: {after[code]['description'].strip()}"
        elif before[code] != after[code]:
            yield f"{name}: the refusal {code} ({after[code]['title']}) is described differently."
        else:
            continue
        told = True
    # By what the lines say, not by where they stand: what only moved decides the same.
    lines = [line for line in _code(new) if line not in _code(old)]
    gone = [line for line in _code(old) if line not in _code(new)]
    yield from (f"{name}: added: {line}" for line in lines)
    yield from (f"{name}: removed: {line}" for line in gone)
    if not (told or lines or gone):
        yield f"{name}: only comments or the order of lines differ."


def _code(rego: str) -> list[str]:
    return [line.strip() for line in rego.split("\n") if line.strip() and not line.startswith("#")]


def _tables(old: object, new: object, path: tuple[str, ...]) -> Iterator[str]:
    where = ".".join(path)
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys(), key=str):
            if key not in new:
                yield f"table {where}: the row {key} ({old[key]}) is removed."
            elif key not in old:
                yield f"table {where}: the row {key} is added: {new[key]}."
            else:
                yield from _tables(old[key], new[key], (*path, str(key)))
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"table {where}: {one} is removed." for one in old if one not in new)
        yield from (f"table {where}: {one} is added." for one in new if one not in old)
        if sorted(map(str, old)) == sorted(map(str, new)) and old != new:
            yield f"table {where}: the order changes to {new}."
    elif old != new:
        yield f"table {where}: {old} becomes {new}."


def _registry(old: Bundle, new: Bundle) -> Iterator[str]:
    before, after = (bundle.data.get("registry", {}) for bundle in (old, new))
    for table, word in _ENTRIES.items():
        yield from _entries(word, before.get(table, {}), after.get(table, {}), _FOLLOWS.get(table, ""))
    for table in sorted((before.keys() | after.keys()) - _ENTRIES.keys()):
        one, other = before.get(table, {}), after.get(table, {})
        for part in sorted(one.keys() | other.keys()):
            yield from _part(_PARTS.get(part, f"{table}: {part}"), one.get(part), other.get(part))


def _entries(word: str, old: Mapping[str, Any], new: Mapping[str, Any], follows: str) -> Iterator[str]:
    for name in sorted(old.keys() | new.keys(), key=str):
        if name not in new:
            yield f"{word} {name} is removed.{follows}"
        elif name not in old:
            yield f"{word} {name} is added: {_said(new[name])}."
        else:
            for field in _fields(old[name], new[name]):
                yield from _part(f"{word} {name}: {field}", old[name].get(field), new[name].get(field))


def _part(what: str, old: object, new: object) -> Iterator[str]:
    one, other = _named(old), _named(new)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        yield from _members(what, one, other)
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"{what}: {_said(value)} is removed." for value in old if value not in new)
        yield from (f"{what}: {_said(value)} is added." for value in new if value not in old)
        if old != new and sorted(map(str, old)) == sorted(map(str, new)):
            yield f"{what}: the order changes to {_said(new)}."
    elif old != new:
        yield f"{what}: {_said(old)} becomes {_said(new)}."


def _members(what: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(old.keys() | new.keys(), key=str):
        if name not in new:
            yield f"{what} {name} is removed: it was {_said(old[name])}."
        elif name not in old:
            yield f"{what} {name} is added: {_said(new[name])}."
        elif isinstance(old[name], dict) and isinstance(new[name], dict):
            for field in _fields(old[name], new[name]):
                yield from _part(f"{what} {name}: {field}", old[name].get(field), new[name].get(field))
        else:
            yield from _part(f"{what} {name}", old[name], new[name])
    if old.keys() == new.keys() and list(old) != list(new):
        yield f"{what}: the order changes to {_said(list(new))}."


def _named(value: object) -> object:
    """A list of entries by the name that each has; anything else as it is."""
    if not isinstance(value, list) or not value:
        return value
    for key in _NAMES:
        if all(isinstance(entry, dict) and isinstance(entry.get(key), str) for entry in value):
            return {entry[key]: entry for entry in value}
    return value


def _fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return sorted(old.keys() | new.keys(), key=str)


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_said(part)}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(_said, value)) or "none"
    return "nothing" if value is None else str(value)
