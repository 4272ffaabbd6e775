"""JSON records: which contents are one, and the names of their members as words."""

import json
import re

from typing import Final

from pydantic import JsonValue

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def record(content: JsonValue) -> JsonValue | None:
    """The JSON object or list that a content is, or that its text spells; None for any other text."""
    if not isinstance(content, str):
        return content
    if content.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(content)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        return None


def worded(name: str) -> str:
    """The name of a member as words: "dueDate" and "due_date" are "due Date" and "due date"."""
    return _HUMP.sub(" ", name).replace("_", " ")
