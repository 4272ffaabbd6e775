"""The content of an item: as bytes, text and digest, its leaves, what detectors find in them, what is to be changed,
and what it may not do where it is rendered.
"""

import hashlib
import json

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue, field_validator

from gateway.model.base import Model
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


@dataclass(frozen=True, slots=True)
class Leaf:
    """One piece of text within an item: all of a text, or one value of a JSON document."""

    text: str
    path: str = ""
    """JSON Pointer of the value; empty for a text."""

    key: str = ""
    """Name of the field that holds the value, or the nearest one above it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of text to change, in code points, and how."""

    start: int
    end: int
    type: str
    operator: str


class Finding(Model):
    """What a detector saw.  Never the text itself."""

    kind: Literal["pii", "injection", "rendering"]
    type: str
    """Entity type, such as SG_NRIC_FIN, or the name of the rule."""

    score: Annotated[float, Field(ge=0, le=1)]
    start: int
    """Offset in code points into the text of the leaf, inclusive."""

    end: int
    """Offset in code points, exclusive."""

    detector: str
    via: str = "text"
    """How it was seen: as plain text, by a field's name, or in a decoded view."""

    path: str = ""
    """JSON Pointer (RFC 6901) of the leaf; empty for text."""


class Rendering(Model):
    """What a text may not do where it is rendered, and where links may lead."""

    tokens: tuple[str, ...] = ()
    """Tokens of chat templates."""

    token_brackets: tuple[tuple[str, str], ...] = ()
    """What begins and ends other such tokens."""

    tags: tuple[str, ...] = ()
    """Tags of HTML that act even without an attribute."""

    hosts: tuple[str, ...] = ()
    """Hosts that links may lead to, in lower case; one that begins with a dot stands for all below it."""

    @field_validator("tokens", "tags")
    @classmethod
    def _says_something(cls, listed: tuple[str, ...]) -> tuple[str, ...]:
        if "" in listed:
            raise ValueError("must not be empty")
        return listed

    @field_validator("token_brackets")
    @classmethod
    def _brackets(cls, listed: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        if not all(first and last for first, last in listed):
            raise ValueError("must not be empty")
        return listed
