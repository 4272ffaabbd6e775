"""
Content as text, leaf by leaf.

Text has one leaf.  JSON has one for every string and number, named by its JSON Pointer (RFC 6901), with
the name of its field beside it, so that it can be screened and changed value by value with its shape
intact.
"""

import hashlib
import json

from collections.abc import Callable, Iterator
from typing import Final

from pydantic import JsonValue

from gateway.ports import Leaf
from ledger.canonical import jcs

JSON_MEDIA_TYPE: Final = "application/json"


def content_bytes(content: JsonValue) -> bytes:
    """The bytes that stand for the content: text as UTF-8, JSON as RFC 8785."""
    return content.encode() if isinstance(content, str) else jcs(content)


def content_text(content: JsonValue) -> str:
    """The content as a model reads it: text as it is, JSON compact and in its own order."""
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def content_digest(content: JsonValue) -> str:
    """SHA-256 in hex, with text and JSON kept apart."""
    mark = b"text:" if isinstance(content, str) else b"json:"
    return hashlib.sha256(mark + content_bytes(content)).hexdigest()


def leaves(content: JsonValue) -> list[Leaf]:
    """Every piece of text in the content."""
    return list(_leaves(content, "", ""))


def _leaves(value: JsonValue, path: str, key: str) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _leaves(member, f"{path}/{_escape(name)}", name)
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from _leaves(member, f"{path}/{place}", key)
    elif isinstance(value, str):
        yield Leaf(value, path, key)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Leaf(json.dumps(value), path, key)


def replace_leaves(content: JsonValue, change: Callable[[str, str], str | None]) -> JsonValue:
    """
    The content with leaves changed and its shape intact.

    Args:
        content: text or JSON.
        change: given a leaf's path and text, the new text, or None to keep the value as it is.
    """
    return _replace(content, "", change)


def _replace(value: JsonValue, path: str, change: Callable[[str, str], str | None]) -> JsonValue:
    if isinstance(value, dict):
        return {name: _replace(member, f"{path}/{_escape(name)}", change) for name, member in value.items()}
    if isinstance(value, list):
        return [_replace(member, f"{path}/{place}", change) for place, member in enumerate(value)]
    if value is None or isinstance(value, bool):
        return value
    changed = change(path, value if isinstance(value, str) else json.dumps(value))
    return value if changed is None else changed


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
