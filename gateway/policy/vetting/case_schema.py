"""
What a case may say of an input, as a JSON Schema: the types of all questions together, of which a case names what it changes.

One definition serves three: the running gateway, which refuses a case that names a fact that no question tells; editors, which
complete it; and `policies/schemas`, whose types are these.  Any fact may be null, since a case may take it away.
"""

from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from gateway.policy.entrypoints import ENTRYPOINTS

NAMED_FACTS: Final = {
    "agent": "agent",
    "agent/id": "agent",
    "agents": "agent",
    "archetype": "archetype",
    "corpus": "corpus",
    "data_classification": "classification",
    "department": "department",
    "domain": "domain or the shared one",
    "domains": "domain or the shared one",
    "jurisdiction": "jurisdiction",
    "jurisdictions": "jurisdiction",
    "purpose": "purpose",
    "purposes": "purpose",
    "role": "role",
    "section": "section",
    "source_type": "source type",
}
"""Facts that name something that the bundle's tables list, by their name wherever they stand, and of what."""

_Schema = dict[str, Any]


@cache
def change_schema() -> _Schema:
    """What differs from the input that every case starts from: facts of any question, none of which is needed."""
    found: _Schema = {}
    for entrypoint in ENTRYPOINTS:
        document = TypeAdapter(entrypoint.input).json_schema()
        found = _both(found, _plain(document, document.get("$defs", {}), ""))
    return found


def _plain(schema: _Schema, parts: dict[str, _Schema], name: str) -> _Schema:
    """A schema without references, alternatives and needs: what may stand there, or null."""
    if "$ref" in schema:
        return _plain(parts[schema["$ref"].rpartition("/")[2]], parts, name)
    if "anyOf" in schema:
        found: _Schema = {}
        for one in schema["anyOf"]:
            found = _both(found, _plain(one, parts, name))
        return found
    kind = schema.get("type")
    said: _Schema = {"type": [kind, "null"] if kind and kind != "null" else ["null"]}
    if "description" in schema and kind != "object":
        said["description"] = " ".join(schema["description"].split())
    if kind == "object":
        said["properties"] = {
            key: _plain(one, parts, f"{name}/{key}" if f"{name}/{key}" in NAMED_FACTS else key)
            for key, one in schema.get("properties", {}).items()
        }
        others = schema.get("additionalProperties", False)
        said["additionalProperties"] = _plain(others, parts, "") if isinstance(others, dict) else others
    elif kind == "array":
        said["items"] = _plain(schema.get("items", {}), parts, name)
    elif "enum" in schema:
        said["enum"] = [*schema["enum"], None]
    elif kind == "string" and name in NAMED_FACTS:
        said["x-names"] = NAMED_FACTS[name]
    return said


def _both(one: _Schema, other: _Schema) -> _Schema:
    """What either of two schemas has."""
    found = {**other, **one}
    found["type"] = sorted({*one.get("type", ()), *other.get("type", ())})
    if "properties" in one and "properties" in other:
        mine, theirs = one["properties"], other["properties"]
        found["properties"] = {
            key: _both(mine[key], theirs[key]) if key in mine and key in theirs else mine.get(key, theirs.get(key))
            for key in {**mine, **theirs}
        }
    if "items" in one and "items" in other:
        found["items"] = _both(one["items"], other["items"])
    if "enum" in one and "enum" in other:
        found["enum"] = list(dict.fromkeys([*one["enum"], *other["enum"]]))
    return found
