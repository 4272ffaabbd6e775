"""
The JSON Schemas of all tables and cases of a bundle as editors take them, with the words that the bundle knows as choices.

They are written from what the gateway itself reads: the schema beside each area's tables, the types of the registry, the types of
what policy is told, and the list of which entries are names.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

from pydantic import TypeAdapter

from gateway.model import Registry
from gateway.model.contract import Schema
from gateway.policy.bundle import Bundle
from gateway.policy.registry import BY_ID, TABLES
from gateway.policy.supply.tables import read_json
from gateway.policy.vetting.case_schema import change_schema
from gateway.policy.vetting.cases import PARTS
from gateway.policy.vetting.matrix import ALLOWED
from gateway.policy.vetting.names import NAMED, all_codes, vocabulary
from gateway.policy.vetting.schemas import FILE
from gateway.policy.vetting.words import KEYS
from gateway.workbench.proving.invariants import Invariant
from gateway.workbench.publishing.table_schemas import DIALECT

_TEXT: Final = {"type": "string", "minLength": 1}


def published(bundle: Bundle) -> dict[str, dict[str, Any]]:
    """Each schema by the name of its file: `context/<area>.json`, `registry/<table>.json`, those of cases and of invariants."""
    known = vocabulary(bundle)
    found = {f"registry/{table}.json": _registry(table) for table in TABLES}
    for name, text in bundle.others.items():
        if name.endswith(f"/{FILE}"):
            found[f"{name.removesuffix(f'/{FILE}')}.json"] = read_json(text)
    for name, schema in found.items():
        _choose(schema, tuple(name.removesuffix(".json").split("/")), known)
        _own_words(schema, known)
    change = deepcopy(change_schema())
    _own_words(change, {})
    codes = sorted(all_codes(bundle))
    cases = {"cases.json": _cases(change, codes), "cases.base.json": {"$schema": DIALECT, **change}}
    return {**found, **cases, "invariants.json": _invariants()}


def _invariants() -> dict[str, Any]:
    listed = {"type": "array", "items": {"$ref": "#/$defs/Invariant"}}
    one = TypeAdapter(Invariant).json_schema()
    kinds = one.pop("$defs", {})
    return {
        "$schema": DIALECT,
        "title": "Invariants of a bundle",
        **_object({"invariants": listed}, ["invariants"]),
        "$defs": {**kinds, "Invariant": one},
    }


def _registry(table: str) -> dict[str, Any]:
    kind: Any = dict[str, Schema] if table == "outputs" else Registry.model_fields[table].annotation
    schema: dict[str, Any] = TypeAdapter(kind).json_schema()
    if table in BY_ID:
        # The key is the id: an entry does not say it again.
        entry = _resolved(schema["additionalProperties"], schema)
        entry["properties"].pop("id", None)
        entry["required"] = [name for name in entry.get("required", ()) if name != "id"]
    return {"$schema": DIALECT, "title": f"The registry's {table}", **schema}


def _resolved(schema: dict[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    named = schema.get("$ref")
    found: dict[str, Any] = whole["$defs"][named.rpartition("/")[2]] if named else schema
    return found


def _choose(schema: dict[str, Any], table: tuple[str, ...], known: Mapping[str, frozenset[str]]) -> None:
    """Put the words that the bundle knows where an entry must be one of them."""
    for pattern, kind in NAMED.items():
        steps = tuple(pattern.split("/"))
        if steps[:2] == table and kind in known:
            _put(schema, steps[2:], sorted(known[kind]), schema)


def _put(here: dict[str, Any], steps: tuple[str, ...], words: list[str], whole: Mapping[str, Any]) -> None:
    here = _resolved(here, whole)
    if not steps:
        here["enum"] = [*words, None] if "null" in here.get("type", ()) else words
    elif steps == (KEYS,):
        here["propertyNames"] = {"enum": words}
    else:
        for inside in _below(here, steps[0]):
            _put(inside, steps[1:], words, whole)


def _below(here: Mapping[str, Any], step: str) -> Iterable[dict[str, Any]]:
    rest = [here.get("additionalProperties"), here.get("items")]
    inside = [*here.get("properties", {}).values(), *rest] if step == "*" else [here.get("properties", {}).get(step)]
    return [one for one in inside if isinstance(one, dict)]


def _own_words(schema: dict[str, Any], known: Mapping[str, frozenset[str]]) -> None:
    """Say in words of JSON Schema what the gateway's own words say."""
    waiting: list[Any] = [schema]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            kind = here.get("x-names")
            if isinstance(kind, str):
                del here["x-names"]
                here.update({"enum": sorted(known[kind])} if kind in known else {})
            waiting += here.values()
            if here.get("format") == "date":
                del here["format"]
                here["anyOf"] = [{"format": "date"}, {"format": "date-time"}]
        elif isinstance(here, list):
            waiting += here


def _cases(change: dict[str, Any], codes: list[str]) -> dict[str, Any]:
    listed = {"type": "array", "items": {"enum": codes}, "uniqueItems": True}
    said: dict[str, Any] = {
        "case": {**_TEXT, "description": "What the case is about, in plain words; no two cases have one name."},
        "change": {"$ref": "#/$defs/change", "description": "What differs from cases.base.yaml."},
        "answers": {"type": "object", "description": "By rule of the area, what it answers, in any order."},
        "unknown": {"type": "array", "description": "Values of the change that no table lists, on purpose."},
    }
    allowed = _object(said, ["case", "change"])
    coded = _object({**said, "codes": listed}, ["case", "change", "codes"])
    parts = {part: {"type": "array", "items": allowed if part == ALLOWED else coded} for part in PARTS}
    cells = {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"anyOf": [{"enum": [ALLOWED, *codes]}, listed]}},
    }
    either = {
        "type": ["string", "object"],
        "description": "The path of a fact, such as subject.role, or by name what each changes.",
    }
    matrix = _object(
        {
            **{name: said[name] for name in ("case", "change", "unknown")},
            "rows": either,
            "columns": {"type": "object"},
            "cells": cells,
        },
        ["case", "rows", "columns", "cells"],
    )
    top = {
        "area": _TEXT,
        **parts,
        "matrix": {"type": "array", "items": matrix},
        "nothing_known": _object({"codes": listed}, ["codes"]),
    }
    return {
        "$schema": DIALECT,
        "title": "Cases of an area",
        **_object(top, ["area", "allowed", "nothing_known"]),
        "$defs": {"change": change},
    }


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}
