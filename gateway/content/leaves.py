"""
Content as text, leaf by leaf.

Text has one leaf.  JSON has one for every string and number, named by its JSON Pointer (RFC 6901), with
the name of its field beside it, so that it can be screened and changed value by value with its shape
intact.  Names of fields are apart from values: they repeat, and are looked at once for each that differs.
"""

import json

from collections import ChainMap
from collections.abc import Callable, Iterator
from typing import Final

from pydantic import JsonValue

from gateway.content.unique import unique
from gateway.model.content import Leaf, content_text

OF_NAME: Final = "~name"
"""Ends the path of a leaf that is the name of a field and not its value; no JSON Pointer ends so."""

_MOST_WRITTEN: Final = 32
"""Characters of paths for each of a text: one with a name of 100 KB above 50,000 values is screened as plain text."""


def leaves(content: JsonValue) -> list[Leaf]:
    """Every value in the content as text; a text that is a JSON document counts as that document."""
    return list(_leaves(_document(content), "", ""))


def leaves_and_names(content: JsonValue) -> list[Leaf]:
    """Every value and every name of a field in the content as text, for who looks at one content alone."""
    return [*leaves(content), *(Leaf(name, path) for name, path in names(content).items())]


def is_document(content: JsonValue) -> bool:
    """Whether the content is a JSON value, or a text that spells a JSON object or array, whatever it is said to be."""
    return not isinstance(_document(content), str)


def names(content: JsonValue) -> dict[str, str]:
    """Every name of a field in the content that differs, with the path of the first that has it."""
    found: dict[str, str] = {}
    for path, name in _names(_document(content), ""):
        found.setdefault(name, path + OF_NAME)
    return found


def _names(value: JsonValue, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, member in value.items():
            here = f"{path}/{escaped(name)}"
            yield here, name
            yield from _names(member, here)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _names(member, f"{path}/{index}")


def _document(content: JsonValue) -> JsonValue:
    """The JSON object or array that a text spells, else the content as it is."""
    if not isinstance(content, str) or content.lstrip()[:1] not in {"{", "["}:
        return content
    try:
        document: JsonValue = json.loads(content, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        return content
    return document if _written(document) <= _MOST_WRITTEN * len(content) else content


def _written(document: JsonValue) -> int:
    """How long the paths of all values are, taken together."""
    pending, size = [(document, 0)], 0
    while pending:
        value, length = pending.pop()
        size += length
        if isinstance(value, dict):
            pending += [(member, length + len(name)) for name, member in value.items()]
        elif isinstance(value, list):
            pending += [(member, length + 6) for member in value]
    return size


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """An object; one with a name twice would lose a value, so its document is screened as plain text."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("an object names a key twice")
    return dict(pairs)


def _leaves(value: JsonValue, path: str, key: str) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _leaves(member, f"{path}/{escaped(name)}", name)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _leaves(member, f"{path}/{index}", key)
    elif isinstance(value, str):
        yield Leaf(value, path, key)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Leaf(json.dumps(value), path, key)


def replace_leaves(content: JsonValue, change: Callable[[str, str], str | None]) -> JsonValue:
    """
    The content with leaves changed and its shape intact; a text that is a JSON document stays one.

    Args:
        content: text or JSON.
        change: given a leaf's path and text, the new text, or None to keep the value as it is.
    """
    document = _document(content)
    changed = _replace(document, "", change)
    return content_text(changed) if isinstance(content, str) and not isinstance(document, str) else changed


def _replace(value: JsonValue, path: str, change: Callable[[str, str], str | None]) -> JsonValue:
    if isinstance(value, dict):
        return _replaced_object(value, path, change)
    if isinstance(value, list):
        return [_replace(member, f"{path}/{index}", change) for index, member in enumerate(value)]
    if value is None or isinstance(value, bool):
        return value
    changed = change(path, value if isinstance(value, str) else json.dumps(value))
    return value if changed is None else changed


def _replaced_object(value: dict[str, JsonValue], path: str, change: Callable[[str, str], str | None]) -> JsonValue:
    replaced: dict[str, JsonValue] = {}
    for name, member in value.items():
        here = f"{path}/{escaped(name)}"
        shown = change(here + OF_NAME, name)
        # A name that is put in the place of another may not be one that a member has, whether before or after it:
        # the one would overwrite the other, and what is screened would lose a value.
        taken = replaced if shown is None else ChainMap(replaced, value)
        key = unique(name if shown is None else shown, taken, "'")
        replaced[key] = _replace(member, here, change)
    return replaced


def escaped(name: str) -> str:
    """A field's name as it stands in a JSON Pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
