"""A first schema for the tables of an area, from what they say today, for their owner to make narrower."""

import json

from pathlib import Path
from typing import Any, Final

from gateway.errors import FieldInvalidError, NotFoundError
from gateway.policy.bundle import read_table
from gateway.policy.vetting.dates import is_date
from gateway.policy.vetting.schemas import FILE

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_COLUMNS: Final = 110
_KINDS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (dict, "object"),
    (list, "array"),
)


def write_schema(root: Path, area: str, *, anew: bool = False) -> Path:
    """
    Write `schema.json` beside the tables of an area.

    Args:
        root: the bundle's folder.
        area: whose tables.
        anew: whether a schema that is there is replaced.

    Raises:
        NotFoundError: there is no such area, or it has no tables.

        FieldInvalidError: it has a schema already.
    """
    folder = root / "context" / area
    tables = folder / "data.yaml"
    if not area.isidentifier() or not tables.is_file():
        raise NotFoundError(f"there is no area {area[:60]} with tables")
    if (folder / FILE).exists() and not anew:
        raise FieldInvalidError("the area has a schema; --anew replaces it", fields=[("area", "has a schema already")])
    (folder / FILE).write_text(text_of(inferred(area, read_table(tables.name, tables.read_bytes()))))
    return folder / FILE


def inferred(area: str, tables: dict[str, Any]) -> dict[str, Any]:
    """What a schema must have that these tables fit: every table is needed, and no other may stand there."""
    found = {
        "$schema": DIALECT,
        "title": f"Tables of {area}",
        "type": "object",
        "properties": {str(name): _of(value) for name, value in tables.items()},
        "required": [str(name) for name in tables],
        "additionalProperties": False,
    }
    return found if tables else {name: value for name, value in found.items() if name not in {"properties", "required"}}


def text_of(schema: dict[str, Any]) -> str:
    """A schema as it stands in its file: what fits stands on one line."""
    return _written(schema, 0, 0) + "\n"


def _written(value: object, depth: int, used: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or not value or 2 * depth + used + len(flat) < _COLUMNS:
        return flat
    names = {name: json.dumps(name, ensure_ascii=False) for name in value}
    inside = [f"{names[name]}: {_written(one, depth + 1, len(names[name]) + 3)}" for name, one in value.items()]
    indent = "  " * (depth + 1)
    return "{\n" + ",\n".join(f"{indent}{one}" for one in inside) + "\n" + "  " * depth + "}"


def _of(value: object) -> dict[str, Any]:
    if isinstance(value, dict):
        rows = [_of(one) for one in value.values()]
        return {"type": "object", "additionalProperties": _joined(rows)} if rows else {"type": "object"}
    if isinstance(value, list):
        rows = [_record(one) if isinstance(one, dict) else _of(one) for one in value]
        return {"type": "array", "items": _joined(rows)} if rows else {"type": "array"}
    if isinstance(value, str) and is_date(value):
        return {"type": "string", "format": "date"}
    return {"type": next((name for kind, name in _KINDS if isinstance(value, kind)), "null")}


def _record(row: dict[str, Any]) -> dict[str, Any]:
    """A line of a list: its fields have names, each with a meaning of its own."""
    fields = {str(name): _of(value) for name, value in row.items()}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _joined(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What fits all of these."""
    first, *others = rows
    for other in others:
        first = _both(first, other)
    return first


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    if one == other:
        return one
    if one.get("type") != other.get("type"):
        kinds = sorted({*_listed(one.get("type")), *_listed(other.get("type"))})
        return {"type": ["number"] if kinds == ["integer", "number"] else kinds}
    found: dict[str, Any] = {"type": one["type"]}
    for word in ("items", "additionalProperties"):
        both = [schema[word] for schema in (one, other) if isinstance(schema.get(word), dict)]
        found |= {word: _joined(both)} if both else {}
    if "properties" in one and "properties" in other:
        fields = {**one["properties"], **other["properties"]}
        shared = one["properties"].keys() & other["properties"].keys()
        found["properties"] = {
            name: _both(one["properties"][name], other["properties"][name]) if name in shared else schema
            for name, schema in fields.items()
        }
        found["required"] = [name for name in one["required"] if name in other["required"]]
        found["additionalProperties"] = False
    return found


def _listed(kind: object) -> list[str]:
    return [kind] if isinstance(kind, str) else list(kind) if isinstance(kind, list) else []
