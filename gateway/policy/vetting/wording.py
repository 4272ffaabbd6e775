"""What a validator of JSON Schema finds, in the words of whoever wrote the table."""

from collections.abc import Collection, Iterator
from typing import Any, Final

from jsonschema_rs import ValidationError

from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.places import Path
from gateway.policy.vetting.slips import Slip, date_slip

_KINDS: Final = {
    "object": "a table",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
_LONGEST: Final = 60
_BOUNDS: Final = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}
_SIZES: Final = {
    "minItems": ("the list is too short.", "It needs at least"),
    "maxItems": ("the list is too long.", "It may have at most"),
    "minLength": ("the text is too short.", "It needs at least"),
    "maxLength": ("the text is too long.", "It may have at most"),
    "minProperties": ("the table has too few entries.", "It needs at least"),
    "maxProperties": ("the table has too many entries.", "It may have at most"),
}


def slip_of(path: Path, error: ValidationError, fields: Collection[str]) -> Iterator[Slip]:
    """
    What a validator found.

    Args:
        path: of the value that it found it in.
        error: what it found.
        fields: that the schema has for that value.
    """
    kind: Any = error.kind
    word: str = kind.name
    value: Any = error.instance
    if word == "additionalProperties":
        for name in kind.unexpected:
            yield Slip((*path, name), f"there is no entry `{name[:_LONGEST]}` here.", hint(name, fields), key=True)
    elif word == "falseSchema":
        yield Slip(path, "there may be no entry here yet.", "Say in the schema what the entry is, or leave it out.")
    elif word == "propertyNames":
        name = str(kind.error.instance)
        yield from (Slip((*path, name), one.message, one.hint, key=True) for one in slip_of(path, kind.error, ()))
    elif word == "required":
        yield Slip(path, f"the entry `{kind.property}` is missing.", "Write it, as the shipped tables do.")
    elif word == "type":
        wanted = " or ".join(_KINDS.get(one, one) for one in kind.types)
        yield Slip(path, f"{shown(value)} should be {wanted}.", _meant(value, kind.types) or f"Write {wanted}.")
    elif word in {"enum", "const"}:
        listed = kind.options if word == "enum" else [kind.expected_value]
        options = [str(one) for one in listed if one is not None]
        yield Slip(path, f"{shown(value)} is none of what may stand here.", hint(value, options))
    elif word in _BOUNDS:
        yield Slip(path, f"{shown(value)} is out of range.", f"Write a number that is {_BOUNDS[word]} {kind.limit}.")
    elif word in _SIZES:
        said, needs = _SIZES[word]
        yield Slip(path, said, f"{needs} {kind.limit}.")
    elif word == "uniqueItems":
        yield Slip(path, "an entry stands twice in the list.", "Leave one of the two out.")
    elif word == "format" and kind.format == "date":
        yield date_slip(path, value)
    else:
        yield Slip(path, f"{shown(value)} is not as its schema says.", f"It should hold: {word}.")


def shown(value: object) -> str:
    """A value as an officer may have written it, in few characters."""
    if isinstance(value, bool) or value is None:
        return f"`{str(value).lower().replace('none', 'null')}`"
    if isinstance(value, str):
        return f'the text "{value[:_LONGEST]}"'
    return str(value)[:_LONGEST] if isinstance(value, int | float) else "a list or a table"


def _meant(value: object, kinds: Collection[str]) -> str:
    """Which number was meant by a text such as 80%; empty where nobody can tell."""
    if not isinstance(value, str) or not {"number", "integer"} & {*kinds}:
        return ""
    text = value.strip().removesuffix("%").strip()
    return f"Did you mean {text}, without quotes and signs?" if text.isascii() and text.isdecimal() else ""
