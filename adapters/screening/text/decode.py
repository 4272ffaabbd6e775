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
from itertools import pairwise
from typing import Final

from adapters.screening.text.markup import hidden
from adapters.screening.text.view import Builder, View

DEPTH: Final = 2
MAX_VIEWS: Final = 24
MAX_CHARACTERS: Final = 100_000
SHORTEST: Final = 6
"""Bounds on the readings of one text; a reading of fewer characters says nothing."""

_NESTED: Final = 5
"""How often a text may be packed over again."""

SPELLED: Final = 12
"""Letters written as numbers that make a disguise; pages write punctuation so by right."""

ENCODED: Final = frozenset(
    {"base64", "base32", "hex", "binary", "percent", "escapes", "rot13", "reversed", "spaced", "entities", "tags"}
)
"""Readings that were spelled so that people would not read them."""

HIDDEN: Final = frozenset({"comment", "hidden", "title", "attribute"})
"""Readings that a page does not show."""


def readings(view: View, depth: int = DEPTH) -> list[View]:
    """Everything that is written in a view in another way, the nearest first."""
    found: list[View] = []
    if depth == 0:
        return found
    for read in _READERS:
        for one in read(view):
            if len(found) >= MAX_VIEWS:
                return found
            if len(one.text.strip()) >= SHORTEST:
                found.append(one)
    deeper = [inner for one in found if len(one.text) <= MAX_CHARACTERS for inner in readings(one, depth - 1)]
    return (found + deeper)[:MAX_VIEWS]


_BASE64: Final = re.compile(
    r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{12,}(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]{4,})*={0,2}(?![A-Za-z0-9+/_-])"
)
_BASE32: Final = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z2-7]{13,}={0,6}(?![A-Za-z0-9+/_=-])")
_WHOLE: Final = re.compile(rb"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9A-Fa-f]{2}[ :,]?){8,}(?![0-9A-Za-z])")
_BINARY: Final = re.compile(r"(?<![01])(?:[01]{8}[ ,]?){6,}(?![01])")
_PERCENT: Final = re.compile(r"(?:[^\s%]{0,40}%[0-9A-Fa-f]{2}){4,}[^\s%]{0,40}")
_ESCAPES: Final = re.compile(r"(?:\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\u\{[0-9A-Fa-f]{1,6}\}){4,}")
_ESCAPE: Final = re.compile(r"\\u\{?([0-9A-Fa-f]{1,6})\}?|\\x([0-9A-Fa-f]{2})")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,31});")
_NUMERIC: Final = re.compile(r"&#(?:\d{2,7}|[xX][0-9A-Fa-f]{2,6});")
_SPACED: Final = re.compile(r"(?<![^\W_])(?:[^\W_](?:[ ]{4}|[ .\-_*|]{1,3}+)){7,}[^\W_](?![^\W_])")

_COMMON: Final = frozenset(
    "the and you your all this that with for not are from have must will should ignore previous instructions system prompt "
    "instruction reveal password send tell print output user above forget disregard override secret please now respond is it to of in on "
    "my me we be do what how can say write word give answer only out but was were been has had its they their which who when where "
    "there then than about into more some any every other would could may might shall use make new first".split()
)
_TURNED: Final = {
    "rot13": frozenset(codecs.encode(word, "rot13") for word in _COMMON),
    "reversed": frozenset(word[::-1] for word in _COMMON if len(word) > 3),
}


def _base64(view: View) -> Iterator[View]:
    for start, end, packed in _packed(view.text):
        layers = _layers(packed)
        if text := _readable(layers[-1]):
            yield view.decoded(start, end, text, "+".join(["base64"] * len(layers)))


def _layers(packed: bytes) -> list[bytes]:
    """What is packed several times over, unpacked as often: nothing stands around it, so no reading is lost by going on."""
    layers = [packed]
    while len(layers) < _NESTED and _WHOLE.fullmatch(layers[-1].strip()):
        inner = _unpacked(layers[-1].decode().strip())
        if inner is None:
            break
        layers.append(inner)
    return layers


