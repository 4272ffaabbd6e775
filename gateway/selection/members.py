"""What a JSON record states in figures, member by member: "credit_limit_usd": 5000000."""

from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import JsonValue

from gateway.content.records import worded
from gateway.content.terms import STOP, reworded
from gateway.selection.clauses import Clause, bound_of, clause, thing_of, words_of
from gateway.selection.figures import TOKEN, Figure, figures
from gateway.selection.statement import STATEMENTS, Stated, Statement, known
from gateway.selection.vocabulary import CURRENCIES, GENERIC, UNITS

_DEPTH: Final = 8
_TEXT: Final = 600
"""Characters of a value that are read for what the record is about."""

_FIGURE: Final = 60
"""Characters of a value that can be a figure."""

_LARGEST: Final = 10**18
_UNIT_OF_NAME: Final = {"percent": "%", "pct": "%", "percentage": "%", "bps": "bps", "bp": "bps"}
_Path = tuple[str, ...]


def read_record(record: JsonValue) -> Stated:
    """What a record states, member by member."""
    found: list[Statement] = []
    texts: list[str] = []
    for path, value, beside in _members(record, (), {}, 0):
        if len(found) == STATEMENTS or len(texts) > 10 * STATEMENTS:
            break
        if isinstance(value, str):
            texts.append(value[:_TEXT])
        found += _of_member(path, value, beside)
    return Stated(tuple(found), known(texts))


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
    # A longer one is prose, whose figures are of what it says and not of the member; no amount or span is as large as that.
    if len(value) > _FIGURE if isinstance(value, str) else abs(value) > _LARGEST:
        return
    names = [reworded(worded(name)).casefold() for name in path]
    if names[-1] in {"amount", "value"} and len(names) > 1:
        names = names[:-1]
    words = TOKEN.findall(" ".join(names))
    part = clause(f"{_unit_before(words, beside)} {value} {_unit_after(words, beside)}")
    if len(part.figures) != 1 or words_of(part):
        return
    [figure] = part.figures
    frequencies = figures(words)
    spoken = [thing_of(word) for word in words if _speaks(word, figure)]
    things = frozenset(spoken)
    bound, _ = bound_of(Clause(words, words, []), figure._replace(start=len(words), end=len(words)))
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
        counted=frozenset(spoken[-1:]),
    )


def _speaks(word: str, figure: Figure) -> bool:
    """Whether a word of a member's name says of what it is, and is not its unit."""
    is_unit = (
        word.upper() in CURRENCIES
        or word in _UNIT_OF_NAME
        or (figure.dimension != "date" and word.removesuffix("s") in UNITS)
    )
    return not is_unit and word not in STOP and thing_of(word) not in GENERIC and not word.startswith("every-")


def _unit_before(words: Sequence[str], beside: dict[str, JsonValue]) -> str:
    named = next((word.upper() for word in words if word.upper() in CURRENCIES), None)
    currency = named or beside.get("currency")
    return currency if isinstance(currency, str) and currency in CURRENCIES and _about_money(words) else ""


def _about_money(words: Sequence[str]) -> bool:
    last = words[-1] if words else ""
    return last not in _UNIT_OF_NAME and last.removesuffix("s") not in UNITS


def _unit_after(words: Sequence[str], beside: dict[str, JsonValue]) -> str:
    unit = beside.get("unit")
    last = unit.casefold() if isinstance(unit, str) else (words[-1] if words else "")
    return _UNIT_OF_NAME.get(last) or (last if last.removesuffix("s") in UNITS else "")
