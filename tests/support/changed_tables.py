"""Tables of a bundle with one key changed, and what answers otherwise then."""

import json
import re

from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import regorus

from adapters.policy.programs import rule_of
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import NAMES
from gateway.workbench.cases import read_cases

Path = tuple[Any, ...]

WITH_IDS: Final = (
    *("agents", "contracts", "corpora", "domains", "models", "outputs", "purposes", "queries", "sources", "tools"),
)
"""Tables of the registry whose first members are ids."""

VOCABULARIES: Final = (
    ("context", "entitlement", "clearance"),
    ("context", "entitlement", "department_domains"),
    ("registry", "domains"),
    ("context", "trust", "sources"),
    ("context", "jurisdiction", "jurisdictions"),
    ("context", "contract", "contracts"),
    ("context", "pii", "strictness"),
    ("context", "pii", "types"),
)
"""Tables whose members are the words of one vocabulary, such as roles: what has them as members has rows."""

GONE: Final = object()

WORDS: Final[dict[str, list[Any]]] = {
    "kind": ["http"],
    "type": ["string"],
    "timeout_seconds": [1e-6],
    "priority": ["LOW"],
}
"""Other values of keys that have but a few, or of which only an extreme one matters, by the last part of the key."""


def keys_of(data: Mapping[str, Any]) -> dict[str, list[Path]]:
    """By key, with a star where rows of one table stand, all places where it has a value."""
    found: dict[str, list[Path]] = defaultdict(list)
    words = [set(value_at(data, path)) for path in VOCABULARIES]
    for name, path in _leaves(data, (), (), words):
        found["/".join(name)].append(path)
    return dict(found)


def _leaves(
    value: Any, name: tuple[str, ...], path: Path, words: list[set[str]]
) -> Iterator[tuple[tuple[str, ...], Path]]:
    if isinstance(value, dict) and value:
        rows = _rows(value, path, words)
        for key, inner in value.items():
            yield from _leaves(inner, (*name, "*" if rows else str(key)), (*path, key), words)
    elif isinstance(value, list) and any(isinstance(row, dict) for row in value):
        for index, row in enumerate(value):
            yield from _leaves(row, (*name, "*"), (*path, index), words)
    else:
        yield name, path


def _rows(value: Mapping[str, Any], path: Path, words: list[set[str]]) -> bool:
    """Whether the members are rows: by the registry's word, or since they are objects that have members in common."""
    if len(path) < 2:
        return False
    if path[0] == "registry" and len(path) == 2:
        return path[1] in WITH_IDS
    if path[:2] == ("registry", "outputs") and path[-1] == "properties":
        return True
    if path[:2] == ("registry", "tools") and path[-1] in {"properties", "arguments"}:
        return True
    if any(value.keys() <= vocabulary for vocabulary in words):
        return True
    members = [set(row) for row in value.values() if isinstance(row, dict)]
    if len(members) < len(value) or len(value) < 2:
        return False
    return any(one & other for index, one in enumerate(members) for other in members[index + 1 :])


def value_at(data: Mapping[str, Any], path: Path) -> Any:
    """What stands there."""
    value: Any = data
    for key in path:
        value = value[key]
    return value


def changes(value: Any) -> list[Any]:
    """Other values that a key may have, that it is gone among them."""
    if isinstance(value, bool):
        return [not value, GONE]
    if isinstance(value, int | float):
        return [GONE, 0, value * 3 + 1, value / 2]
    if isinstance(value, list):
        return [[], GONE, [*value, "another"], value[:1]]
    return [GONE, "another", {"another": 1}]


def others(data: Mapping[str, Any], paths: list[Path]) -> Iterator[dict[str, Any]]:
    """
    The tables in which a key has another value, or is gone: each way in which it may be otherwise in all rows at once, then each
    row with the value of another one, then single rows with the words that a key may have.
    """
    values = [value_at(data, path) for path in paths]
    for way in range(max(map(len, map(changes, values)))):
        yield _with(
            data, {path: changes(value)[way % len(changes(value))] for path, value in zip(paths, values, strict=True)}
        )
    turned = {path: _next_other(values, place) for place, path in enumerate(paths)}
    if any(turned[path] != value for path, value in zip(paths, values, strict=True)):
        yield _with(data, turned)
    for word in WORDS.get(str(paths[0][-1]), ()):
        yield _with(data, dict.fromkeys(paths, word))
        yield from (_with(data, {path: word}) for path in paths if len(paths) > 1)


def _next_other(values: list[Any], place: int) -> Any:
    """The value of the next row that has another one; the row's own where none has."""
    after = values[place + 1 :] + values[:place]
    return next((value for value in after if value != values[place]), values[place])


def _with(data: Mapping[str, Any], changed: Mapping[Path, Any]) -> dict[str, Any]:
    copy = deepcopy(dict(data))
    # From the last row on: where a member of a list goes, those before it stay where they are.
    for path, value in reversed(list(changed.items())):
        inner = value_at(copy, path[:-1])
        if value is GONE:
            del inner[path[-1]]
        else:
            inner[path[-1]] = value
    return copy


class Tables:
    """Rules compiled once, which are asked with other tables each time."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        program = regorus.Program.compile_from_modules(
            json.dumps(bundle.data), list(bundle.modules.items()), [rule_of(name) for name in NAMES]
        )
        self._machine = regorus.Rvm()
        self._machine.load_program(program)
        asked: dict[tuple[str, str], str] = {}
        for case in read_cases(bundle):
            for entrypoint in case.entrypoints:
                asked.setdefault((entrypoint, json.dumps(case.facts)), case.area)
        self._asked = [(area, entrypoint, facts) for (entrypoint, facts), area in asked.items()]
        self._set(bundle.data)
        self._before = [self._ask(entrypoint, facts) for _, entrypoint, facts in self._asked]

    def answer_otherwise(self, data: Mapping[str, Any], first: set[str], *, also_others: bool = True) -> bool:
        """Whether any case is answered otherwise with these tables: those of the areas in *first*, then perhaps the others."""
        self._set(data)
        mine = [index for index, (area, *_) in enumerate(self._asked) if area in first]
        rest = [index for index, (area, *_) in enumerate(self._asked) if area not in first] if also_others else []
        return any(self._ask(*self._asked[index][1:]) != self._before[index] for index in [*mine, *rest])

    def _set(self, data: Mapping[str, Any]) -> None:
        self._machine.set_data_json(json.dumps(data))

    def _ask(self, entrypoint: str, facts: str) -> str:
        self._machine.set_input_json(facts)
        return str(self._machine.execute_entry_point(rule_of(f"context/{entrypoint}")))

    def areas_reading(self, path: Path) -> set[str]:
        """The areas whose rules name the table."""
        named = re.compile(rf"data\.{path[0]}(\.{path[1]}\b|\[)")
        return {file.split("/")[1] for file, rego in self.bundle.modules.items() if named.search(rego)}
