"""
Results of tools against the JSON Schemas that their servers offered and an officer accepted.

Rules held here: a schema refers to nothing outside itself and to nothing that contains it; its patterns run in linear time; how often
its parts can be applied to a result is bounded, by its size written out and by the number and the length of values, before anything is checked.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, RegexOptions, ValidationError
from pydantic import JsonValue

MOST_PARTS: Final = 2_000
"""Schemas that one consists of, with what it refers to written out each time."""

MOST_STEPS: Final = 5_000_000
"""Schemas times values, and lengths of texts: more are not looked at, which would take longer than a second."""

_TEXT: Final = 50
"""Characters that cost as much as one value."""

_MOST_PATTERN: Final = 1_000_000
"""Bytes that a pattern may take once compiled."""

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_REFUSED: Final = frozenset({"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$anchor", "$id", "$vocabulary"}) | {
    "unevaluatedItems",
    "unevaluatedProperties",
}
"""Words with which a schema may mean something that stands elsewhere, and those that apply parts of it once more."""

_ONE: Final = frozenset({"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"})
_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAPS: Final = frozenset({"dependentSchemas", "patternProperties", "properties"})
"""Words of JSON Schema whose values are one schema, a list of them, and schemas by name."""


class SchemaRefusedError(Exception):
    """No results can be checked against the schema."""


class ResultSchema:
    """A schema that results are checked against."""

    def __init__(self, document: Mapping[str, JsonValue]) -> None:
        """
        Raises:
            SchemaRefusedError: it is no JSON Schema 2020-12, may cost too much, or refers to something outside itself.
        """
        if document.get("$schema", _DRAFT) not in {_DRAFT, f"{_DRAFT}#"}:
            raise SchemaRefusedError("the schema is of another draft than 2020-12")
        self._parts = _Parts(document).count()
        try:
            options = RegexOptions(size_limit=_MOST_PATTERN, dfa_size_limit=_MOST_PATTERN)
            self._validator = Draft202012Validator(dict(document), pattern_options=options, offline=True)
        except (ValidationError, ValueError) as error:
            raise SchemaRefusedError("the schema is no JSON Schema 2020-12") from error

    def fits(self, content: JsonValue) -> bool:
        """Whether a result is as the schema says; one that would take too long to be looked at is not."""
        most = MOST_STEPS // self._parts
        return _weight(content, most) <= most and self._validator.is_valid(content)


def _weight(content: JsonValue, most: int) -> int:
    """How many values there are, a long text counting for more, as patterns read it; counted no further than *most*."""
    waiting, weight = [content], 0
    while waiting and weight <= most:
        value = waiting.pop()
        weight += 1
        if isinstance(value, dict):
            waiting.extend(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, str):
            weight += len(value) // _TEXT
    return weight


class _Parts:
    """Counts the schemas of one, each as often as it is referred to."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._counted: dict[str, int] = {}

    def count(self) -> int:
        try:
            return self._of(self._document, ())
        except RecursionError as error:
            raise SchemaRefusedError("the schema is nested too deeply") from error

    def _of(self, schema: object, within: tuple[str, ...]) -> int:
        if not isinstance(schema, Mapping):
            return 1
        if not _REFUSED.isdisjoint(schema):
            raise SchemaRefusedError("the schema has a word whose cost or meaning depends on more than the schema")
        total = 1 + sum(self._of(one, within) for one in _inside(schema))
        if "$ref" in schema:
            total += self._referred(schema["$ref"], within)
        if total > MOST_PARTS:
            raise SchemaRefusedError(f"the schema has more than {MOST_PARTS} parts once it is written out")
        return total

    def _referred(self, name: object, within: tuple[str, ...]) -> int:
        kept, _, key = str(name).rpartition("/")
        if kept not in {"#/$defs", "#/definitions"} or name in within:
            raise SchemaRefusedError("the schema refers to itself, or to something outside its definitions")
        if str(name) not in self._counted:
            found = self._document.get(kept.removeprefix("#/"), {})
            if not isinstance(found, Mapping) or key not in found:
                raise SchemaRefusedError("the schema refers to a definition that it does not have")
            self._counted[str(name)] = self._of(found[key], (*within, str(name)))
        return self._counted[str(name)]


def _inside(schema: Mapping[str, Any]) -> Iterator[object]:
    for word, value in schema.items():
        if word in _ONE:
            yield value
        elif word in _LISTS and isinstance(value, list):
            yield from value
        elif word in _MAPS and isinstance(value, Mapping):
            yield from value.values()
