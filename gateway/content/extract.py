"""A long text in a few of its own sentences, the same every time."""

import re

from collections import Counter
from itertools import pairwise
from typing import Final

_SENTENCE: Final = re.compile(r"[^\n.!?]*(?:[.!?](?!\s|$)[^\n.!?]*)*(?:[.!?]+(?=\s|$)|\n|$)")
_WORD: Final = re.compile(r"\w{4,}")
_FIGURE: Final = re.compile(r"\d")
GAP: Final = " […] "


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, as they stand in it."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def extract(text: str, characters: int) -> str:
    """
    The sentences that say most of a text, in their order; nothing in it is reworded.

    A sentence weighs what its words weigh on average, a word as much as it is often in the text (H. P. Luhn, "The automatic
    creation of literature abstracts", 1958); the first one and those with figures weigh half as much again.

    Args:
        text: to be shortened.
        characters: how long the result may be; a text that is no longer stays as it is.
    """
    if len(text) <= characters:
        return text
    found = sentences(text)
    often = Counter(word.casefold() for word in _WORD.findall(text))
    order = sorted(range(len(found)), key=lambda index: (-_weight(found[index], index, often), index))
    chosen: list[int] = []
    left = characters - 2 * len(GAP)
    for index in order:
        if len(found[index]) + len(GAP) <= left:
            chosen.append(index)
            left -= len(found[index]) + len(GAP)
    if not chosen:
        return text[: max(characters - len(GAP), 0)].rstrip() + GAP.rstrip()
    return _joined(found, sorted(chosen))


def _weight(sentence: str, index: int, often: Counter[str]) -> float:
    words = [word.casefold() for word in _WORD.findall(sentence)]
    if not words:
        return 0.0
    weight = sum(often[word] for word in words) / len(words)
    return weight * (1.5 if index == 0 or _FIGURE.search(sentence) else 1.0)


def _joined(found: list[str], chosen: list[int]) -> str:
    parts = [found[chosen[0]]] if chosen[0] == 0 else [GAP.lstrip(), found[chosen[0]]]
    for before, index in pairwise(chosen):
        parts.append((" " if index == before + 1 else GAP) + found[index])
    if chosen[-1] != len(found) - 1:
        parts.append(GAP.rstrip())
    return "".join(parts)