def _base32(view: View) -> Iterator[View]:
    for run in _BASE32.finditer(view.text):
        packed = run.group().rstrip("=").upper()
        try:
            raw = base64.b32decode(packed + "=" * (-len(packed) % 8))
        except (binascii.Error, ValueError):
            continue
        if text := _readable(raw):
            yield view.decoded(run.start(), run.end(), text, "base32")


def _packed(text: str) -> Iterator[tuple[int, int, bytes]]:
    """Runs that decode: over several lines where they do together, else the first line."""
    for run in _BASE64.finditer(text):
        first = run.group().split("\n", 1)[0].rstrip()
        for written in dict.fromkeys((run.group(), first)):
            if (raw := _unpacked(written)) is not None:
                yield run.start(), run.start() + len(written), raw
                break


def _unpacked(written: str) -> bytes | None:
    packed = re.sub(r"\s+", "", written).rstrip("=").replace("-", "+").replace("_", "/")
    if len(packed) > MAX_CHARACTERS or len(packed) % 4 == 1:
        return None
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return None
    return raw if _readable(raw) else None


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
        # A lone surrogate cannot be written as UTF-8, and there is nothing beyond Unicode: one of either would fail the item.
        text = "".join(chr(point) for point in points if point < 0x110000 and not 0xD800 <= point < 0xE000)
        yield view.decoded(run.start(), run.end(), text, "escapes")


def _entities(view: View) -> Iterator[View]:
    spelled = _NUMERIC.findall(view.text)
    if len(spelled) < 3:
        return
    letters = sum(html.unescape(entity).isalnum() for entity in spelled)
    builder, done = Builder(view), 0
    for entity in _ENTITY.finditer(view.text):
        builder.copy(done, entity.start())
        builder.write(html.unescape(entity.group()), entity.start(), entity.end())
        done = entity.end()
    builder.copy(done, len(view.text))
    yield builder.view("entities" if letters >= SPELLED else "unescaped")


def _spaced(view: View) -> Iterator[View]:
    for run in _SPACED.finditer(view.text):
        letters = [run.start() + letter.start() for letter in re.finditer(r"[^\W_]", run.group())]
        gaps = [later - earlier for earlier, later in pairwise(letters)]
        usual = min(gaps)
        builder = Builder(view)
        for index, gap in zip(letters, [0, *gaps], strict=True):
            if gap > usual:  # a wider gap than between letters is between words
                builder.write(" ", index - 1, index)
            builder.copy(index, index + 1)
        yield builder.view("spaced")


def _turned(name: str, turn: Callable[[str], str]) -> Callable[[View], Iterator[View]]:
    words = _TURNED[name]

    def read(view: View) -> Iterator[View]:
        for line in re.finditer(r"[^\n.!?]{12,}", view.text):
            seen = set(re.findall(r"[a-z]{2,}", line.group().lower()))
            if len(seen & words) >= 2 and len(seen & words) > 2 * len(seen & _COMMON):
                yield view.decoded(line.start(), line.end(), turn(line.group()), name)

    return read


def _readable(raw: bytes) -> str:
    """The bytes as text, if they are one: UTF-8, printable, mostly letters and spaces."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    if len(text) < SHORTEST or not all(character.isprintable() or character in "\n\r\t" for character in text):
        return ""
    # Bytes of a key or an image are valid UTF-8 now and then, but hardly ever words as well.
    plain = sum(character.isalnum() or character in " .,@:-_{}\"'\n" for character in text)
    return text if plain >= 0.9 * len(text) else ""


_READERS: Final = (
    hidden,
    _entities,
    _base64,
    _base32,
    _hex,
    _binary,
    _percent,
    _escapes,
    _spaced,
    _turned("rot13", lambda line: codecs.encode(line, "rot13")),
    _turned("reversed", lambda line: line[::-1]),
)
