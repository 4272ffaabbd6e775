"""Slips of the pen in the officers' cases: a case with one says nothing, and passes."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.vetting.case_schema import NAMED_FACTS, change_schema
from gateway.policy.vetting.dates import is_date
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.matrix import ALLOWED, PART, WORDS, columns_of, expanded, rows_of
from gateway.policy.vetting.places import Path
from gateway.policy.vetting.schemas import TableChecker, checker_of
from gateway.policy.vetting.slips import Slip, date_slip, is_of_a_date
from gateway.policy.vetting.wording import shown
from gateway.policy.vetting.words import members

PARTS: Final = ("allowed", "refused", "warned", "set_aside")
_TOP: Final = ("area", *PARTS, PART, "nothing_known")
_WORDS: Final = ("case", "change", "answers", "codes", "unknown")
_MEANT: Final = "Or say that it is meant: `unknown: [{}]`."
_MEANT_ALSO: Final = "Or name the value under `unknown`, if it is meant."

NamesByKind = Mapping[str, frozenset[str]]
"""What there is, by kind of name."""


def case_slips(document: object, codes: Collection[str], known: NamesByKind, *, base: bool = False) -> Iterator[Slip]:
    """
    What is wrong with a file of cases.

    Args:
        document: as it was read.
        codes: all that the bundle's rules and the gateway give.
        known: what there is, by kind of name.
        base: whether it is the input that every case starts from.
    """
    if base:
        yield from _input_slips((), document, known, ())
        return
    if not isinstance(document, dict):
        yield Slip((), "the file holds no cases.", "Write `area`, `allowed`, `refused` and `nothing_known`.")
        return
    for word in document:
        if word not in _TOP:
            yield Slip((str(word),), f"`{str(word)[:60]}` is no part of a file of cases.", hint(word, _TOP), key=True)
    nothing = document.get("nothing_known")
    if isinstance(nothing, dict):
        yield from _code_slips(("nothing_known",), nothing, codes)
    for part in PARTS:
        for index, case in members(document.get(part)):
            yield from _case_slips((part, index), case, codes, known)
    for index, matrix in members(document.get(PART)):
        yield from _matrix_slips((PART, index), matrix, codes, known)
    yield from _twice(document)


def _case_slips(path: Path, case: object, codes: Collection[str], known: NamesByKind) -> Iterator[Slip]:
    if not isinstance(case, dict):
        yield Slip(path, "this is no case.", "Write `case:` with its name, and `change:` with what differs.")
        return
    yield from _word_slips(path, case, _WORDS)
    needed = ("case", "change") if path[0] == ALLOWED else ("case", "change", "codes")
    for word in needed:
        if word not in case:
            yield Slip(path, f"the case has no `{word}`.", "Write it as the other cases do.")
    if path[0] == ALLOWED and "codes" in case:
        text = "what is allowed is refused with no code."
        yield Slip((*path, "codes"), text, "Move the case below `refused`.", key=True)
    yield from _code_slips(path, case, codes)
    yield from _input_slips((*path, "change"), case.get("change"), known, _meant(case))
    yield from _stale(path, case, case.get("change"), known)
    yield from _dates((*path, "answers"), case.get("answers"))


def _matrix_slips(path: Path, matrix: object, codes: Collection[str], known: NamesByKind) -> Iterator[Slip]:
    try:
        expanded({PART: [matrix]})
    except BundleInvalidError as error:
        yield Slip(path, f"{error.detail}.", "docs/policies.md shows a matrix.")
        return
    told: Any = matrix
    yield from _word_slips(path, told, WORDS)
    for row, line in told["cells"].items():
        for index, cell in enumerate(line):
            for code in [cell] if isinstance(cell, str) else cell:
                if codes and code != ALLOWED and code not in codes:
                    where = (*path, "cells", str(row), str(index))
                    yield Slip(where, f"no rule gives the code {str(code)[:60]}.", hint(code, {*codes, ALLOWED}))
    meant = _meant(told)
    yield from _input_slips((*path, "change"), told.get("change"), known, meant)
    for word, changes in (("rows", rows_of(told["rows"], told["cells"])), ("columns", columns_of(told["columns"]))):
        for name, change in changes.items():
            place = (*path, word, name) if isinstance(told[word], dict) and name in told[word] else (*path, word)
            for slip in _input_slips((), change, known, meant):
                yield Slip(place, slip.message, slip.hint)


def _word_slips(path: Path, said: Mapping[Any, Any], words: Collection[str]) -> Iterator[Slip]:
    for word in said:
        if word not in words:
            yield Slip((*path, str(word)), f"`{str(word)[:60]}` is no word of a case.", hint(word, words), key=True)


def _code_slips(path: Path, case: Mapping[Any, Any], codes: Collection[str]) -> Iterator[Slip]:
    for index, code in members(case.get("codes")):
        if codes and (not isinstance(code, str) or code not in codes):
            yield Slip((*path, "codes", index), f"no rule gives the code {str(code)[:60]}.", hint(code, codes))


def _twice(document: Mapping[str, Any]) -> Iterator[Slip]:
    """Two cases of one name: in Rego the second alone would be run."""
    seen: set[str] = set()
    for part in PARTS:
        for index, case in members(document.get(part)):
            name = case.get("case") if isinstance(case, dict) else None
            if isinstance(name, str) and f"{part} {name}" in seen:
                yield Slip((part, index, "case"), "two cases have this name.", "Give each a name of its own.")
            seen.add(f"{part} {name}")


def _meant(case: Mapping[Any, Any]) -> tuple[object, ...]:
    """Values that a case says are unknown on purpose."""
    told = case.get("unknown")
    return tuple(told) if isinstance(told, list) else ()


@cache
def _checker() -> TableChecker:
    return checker_of(change_schema())


def _input_slips(path: Path, told: object, known: NamesByKind, meant: Collection[object]) -> Iterator[Slip]:
    if told is None:
        return
    for slip, value in _checker().slips(told, known):
        if value not in meant:
            also = _MEANT.format(value) if isinstance(value, str | int | float) else _MEANT_ALSO
            also = "" if slip.key else also
            message = slip.message.replace("there is no entry", "no question tells")
            yield Slip((*path, *slip.path), message, f"{slip.hint} {also}".strip(), slip.key)
    yield from _dates(path, told)


def _stale(path: Path, case: Mapping[Any, Any], told: object, known: NamesByKind) -> Iterator[Slip]:
    """Values that are called unknown and are none: what was unknown once may have become a word since."""
    # Where a table is gone nobody can tell what it would have listed.
    if "unknown" not in case or not {*NAMED_FACTS.values()} <= known.keys():
        return
    if not isinstance(case["unknown"], list):
        yield Slip((*path, "unknown"), "this is no list of values.", "Write `unknown: [FR]`.")
        return
    strange = [value for _, value in _checker().slips(told, known)]
    for index, value in enumerate(case["unknown"]):
        if value not in strange:
            text = f"{shown(value)} is called unknown, and the case names no such unknown value."
            yield Slip((*path, "unknown", str(index)), text, "Take it out; if the word is known now, take another.")


def _dates(path: Path, told: object) -> Iterator[Slip]:
    waiting = [(path, told)]
    while waiting:
        at, value = waiting.pop()
        said = bool(at) and is_of_a_date(at[-1]) and not isinstance(value, dict | list | None)
        if said and not is_date(value):
            yield date_slip(at, value)
        waiting += [((*at, name), member) for name, member in members(value)]
