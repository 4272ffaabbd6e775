"""
From bytes to a request: strict where JSON parsers are lenient.

Refused, each with its own code and the field's name where there is one: too many bytes, text that is not
UTF-8, JSON that is not JSON, NaN and infinities, integers that are not exact everywhere, lone surrogates,
a key named twice, nesting beyond the limit, too many values, unknown fields, wrong types, labels with hidden characters,
repeated ids, oversize items.  Messages never quote values, nor names of members that are content.
"""

import json
import re

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from gateway.errors import (
    DuplicateItemError,
    DuplicateKeyError,
    FieldInvalidError,
    InvalidUtf8Error,
    ItemTooLargeError,
    LabelCharactersError,
    MalformedJsonError,
    NestingTooDeepError,
    NumberError,
    RequestTooLargeError,
    TooManyItemsError,
    UnknownFieldError,
)
from gateway.model import Candidate, PackRequest
from gateway.model.base import HIDDEN_CHARACTERS
from gateway.model.content import content_bytes
from gateway.model.request import RequestLimits
from ledger.canonical import MAX_INTEGER

_Shape = TypeVar("_Shape", bound=BaseModel)

_FIELD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,79}")
"""What a field may be called in a message; other names are somebody's words."""

_CONTENT: Final = "content"

MOST_VALUES: Final = 200_000
"""Values of one document.  The parsers of JSON do not let go of the interpreter: this many take them about 50 ms."""

_WRITTEN: Final = 160
"""Characters that the names above a value may have on average: each value that is screened is named by all of them."""

_MARKS: Final = (",", "[", "{")
"""Each stands before a value, but for the first of a document."""

_QUOTED: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)


def parse_request(body: bytes, limits: RequestLimits) -> PackRequest:
    """
    The request that the bytes stand for.

    Raises:
        BodyError, FieldInvalidError, TooLargeError: one of their kinds, by what is wrong.
    """
    if len(body) > limits.request_bytes:
        raise RequestTooLargeError(f"the request has more than {limits.request_bytes} bytes")
    document = parse_json(body, depth=limits.depth, values=limits.values)
    if isinstance(document, dict) and isinstance(document.get("items"), list):
        _check_count(document["items"], limits)
    request = shaped(PackRequest, document)
    for index, item in enumerate(request.items):
        if len(content_bytes(item.content)) > limits.item_bytes:
            raise ItemTooLargeError(
                f"an item has more than {limits.item_bytes} bytes",
                fields=[(f"items.{index}.content", f"must be at most {limits.item_bytes} bytes")],
            )
    check_distinct(request.items)
    return request


def _check_count(items: Sequence[object], limits: RequestLimits) -> None:
    if len(items) > limits.items:
        raise TooManyItemsError(
            f"there are {len(items)} items; at most {limits.items} are allowed",
            fields=[("items", f"must be at most {limits.items}")],
        )


def parse_json(body: bytes, *, depth: int, values: int = MOST_VALUES) -> object:
    """
    A JSON document.

    Raises:
        BodyError: one of its kinds.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidUtf8Error(f"the body is not UTF-8 at byte {error.start}") from error
    _check_marks(text, values)
    try:
        document = json.loads(text, object_pairs_hook=_distinct_keys, parse_constant=_no_constant)
    except RecursionError as error:
        raise NestingTooDeepError(f"the body is nested more than {depth} deep") from error
    except json.JSONDecodeError as error:
        raise MalformedJsonError(f"the body is not JSON: line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        raise NumberError("a number has too many digits") from error
    check_values(document, depth, _WRITTEN * values)
    return document


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise DuplicateKeyError("an object names the same key twice")
    return members


def _no_constant(name: str) -> NoReturn:
    raise NumberError(f"{name} is not a JSON number")


def _check_marks(text: str, values: int) -> None:
    """Whether there are too many values, told before they are made."""
    if sum(map(text.count, _MARKS)) < values:
        return
    # Many may stand within texts, where they are no values.
    count = position = 0
    while position < len(text):
        quote = text.find('"', position)
        end = len(text) if quote < 0 else quote
        count += sum(text.count(mark, position, end) for mark in _MARKS)
        if count >= values:
            raise RequestTooLargeError(f"the request has more than {values} values")
        quoted = _QUOTED.match(text, end)
        position = quoted.end() if quoted else end


def check_values(document: object, depth: int, written: int = _WRITTEN * MOST_VALUES) -> None:
    """
    Every value of the document, without recursion: depth, numbers, text, and how much its paths are in all.

    Raises:
        BodyError, RequestTooLargeError: one of them is not as a caller's may be.
    """
    pending: list[tuple[object, int, tuple[str | int, ...], int]] = [(document, 1, (), 0)]
    while pending:
        value, level, path, length = pending.pop()
        written -= length
        if written < 0:
            raise RequestTooLargeError("the names of fields are too long for the number of values below them")
        if isinstance(value, dict | list):
            if level > depth:
                raise NestingTooDeepError(
                    f"the body is nested more than {depth} deep", fields=[(dotted(path), "is nested too deeply")]
                )
            members = value.items() if isinstance(value, dict) else enumerate(value)
            for name, member in members:
                if isinstance(name, str):
                    _check_text(name, path)
                pending.append((member, level + 1, (*path, name), length + (len(name) if isinstance(name, str) else 8)))
        elif isinstance(value, str):
            _check_text(value, path)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            _check_number(value, path)


def _check_number(value: float, path: tuple[str | int, ...]) -> None:
    exact = abs(value) <= MAX_INTEGER if isinstance(value, int) else abs(value) != float("inf")
    if not exact:
        raise NumberError("a number is too large to be exact", fields=[(dotted(path), "is too large")])


def _check_text(text: str, path: tuple[str | int, ...]) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidUtf8Error(
            "a text holds a lone surrogate", fields=[(dotted(path), "holds a lone surrogate")]
        ) from error


def shaped(shape: type[_Shape], document: object) -> _Shape:
    """
    The document as a model.

    Raises:
        UnknownFieldError: the first thing wrong is a field that the model does not have.

        LabelCharactersError: a label holds characters that nobody sees, or that end a line.

        FieldInvalidError: a field is missing, or has the wrong type or value.
    """
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        unknown = [problem for problem in problems if problem["type"] == "extra_forbidden"]
        fields = [(dotted(problem["loc"]), problem["msg"]) for problem in [*unknown, *problems][:20]]
        fields = list(dict.fromkeys(fields))
        kind: Callable[..., FieldInvalidError] = UnknownFieldError if unknown else FieldInvalidError
        if not unknown and problems[0]["type"] == HIDDEN_CHARACTERS:
            kind = LabelCharactersError
        name, message = fields[0]
        raise kind(f"{name or 'the body'}: {message}", fields=fields) from None


def dotted(path: Sequence[str | int]) -> str:
    """The name of a field, such as ``items.3.provenance.version``; it ends at content, whose names are not the gateway's."""
    parts = [str(part) if isinstance(part, int) or _FIELD.fullmatch(part) else "…" for part in path]
    return ".".join(parts[: parts.index(_CONTENT) + 1] if _CONTENT in parts else parts)


def check_distinct(candidates: Sequence[Candidate]) -> None:
    """
    Refuse two items with one id, since a ruling must name exactly one.

    Raises:
        DuplicateItemError: names the place of the second.
    """
    seen: set[str] = set()
    for index, item in enumerate(candidates):
        if item.id in seen:
            raise DuplicateItemError(
                "two items have the same id", fields=[(f"items.{index}.id", "is the id of another item too")]
            )
        seen.add(item.id)
