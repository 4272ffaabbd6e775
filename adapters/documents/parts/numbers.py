"""
Numbers of paragraphs that a word processor counts itself, such as the clauses of a contract.

Source: ECMA-376 part 1, 17.9 (numbering).
"""

from collections import defaultdict
from typing import Any, Final

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEVELS: Final = 9
_ROMAN: Final = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_LETTERS: Final = 26
_MOST: Final = 399


def value_of(element: Any, *path: str) -> str | None:  # noqa: ANN401 - lxml has no types
    """The `w:val` of an element at a path of names below another; None where there is none."""
    for name in path:
        element = element.find(f"{_W}{name}") if element is not None else None
    return element.get(f"{_W}val") if element is not None else None


class ParagraphNumbers:
    """Counts the paragraphs of lists in the order of the document."""

    def __init__(self, part: Any) -> None:  # noqa: ANN401 - as above
        """
        Args:
            part: the root element of the numbering part; None where the document has none.
        """
        self._levels: dict[str, dict[int, Any]] = {}
        self._abstract: dict[str, str] = {}
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0] * _LEVELS)
        if part is not None:
            for one in part.findall(f"{_W}abstractNum"):
                levels = {_level(level.get(f"{_W}ilvl")): level for level in one.findall(f"{_W}lvl")}
                self._levels[one.get(f"{_W}abstractNumId")] = levels
            for one in part.findall(f"{_W}num"):
                self._abstract[one.get(f"{_W}numId")] = value_of(one, "abstractNumId") or ""

    def next(self, number_id: str, level: str | None) -> str:
        """What stands before the next paragraph of a list: its number, or a dash for a bullet; empty for what is not known."""
        abstract = self._abstract.get(number_id)
        place, levels = _level(level), self._levels.get(abstract or "", {})
        if abstract is None or place not in levels:
            return ""
        counts = self._counts[abstract]
        counts[place] += 1
        counts[place + 1 :] = [0] * (_LEVELS - place - 1)
        if value_of(levels[place], "numFmt") == "bullet":
            return "-"
        said = (value_of(levels[place], "lvlText") or "")[:100]
        for one in range(place + 1):
            said = said.replace(f"%{one + 1}", self._said(levels.get(one), counts[one]))
        return said

    def _said(self, level: Any, count: int) -> str:  # noqa: ANN401 - as above
        start = value_of(level, "start") if level is not None else None
        number = max(count, 1) - 1 + (int(start) if start and start.isdecimal() and len(start) < len("10000") else 1)
        match value_of(level, "numFmt") if level is not None else None:
            case "lowerLetter":
                return _letter(number)
            case "upperLetter":
                return _letter(number).upper()
            case "lowerRoman":
                return _roman(number)
            case "upperRoman":
                return _roman(number).upper()
            case _:
                return str(number)


def _level(said: str | None) -> int:
    return int(said) if said in {*map(str, range(_LEVELS))} else 0


def _letter(number: int) -> str:
    return (
        chr(ord("a") + (number - 1) % _LETTERS) * ((number - 1) // _LETTERS + 1) if 0 < number <= _MOST else str(number)
    )


def _roman(number: int) -> str:
    if not 0 < number <= _MOST:
        return str(number)
    said = ""
    for value, sign in _ROMAN:
        said += sign * (number // value)
        number %= value
    return said
