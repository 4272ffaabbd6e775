"""
What is written in a text but not to be read by people: encodings, ciphers, comments, hidden elements.

Each reading is a view of its own, mapped back to where it stands, and is read again in turn (two levels).  The work is
bounded: views per text, characters per view.
"""

import base64
import binascii
import codecs
import html
import re
import urllib.parse

from collections.abc import Callable, Iterator
from typing import Final

from adapters.screening.view import Builder, View

DEPTH: Final = 2
MOST_VIEWS: Final = 24
MOST_CHARACTERS: Final = 100_000
SHORTEST: Final = 6
"""Bounds on the readings of one text; a reading of fewer characters says nothing."""

ENCODED: Final = frozenset(
    {"base64", "hex", "binary", "percent", "escapes", "rot13", "reversed", "spaced", "entities", "tags"}
)
"""Readings that were spelled so that people would not read them."""

HIDDEN: Final = frozenset({"comment", "hidden", "title"})
"""Readings that a page does not show."""


def readings(view: View, depth: int = DEPTH) -> list[View]:
    """Everything that is written in a view in another way, the nearest first."""
    found: list[View] = []
    if depth == 0:
        return found
    for read in _READERS:
        for one in read(view):
            if len(found) >= MOST_VIEWS:
                return found
            if len(one.text.strip()) >= SHORTEST:
                found.append(one)
    deeper = [inner for one in found if len(one.text) <= MOST_CHARACTERS for inner in readings(one, depth - 1)]
    return (found + deeper)[:MOST_VIEWS]


_BASE64: Final = re.compile(
    r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{12,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]{4,})*={0,2}(?![A-Za-z0-9+/_-])"
)
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9A-Fa-f]{2}[ :,]?){8,}(?![0-9A-Za-z])")
_BINARY: Final = re.compile(r"(?<![01])(?:[01]{8}[ ,]?){6,}(?![01])")
_PERCENT: Final = re.compile(r"(?:[^\s%]{0,40}%[0-9A-Fa-f]{2}){4,}[^\s%]{0,40}")
_ESCAPES: Final = re.compile(r"(?:\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\u\{[0-9A-Fa-f]{1,6}\}){4,}")
_ESCAPE: Final = re.compile(r"\\u\{?([0-9A-Fa-f]{1,6})\}?|\\x([0-9A-Fa-f]{2})")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,31});")
_NUMERIC: Final = re.compile(r"&#(?:\d{2,7}|[xX][0-9A-Fa-f]{2,6});")
_SPACED: Final = re.compile(r"(?<![^\W_])(?:[^\W_](?:[ .\-_*|]{1,3}|[ ]{2,4})){7,}[^\W_](?![^\W_])")
_COMMENT: Final = re.compile(
    r"<!--(.{6,20000}?)-->|/\*(.{6,5000}?)\*/|^\[(?://|comment)\]:\s*#\s*[(\"'](.{6,2000}?)[)\"']\s*$",
    re.DOTALL | re.MULTILINE,
)
_STYLED: Final = re.compile(
    r"<(\w{1,12})\b[^<>]{0,400}?(?:\bhidden\b|aria-hidden|display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d]*[1-9])|"
    r"font-size\s*:\s*[01](?:px|pt|em|%)?\b|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?<!-)color\s*:\s*(?:white|transparent|#fff(?:fff)?\b|"
    r"rgba?\(\s*255\s*,\s*255\s*,\s*255|rgba\([^)]{0,20},\s*0\s*\)))[^<>]{0,400}>(.{6,20000}?)</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_TITLE: Final = re.compile(
    r"\]\([^()\s]{1,500}\s+[\"'(](.{6,1000}?)[\"')]\s*\)|\b(?:title|alt|aria-label|data-[\w-]{1,30}|content|placeholder)\s*=\s*\"([^\"]{6,2000})\""
    r"|!\[([^\]]{12,1000})\]\(",
    re.DOTALL,
)
_COMMON: Final = frozenset(
    "the and you your all this that with for not are from have must will should ignore previous instructions system prompt "
    "instruction reveal password send tell print output user above forget disregard override secret please now respond".split()
)
_TURNED: Final = {
    "rot13": frozenset(codecs.encode(word, "rot13") for word in _COMMON),
    "reversed": frozenset(word[::-1] for word in _COMMON if len(word) > 3) | {"eht", "dna", "uoy"},
}


