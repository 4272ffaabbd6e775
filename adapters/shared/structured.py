"""
What a foreign system answered, as content of an item: a JSON object within bounds that has one canonical form.

Rule held here: as strictly as what a caller sends; what has no canonical form could be neither signed nor put on record.
"""

import json

from typing import Final

from pydantic import JsonValue

from gateway.content.parsing import parse_json
from gateway.errors import BodyError, SourceMalformedError, SourceTooLargeError, TooLargeError

_DEEPEST: Final = 64
"""Levels of what a source answers, at most."""

MOST_VALUES: Final = 20_000
"""Values of what a tool answers, at most."""


def structured(body: bytes, *, most_bytes: int, source: str) -> dict[str, JsonValue]:
    """
    The object that the bytes stand for.

    Args:
        body: JSON.
        most_bytes: of it.
        source: id of who sent it.

    Raises:
        SourceTooLargeError: it is larger, or consists of too many values.

        SourceMalformedError: it is no object, or no JSON that means the same to everybody.
    """
    if len(body) > most_bytes:
        raise SourceTooLargeError(f"source {source} answered with more than {most_bytes} bytes")
    try:
        document = parse_json(body, depth=_DEEPEST, values=MOST_VALUES)
    except TooLargeError as error:
        raise SourceTooLargeError(f"source {source} answered with too many values") from error
    except BodyError as error:
        raise SourceMalformedError(f"source {source} answered with something that is not JSON") from error
    if not isinstance(document, dict):
        raise SourceMalformedError(f"source {source} answered with something that is not an object")
    return document


def structured_value(value: object, *, most_bytes: int, source: str) -> tuple[dict[str, JsonValue], int]:
    """
    The object that somebody else has parsed, and about how many bytes it has; its members keep their order.

    Raises:
        SourceTooLargeError, SourceMalformedError: as `structured` says.
    """
    try:
        body = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SourceMalformedError(f"source {source} answered with something that is not JSON") from error
    return structured(body, most_bytes=most_bytes, source=source), len(body)


def values_in(content: JsonValue, most: int) -> int:
    """How many values a content consists of; counted no further than it takes to know that there are more than *most*."""
    waiting, count = [content], 0
    while waiting and count <= most:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return count
