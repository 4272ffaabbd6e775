"""
What a text states in figures, sentence by sentence and clause by clause.

What held once, what came out, what might be and what is an example is passed over.
"""

import re

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from gateway.content.extract import sentences
from gateway.content.terms import NUMBERS, reworded, split
from gateway.selection.clauses import Clause, bound_of, clause, counted_by, words_of
from gateway.selection.statement import REMEMBERED, STATEMENTS, Stated, Statement, known
from gateway.selection.vocabulary import NOT_IN_FORCE

_SENTENCE: Final = 600
"""Characters of a sentence; a longer one is a table or no prose."""

_RANGE: Final = re.compile(r"\bbetween ([^\s,;]{1,20}(?: [^\s,;]{1,12})?) and (?=\S)", re.IGNORECASE)
_LIST_MARK: Final = re.compile(r"^(?:\(?\w{1,3}[.)]|[-*\u2022])\s+")
_CODE: Final = re.compile(r"[A-Z]{2}[\w/-]*|(?<![A-Za-z])[A-Za-z]++[-/]\d[\w/-]*")
_HAS_FIGURE: Final = re.compile(
    r"\d|every|\bone\b|" + "|".join(sorted(NUMBERS)) + r"|dail|week|month|quarter|annual|year|noon", re.IGNORECASE
)


@lru_cache(maxsize=REMEMBERED)
def read_text(text: str) -> Stated:
    """What a text states."""
    found = [one for sentence in sentences(text) for one in _of_sentence(sentence)]
    return Stated(tuple(found[:STATEMENTS]), known(_CODE.findall(text) if found else []))


def _of_sentence(sentence: str) -> Iterator[Statement]:
    # Most sentences have no figure, and need no look at each of their words.
    if len(sentence) > _SENTENCE or not _HAS_FIGURE.search(sentence):
        return
    said = _RANGE.sub(r"from \1 to ", reworded(_LIST_MARK.sub("", sentence)).replace("noon", "12:00"))
    parts = [clause(part) for part in split(said)]
    if any(not NOT_IN_FORCE.isdisjoint(part.low) and not part.figures for part in parts):
        return
    for index, part in enumerate(parts):
        ended = index + 1 < len(parts) and _ends(parts[index + 1])
        if part.figures and part.in_force and not ended and not _of_itself(part):
            yield from _of_clause(parts, part)


def _ends(part: Clause) -> bool:
    """Whether it is "until 2025" after a figure, which holds no longer."""
    return part.low[:1] == ["until"] and len(part.low) == 2 and part.low[1].isdecimal()


def _of_itself(part: Clause) -> bool:
    """A document's date of itself is its label and no rule of its."""
    return "date" in {one.dimension for one in part.figures} and (
        "this" in part.low or part.low[0] in {"effective", "version", "reviewed", "approved", "published", "updated"}
    )


def _of_clause(parts: Sequence[Clause], own: Clause) -> Iterator[Statement]:
    others = [part for part in parts if part is not own and not part.figures]
    around = [one[:3] for part in parts if part is not own and part.condition for one in part.figures]
    words = [word for part in (own, *others) for word in words_of(part)]
    before = takewhile(lambda part: part is not own, parts)
    led_by = [word for part in (*before, own) if part is own or not part.figures for word in words_of(part)]
    if len({word.thing for word in words}) < 2:
        # "Operations within 48 hours" after another clause has its verb from there, but not what that one is about.
        words += [word for part in parts for word in words_of(part)[1:]]
    for figure in own.figures:
        bound, compared = bound_of(own, figure)
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
            around=frozenset([*around, *(one[:3] for one in own.figures if one is not figure)]),
            counted=counted_by(own, figure),
        )