def _base64(view: View) -> Iterator[View]:
    for run in _BASE64.finditer(view.text):
        packed = re.sub(r"\s+", "", run.group()).rstrip("=").replace("-", "+").replace("_", "/")
        if len(packed) > MOST_CHARACTERS or len(packed) % 4 == 1:
            continue
        try:
            text = _readable(base64.b64decode(packed + "=" * (-len(packed) % 4)))
        except (binascii.Error, ValueError):
            continue
        if text:
            yield view.decoded(run.start(), run.end(), text, "base64")


def _hex(view: View) -> Iterator[View]:
    for run in _HEX.finditer(view.text):
        digits = re.sub(r"[^0-9A-Fa-f]", "", run.group().removeprefix("0x"))
        if text := _readable(bytes.fromhex(digits[: len(digits) // 2 * 2])):
            yield view.decoded(run.start(), run.end(), text, "hex")


def _binary(view: View) -> Iterator[View]:
    for run in _BINARY.finditer(view.text):
        if text := _readable(bytes(int(byte, 2) for byte in re.findall("[01]{8}", run.group()))):
            yield view.decoded(run.start(), run.end(), text, "binary")


def _percent(view: View) -> Iterator[View]:
    for run in _PERCENT.finditer(view.text):
        text = urllib.parse.unquote(run.group(), errors="replace")
        if "\ufffd" not in text:
            yield view.decoded(run.start(), run.end(), text, "percent")


def _escapes(view: View) -> Iterator[View]:
    for run in _ESCAPES.finditer(view.text):
        points = [int(one or two, 16) for one, two in _ESCAPE.findall(run.group())]
        text = "".join(chr(point) for point in points if point < 0x110000 and not 0xD800 <= point < 0xE000)
        yield view.decoded(run.start(), run.end(), text, "escapes")


def _entities(view: View) -> Iterator[View]:
    if len(_NUMERIC.findall(view.text)) < 3:
        return
    builder, done = Builder(view), 0
    for entity in _ENTITY.finditer(view.text):
        builder.copy(done, entity.start())
        builder.write(html.unescape(entity.group()), entity.start(), entity.end())
        done = entity.end()
    builder.copy(done, len(view.text))
    yield builder.view("entities")


def _spaced(view: View) -> Iterator[View]:
    for run in _SPACED.finditer(view.text):
        builder, written = Builder(view), 0
        for letter in re.finditer(r"[^\W_]", run.group()):
            place = run.start() + letter.start()
            if written and place - written > 2:
                builder.write(" ", written, place)
            builder.copy(place, place + 1)
            written = place + 1
        yield builder.view("spaced")


def _turned(name: str, turn: Callable[[str], str]) -> Callable[[View], Iterator[View]]:
    words = _TURNED[name]

    def read(view: View) -> Iterator[View]:
        for line in re.finditer(r"[^\n]{12,}", view.text):
            seen = set(re.findall(r"[a-z]{3,}", line.group().lower()))
            if len(seen & words) >= 2 and len(seen & words) > len(seen & _COMMON):
                yield view.decoded(line.start(), line.end(), turn(line.group()), name)

    return read


def _parts(pattern: re.Pattern[str], name: str) -> Callable[[View], Iterator[View]]:
    def read(view: View) -> Iterator[View]:
        if pattern is not _COMMENT and "<" not in view.text and "](" not in view.text:
            return
        for match in pattern.finditer(view.text):
            group = match.lastindex or 0
            yield view.cut(match.start(group), match.end(group), name)

    return read


def _readable(raw: bytes) -> str:
    """The bytes as text, if they are one: UTF-8, printable, mostly letters and spaces."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    if len(text) < SHORTEST or not all(character.isprintable() or character in "\n\r\t" for character in text):
        return ""
    plain = sum(character.isalnum() or character in " .,@:-_{}\"'\n" for character in text)
    return text if plain >= 0.9 * len(text) else ""


_READERS: Final = (
    _parts(_COMMENT, "comment"),
    _parts(_STYLED, "hidden"),
    _parts(_TITLE, "title"),
    _entities,
    _base64,
    _hex,
    _binary,
    _percent,
    _escapes,
    _spaced,
    _turned("rot13", lambda line: codecs.encode(line, "rot13")),
    _turned("reversed", lambda line: line[::-1]),
)
