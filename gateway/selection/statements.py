"""
What a text or a record states in figures: of which thing, with which bound, under which conditions.

A text is read sentence by sentence and clause by clause; a JSON record member by member.  What held once, what came out, what might
be and what is an example is passed over.  Reading is one pass, over a bounded part of the content.
"""

import json
import re

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pydantic import JsonValue

from gateway.content.extract import sentences
from gateway.content.terms import DENIALS, NUMBERS, STOP, reworded, split, stem
from gateway.selection.figures import TOKEN, Figure, figures
from gateway.selection.vocabulary import (
    COMPARED,
    CURRENCIES,
    GENERIC,
    HIGH_BOUND,
    LOW_BOUND,
    MONTHS,
    NOT_IN_FORCE,
    NUMBERS_KINDS,
    NUMBERS_NOTHING,
    SAME,
    SIGNS,
    UNITS,
)

CHARACTERS: Final = 20_000
"""Of one item; what comes after is not read."""

STATEMENTS: Final = 120
"""Of one item; those after it are not compared."""

_SENTENCE: Final = 600
"""Characters of a sentence; a longer one is a table or no prose."""

_REMEMBERED: Final = 512
"""Texts of which it is remembered what they state: the same procedures come with request after request."""

_DEPTH: Final = 8
_RANGE: Final = re.compile(r"\bbetween ([^\s,;]{1,20}(?: [^\s,;]{1,12})?) and (?=\S)", re.IGNORECASE)
_LIST_MARK: Final = re.compile(r"^(?:\(?\w{1,3}[.)]|[-*\u2022])\s+")
_CODE: Final = re.compile(r"[A-Z]{2,}[\w/-]*|[A-Za-z]+[-/]\d[\w/-]*")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_VERBS: Final = frozenset(
    "must shall is are be has have may can should will within at by needs need requires require may cannot of that which".split()
)
_CONDITION: Final = ("if", "when", "where", "for", "once", "after", "unless", "in", "until")
_UNIT_OF_NAME: Final = {"percent": "%", "pct": "%", "percentage": "%", "bps": "bps", "bp": "bps"}
_HAS_FIGURE: Final = re.compile(
    r"\d|every|\bone\b|" + "|".join(sorted(NUMBERS)) + r"|dail|week|month|quarter|annual|year|noon", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A figure, and of what it is one."""

    kind: Literal["text", "record"]
    figure: Figure
    words: frozenset[str]
    """Stems of what it speaks of, without what any statement may have."""

    subject: frozenset[str]
    """Those that stand before the verb."""

    names: frozenset[str]
    """Words with a capital that they do not owe to the start of the sentence."""

    codes: frozenset[str]
    """Words with digits, in capitals alone, or of a numbered kind ("tier#2")."""

    bound: Literal["low", "high", ""]
    compared: bool
    """Whether something is held against the figure ("loans above 5 million") and does not have it."""

    around: frozenset[tuple[str, float, float]]
    """Other figures of the clause and of its conditions."""

    counted: frozenset[str]
    """What a count counts."""


@dataclass(frozen=True, slots=True)
class Read:
    """An item as far as it was read."""

    statements: tuple[Statement, ...]
    known: frozenset[str]
    """Of a record the stems of all its words, of a text its codes; and what its labels name."""


def read_item(content: JsonValue, labels: Sequence[str] = ()) -> Read:
    """
    What an item states.

    Args:
        content: text or JSON; a text that spells a JSON object counts as one.
        labels: names that the item has and its content may leave out, such as the entity it belongs to.
    """
    record = _record(content)
    read = _read_text(str(content)[:CHARACTERS]) if record is None else _read_record(record)
    return Read(read.statements, read.known | _known(labels))


@lru_cache(maxsize=_REMEMBERED)
def _read_text(text: str) -> Read:
    found = [one for sentence in sentences(text) for one in _of_sentence(sentence)]
    return Read(tuple(found[:STATEMENTS]), _known(_CODE.findall(text) if found else []))


def _known(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(_thing(token) for text in texts for token in TOKEN.findall(text[:CHARACTERS]))


@lru_cache(maxsize=10_000)
def _thing(token: str) -> str:
    """A word in the one spelling that stands for all that say the same."""
    found = stem(token.casefold())
    return SAME.get(found, found)


@dataclass(frozen=True, slots=True)
class _Clause:
    """The tokens of a clause and the figures among them."""

    tokens: list[str]
    low: list[str]
    figures: list[Figure]

    @property
    def in_force(self) -> bool:
        return NOT_IN_FORCE.isdisjoint(self.low)

    @property
    def condition(self) -> bool:
        return bool(self.low) and self.low[0] in _CONDITION


def _clause(text: str) -> _Clause:
    tokens = TOKEN.findall(text)
    return _Clause(tokens, [token.casefold() for token in tokens], figures(tokens))


def _of_sentence(sentence: str) -> Iterator[Statement]:
    # Most sentences have no figure, and need no look at each of their words.
    if len(sentence) > _SENTENCE or not _HAS_FIGURE.search(sentence):
        return
    said = _RANGE.sub(r"from \1 to ", reworded(_LIST_MARK.sub("", sentence)).replace("noon", "12:00"))
    parts = [_clause(part) for part in split(said)]
    if any(not NOT_IN_FORCE.isdisjoint(part.low) and not part.figures for part in parts):
        return
    for index, part in enumerate(parts):
        ended = index + 1 < len(parts) and _ends(parts[index + 1])
        if part.figures and part.in_force and not ended and not _of_itself(part):
            yield from _of_clause(parts, part)


def _ends(part: _Clause) -> bool:
    """Whether it is "until 2025" after a figure, which holds no longer."""
    return part.low[:1] == ["until"] and len(part.low) == 2 and part.low[1].isdecimal()


def _of_itself(part: _Clause) -> bool:
    """A document's date of itself is its label and no rule of its."""
    return "date" in {one.dimension for one in part.figures} and (
        "this" in part.low or part.low[0] in {"effective", "version", "reviewed", "approved", "published", "updated"}
    )


def _of_clause(parts: Sequence[_Clause], own: _Clause) -> Iterator[Statement]:
    others = [part for part in parts if part is not own and not part.figures]
    around = [(*one[:3],) for part in parts if part is not own and part.condition for one in part.figures]
    words = [word for part in (own, *others) for word in _words(part)]
    led_by = [
        word for part in parts[: parts.index(own) + 1] if part is own or not part.figures for word in _words(part)
    ]
    if len({word.thing for word in words}) < 2:
        # "Operations within 48 hours" after another clause has its verb from there, but not what that one is about.
        words += [word for part in parts for word in _words(part)[1:]]
    for figure in own.figures:
        bound, compared = _bound(own, figure)
        yield Statement(
            kind="text",
            figure=figure,
            words=frozenset(word.thing for word in words),
            # What follows in clauses of its own adds to what is said and is no subject of it.
            subject=frozenset(word.thing for word in led_by if word.before_verb),
            names=frozenset(word.thing for word in words if word.name),
            codes=frozenset(word.thing for word in words if word.code),
            bound=bound,
            compared=compared,
            around=frozenset([*around, *((one[:3]) for one in own.figures if one is not figure)]),
            counted=_counted(own, figure),
        )


@dataclass(frozen=True, slots=True)
class _Word:
    thing: str
    before_verb: bool
    name: bool
    code: bool


def _words(part: _Clause) -> list[_Word]:
    """The content words of a clause, without its figures and what any statement may have."""
    taken = {at for figure in part.figures for at in range(figure.start, figure.end)}
    found, before_verb = [], True
    for at, (token, low) in enumerate(zip(part.tokens, part.low, strict=True)):
        if at in taken or low in _VERBS:
            # A preposition at the start leads to the subject: "For the rates desk the limit is".
            before_verb = before_verb and (at == 0 or low == "of") and at not in taken
            continue
        word = _word(part, at, token, low, before_verb=before_verb)
        if word is not None:
            found.append(word)
    return found


def _word(part: _Clause, at: int, token: str, low: str, *, before_verb: bool) -> _Word | None:
    before = part.low[at - 1] if at else ""
    if before in NUMBERS_KINDS and (low[0].isdigit() or len(low) == 1 or low in NUMBERS):
        number = NUMBERS.get(low, low)
        return _Word(f"{before}#{number}", before_verb, name=False, code=True)
    if _names_part(part, at, low) or low in STOP or low in DENIALS or low in SIGNS or low[0].isdigit():
        return None
    thing = _thing(token)
    if thing in GENERIC or token in CURRENCIES or len(low) == 1 or low == "%":
        return None if token not in CURRENCIES else _Word(low, before_verb, name=False, code=True)
    has_digit = any(letter.isdigit() for letter in token)
    capital = token[0].isupper()
    return _Word(thing, before_verb, capital and at > 0, has_digit or (token.isupper() and len(token) > 1))


def _names_part(part: _Clause, at: int, low: str) -> bool:
    """Whether it is a part of a document by its number, "version 3", or that number."""
    after = part.low[at + 1] if at + 1 < len(part.low) else ""
    return (at > 0 and part.low[at - 1] in NUMBERS_NOTHING) or (low in NUMBERS_NOTHING and after[:1].isdigit())


def _bound(part: _Clause, figure: Figure) -> tuple[Literal["low", "high", ""], bool]:
    near = part.low[max(figure.start - 3, 0) : figure.start]
    after = part.low[figure.end : figure.end + 2]
    compared = not COMPARED.isdisjoint(near) or after[:1] == ["or"]
    denied = not DENIALS.isdisjoint(part.low[max(figure.start - 4, 0) : figure.start])
    words = {*near, *(part.low if not compared else ())}
    if "exceed" in words or ("up" in near and "to" in near) or "later" in near:
        return "high", False
    if not LOW_BOUND.isdisjoint(words) or (compared and "more" in after):
        return ("high" if denied else "low"), compared
    if not HIGH_BOUND.isdisjoint(words):
        return ("low" if denied else "high"), compared
    return "", compared


def _counted(part: _Clause, figure: Figure) -> frozenset[str]:
    if figure.dimension != "count":
        return frozenset()
    return frozenset(_thing(word) for word in part.low[figure.end : figure.end + 3] if word not in STOP)


# Records


def _record(content: JsonValue) -> dict[str, JsonValue] | list[JsonValue] | None:
    if isinstance(content, str):
        if content.lstrip()[:1] not in {"{", "["}:
            return None
        try:
            content = json.loads(content)
        except (ValueError, RecursionError):
            return None
    return content if isinstance(content, dict | list) else None


def _read_record(record: JsonValue) -> Read:
    found: list[Statement] = []
    texts: list[str] = []
    for path, value, beside in _members(record, (), {}, 0):
        if len(found) == STATEMENTS or len(texts) > 10 * STATEMENTS:
            break
        if isinstance(value, str):
            texts.append(value[:_SENTENCE])
        found += _of_member(path, value, beside)
    return Read(tuple(found), _known(texts))


_Path = tuple[str, ...]


def _members(
    value: JsonValue, path: _Path, beside: dict[str, JsonValue], depth: int
) -> Iterator[tuple[_Path, JsonValue, dict[str, JsonValue]]]:
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _members(member, (*path, name), value, depth + 1)
    elif isinstance(value, list):
        # Members of a list are several of one name, and no other text can tell which of them it means.
        for member in value:
            yield from (one for one in _members(member, path, beside, depth + 1) if isinstance(one[1], str))
    else:
        yield path, value, beside


def _of_member(path: _Path, value: JsonValue, beside: dict[str, JsonValue]) -> Iterator[Statement]:
    if isinstance(value, bool) or not isinstance(value, int | float | str) or not path:
        return
    names = [reworded(_HUMP.sub(" ", name)).casefold() for name in path]
    if names[-1] in {"amount", "value"} and len(names) > 1:
        names = names[:-1]
    words = TOKEN.findall(" ".join(names))
    part = _clause(f"{_unit_before(words, beside)} {value} {_unit_after(words, beside)}")
    if len(part.figures) != 1 or _words(part):
        return
    [figure] = part.figures
    frequencies = figures(words)
    things = frozenset(_thing(word) for word in words if _speaks(word, figure))
    bound, _ = _bound(_Clause(words, words, []), figure._replace(start=len(words), end=len(words)))
    dimension = "" if figure.dimension == "count" else figure.dimension
    yield Statement(
        kind="record",
        figure=figure._replace(dimension=dimension),
        words=things,
        subject=things,
        names=frozenset(),
        codes=frozenset(),
        bound=bound,
        compared=False,
        around=frozenset(one[:3] for one in frequencies),
        counted=frozenset(),
    )


def _speaks(word: str, figure: Figure) -> bool:
    """Whether a word of a member's name says of what it is, and is not its unit."""
    is_unit = (
        word.upper() in CURRENCIES or word in _UNIT_OF_NAME or (figure.dimension != "date" and _singular(word) in UNITS)
    )
    return not is_unit and word not in STOP and _thing(word) not in GENERIC and not word.startswith("every-")


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _unit_before(words: Sequence[str], beside: dict[str, JsonValue]) -> str:
    named = next((word.upper() for word in words if word.upper() in CURRENCIES), None)
    currency = named or beside.get("currency")
    return currency if isinstance(currency, str) and currency in CURRENCIES and _about_money(words) else ""


def _about_money(words: Sequence[str]) -> bool:
    last = words[-1] if words else ""
    return last not in _UNIT_OF_NAME and _singular(last) not in UNITS


def _unit_after(words: Sequence[str], beside: dict[str, JsonValue]) -> str:
    unit = beside.get("unit")
    last = unit.casefold() if isinstance(unit, str) else (words[-1] if words else "")
    return _UNIT_OF_NAME.get(last) or (last if _singular(last) in UNITS and last not in MONTHS else "")
