"""
Where in a JSON text each of its values stands, character by character.

Detectors see a value; a person who asks where it was found sees the text.
"""

import json
import re

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gateway.content.leaves import OF_NAME, escaped

_SPACE: Final = re.compile(r"\s*")
_STRING: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_PIECE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_SCALAR: Final = re.compile(r"[^\s,\]}]+")


class Value(NamedTuple):
    """A string or number value, and where in the text each of its characters begins and ends."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text a stretch of the value stands."""
        return (self.starts[start], self.ends[end - 1]) if start < end else (0, 0)


def values(text: str) -> dict[str, Value]:
    """
    The string and number values of a JSON document by JSON Pointer, each with the way back to the text.

    The text must be a document that `json` accepts.
    """
    return dict(_Walker(text).value(""))


class _Walker:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def value(self, path: str) -> Iterator[tuple[str, Value]]:
        self._skip()
        sign = self._text[self._place]
        if sign == "{":
            yield from self._object(path)
        elif sign == "[":
            yield from self._array(path)
        elif sign == '"':
            yield path, self._string()
        else:
            match = _SCALAR.match(self._text, self._place)
            start, self._place = self._place, match.end() if match else len(self._text)
            places = range(start, self._place)
            yield path, Value(self._text[start : self._place], places, range(start + 1, self._place + 1))

    def _object(self, path: str) -> Iterator[tuple[str, Value]]:
        self._take()
        while not self._ends("}"):
            name = self._string()
            here = f"{path}/{escaped(name.text)}"
            yield here + OF_NAME, name
            self._take()
            yield from self.value(here)
            self._comma()

    def _array(self, path: str) -> Iterator[tuple[str, Value]]:
        self._take()
        offset = 0
        while not self._ends("]"):
            yield from self.value(f"{path}/{offset}")
            self._comma()
            offset += 1

    def _string(self) -> Value:
        self._skip()
        match = _STRING.match(self._text, self._place)
        if match is None:
            raise ValueError("a string was expected")
        self._place = match.end()
        pieces, starts, ends = [], [], []
        for piece in _PIECE.finditer(self._text, match.start(1), match.end(1)):
            letters = json.loads(f'"{piece.group()}"') if piece.group().startswith("\\") else piece.group()
            pieces.append(letters)
            starts += [piece.start()] * len(letters)
            ends += [piece.end()] * len(letters)
        return Value("".join(pieces), starts, ends)

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._place)
        self._place = match.end() if match else self._place

    def _take(self) -> None:
        """Step over a bracket or a colon."""
        self._skip()
        self._place += 1

    def _comma(self) -> None:
        self._skip()
        if self._text[self._place] == ",":
            self._place += 1

    def _ends(self, bracket: str) -> bool:
        self._skip()
        if self._text[self._place] == bracket:
            self._place += 1
            return True
        return False
