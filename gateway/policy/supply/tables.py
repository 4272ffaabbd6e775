"""
Tables as officers write them, YAML or JSON, read into a closed list of types.

Rules held here: text, whole and decimal numbers that JSON has, truth values, null, lists, and maps whose keys are text or whole
numbers, and nothing else; a date is a text, in quotes or not, as it is for OPA; no truth value or number is written in a way that
officers mean as a text, or that two readers of YAML take for two values; no anchors, aliases, merges or tags, so that a value stands for itself and for no other; depth, number
of values and bytes are bounded before anything is built, and the first two once more after it.  Cost grows with the bytes.
"""

import json
import math
import re

from copy import deepcopy
from functools import lru_cache
from typing import Any, ClassVar, Final

import yaml

DEEPEST: Final = 50
"""Levels of a table, at most."""

MOST_VALUES: Final = 500_000
"""Values of a table, at most."""

MOST_BYTES: Final = 2_000_000
"""Bytes of a file, at most."""

_LONGEST_HELD: Final = 64_000
"""Bytes of a document that is held parsed, at most."""

_EXACT: Final = 2**53 - 1
_LONGEST_NUMBER: Final = 400
"""Characters of what begins like a number, at most: YAML has numbers to the base of sixty, which are read in quadratic time."""

_OTHER_TRUTHS: Final = frozenset({"y", "yes", "on", "n", "no", "off"})
"""What YAML 1.1 takes for true or false beside these words, Norway among them; OPA takes all of it, PyYAML not `y` and `n`."""

_OTHER_NUMBERS: Final = re.compile(
    r"[-+]?(0[0-9_]+|0[xob][0-9a-fA-F_]+|[0-9]+_[0-9_.]*|[0-9_]+(:[0-5]?[0-9])+([.][0-9_]*)?|([0-9]+([.][0-9]*)?|[.][0-9]+)[eE][-+]?[0-9]+"
    r"|[.][0-9_]+|[0-9]+[.])"
)
"""Numbers to another base, with gaps, a power or half a fraction: OPA reads some of them as another number than PyYAML."""

