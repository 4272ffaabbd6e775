"""Titles and list items in text that has no marks for them."""

import re

from typing import Final

_NUMBERED: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\S")
_NAMED: Final = re.compile(
    r"(?:Part|Chapter|Article|Section|Annex|Appendix|Schedule)\s+(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])\b"
)
_ITEM: Final = re.compile(r"(?:[-*•‣▪–]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s")  # noqa: RUF001 - signs of lists
_MOST_WORDS: Final = 14
_LONGEST: Final = 120
_NO_TITLE: Final = (".", ";", ":", ",", "。", "；", "：", "，")  # noqa: RUF001 - punctuation of Chinese text


def title_level(line: str) -> int | None:
    """
    Level of a line that stands alone and looks like a numbered title: 2.1 has 2; None where it does not.

    A title is short, ends without punctuation and has a capital letter, or a letter without case, after its number.
    """
    line = line.strip()
    if len(line) > _LONGEST or line.endswith(_NO_TITLE) or len(line.split()) > _MOST_WORDS:
        return None
    if _NAMED.match(line):
        return 1
    found = _NUMBERED.match(line)
    if found is None:
        return None
    first = line[found.end() - 1]
    return found.group(1).count(".") + 1 if first.isalpha() and not first.islower() else None


def is_item(line: str) -> bool:
    """Whether a line begins as items of lists do."""
    return _ITEM.match(line) is not None