_PLACES: Final = 8
"""How many levels of a path are named in an error."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TOO_MUCH: Final = "it is nested too deeply, or holds too many values"


class TableError(ValueError):
    """What was read is not a table; the message says where."""


def read_yaml(body: bytes | str, *, kept: bool = False) -> Any:  # noqa: ANN401 - YAML
    """
    The value that a YAML document says.

    Args:
        body: of the file.
        kept: whether it comes from the store of bundles that were taken in before: it may have aliases, which count as what
            they stand for, so that the past can be decided again.

    Raises:
        TableError: it is not YAML, or holds what no table may.
    """
    _check_size(body)
    # Of a bundle that is read anew all files but one or two are as they were, and parsing is most of what reading costs.
    return deepcopy(_held(body, kept)) if len(body) <= _LONGEST_HELD else _read_yaml(body, kept)


def _read_yaml(body: bytes | str, kept: bool) -> Any:  # noqa: ANN401, FBT001 - YAML, remembered by its arguments
    try:
        if not kept:
            _check_events(body)
        found = yaml.load(body, _EachOnce)  # noqa: S506 - a safe loader
    except yaml.MarkedYAMLError as error:
        where = _place(error.problem_mark or error.context_mark)
        raise TableError(f"{where}: it is not YAML: {error.problem or error.context}"[:300]) from error
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise error if isinstance(error, TableError) else TableError(f"it is not YAML: {str(error)[:300]}") from error
    except RecursionError as error:
        raise TableError("it is nested too deeply") from error
    _check_values(found, kept=kept)
    return found


_held = lru_cache(maxsize=256)(_read_yaml)


def read_json(body: bytes | str, *, kept: bool = False) -> Any:  # noqa: ANN401 - JSON
    """
    The value that a JSON document says.

    Raises:
        TableError: it is not JSON, or holds what no table may.
    """
    _check_size(body)
    try:
        found = json.loads(body, object_pairs_hook=_distinct)
    except RecursionError as error:
        raise TableError("it is nested too deeply") from error
    except ValueError as error:
        raise error if isinstance(error, TableError) else TableError(f"it is not JSON: {str(error)[:300]}") from error
    _check_values(found, kept=kept)
    return found


def _check_size(body: bytes | str) -> None:
    if len(body) > MOST_BYTES:
        raise TableError(f"it has more than {MOST_BYTES} bytes")


def _check_events(body: bytes | str) -> None:
    """Refuse, before a value is built, whatever is not written out where it stands."""
    depth = 0
    for count, event in enumerate(yaml.parse(body, _Loader)):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise TableError(f"{_place(event.start_mark)} has an anchor or an alias; write the value out")
        if getattr(event, "tag", None) not in {None, "!"}:
            raise TableError(f"{_place(event.start_mark)} has a tag; write the value without it")
        if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and (why := _misread(event.value)):
            raise TableError(f"{_place(event.start_mark)} has {why}")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST or count > 2 * MOST_VALUES:
            raise TableError(_TOO_MUCH)


def _place(mark: Any) -> str:  # noqa: ANN401 - a mark of PyYAML, or of libyaml
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else "line 0"


def _misread(text: str) -> str:
    """Why a value without quotes would be taken for another one than was meant; empty where it would not."""
    if _long_number(text):
        return "a number of too many digits; write it in quotes"
    if text.casefold() in _OTHER_TRUTHS:
        truth = "true" if text[0] in "yY" or text.casefold() == "on" else "false"
        return f'{text}, which YAML takes for a truth value; write "{text}" in quotes for the text, or {truth}'
    if _OTHER_NUMBERS.fullmatch(text):
        return f'{text}, which two readers of YAML take for two values; write "{text}" in quotes for the text, or a decimal number'
    return ""


def _long_number(text: str) -> bool:
    return len(text) > _LONGEST_NUMBER and text[0] in "+-.0123456789"


def _check_values(table: object, *, kept: bool) -> None:
    """Refuse what JSON does not have, which OPA would be told in another way or not at all."""
    waiting: list[tuple[object, tuple[str, ...]]] = [(table, ())]
    count = 0
    while waiting:
        value, place = waiting.pop()
        count += 1
        # Counted as they are written out: an alias of a kept table is one value here and stands for as many as what it names.
        if len(place) >= DEEPEST or count > MOST_VALUES:
            raise TableError(_TOO_MUCH)
        if isinstance(value, dict):
            _check_keys(list(value), place)
            waiting += [(member, (*place, str(name))) for name, member in value.items()]
        elif isinstance(value, list):
            waiting += [(member, (*place, str(index))) for index, member in enumerate(value)]
        elif not (kept or _plain(value)) or not isinstance(value, str | int | float | None):
            raise TableError(f"{_path(place)}: {_why(value)}")


def _plain(value: object) -> bool:
    """Whether a single value is one that every reader of JSON takes for the same."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return abs(value) <= _EXACT
    return value is None or isinstance(value, str)


def _why(value: object) -> str:
    if isinstance(value, int | float):
        return "a number is not finite, or too large to be exact; write it in quotes"
    return f"a value is a {type(value).__name__}; write it in quotes"


def _check_keys(keys: list[object], place: tuple[str, ...]) -> None:
    # Whole numbers too: tiers are written so, and every engine is told them as text.
    if not all(isinstance(key, str) or type(key) is int for key in keys):
        raise TableError(f"{_path(place)}: a key is neither text nor a whole number; write it in quotes")
    if len({str(key) for key in keys}) < len(keys):
        raise TableError(f"{_path(place)}: a key stands twice, as text and as a number")


def _path(place: tuple[str, ...]) -> str:
    named = "/".join(name[:60] for name in place[:_PLACES])
    return f"at {named or 'the top'}{'/…' if len(place) > _PLACES else ''}"


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key stands twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise TableError("a key stands twice")
    return members


class _EachOnce(_Loader):  # type: ignore[misc] # libyaml's where PyYAML was built with it
    """
    YAML in which no key stands twice, and a date is a text.

    Of two entries a reader sees both, and the last alone would decide.  OPA reads dates as texts, in quotes or not.
    """

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
        for first, found in _Loader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        seen: dict[Any, yaml.Mark] = {}
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if name in seen:
                msg = f"the key {name} stands twice, first in line {seen[name].line + 1}"
                raise yaml.constructor.ConstructorError(None, None, msg, key.start_mark)
            seen[name] = key.start_mark
        return super().construct_mapping(node, deep)  # type: ignore[no-any-return]
