"""
Where two items give different figures for one thing: 72 hours and 48 hours for one sign-off, a record's limit and a text's.

Two statements are about one thing where the one speaks of nearly all that the other speaks of, neither has a qualifier, a code or a
subject that the other lacks, their bounds are of one side, and what else they say in figures is the same.  Rather none than a wrong
one: who is told of conflicts that are none stops to look.  What follows from a finding is policy's (`context/conflicts`).
The measure is `python -m bench.conflicts`; docs/packs.md has its figures.
"""

import json

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal

from pydantic import JsonValue

from gateway.content.records import record
from gateway.model import Piece
from gateway.model.policy_input import DisputeFacts
from gateway.selection.duplicates import comparable
from gateway.selection.figures import differ
from gateway.selection.members import read_record
from gateway.selection.prose import read_text
from gateway.selection.statement import CHARACTERS, REMEMBERED, Stated, Statement, known
from gateway.selection.vocabulary import PARTIES, QUALIFIERS

MOST: Final = 50
"""Disputes that are told of; those of the highest authority come first."""

_WINDOW: Final = 64
"""Statements with a word in common that one is held against, the latest; so the cost grows with the set and not with its square."""

_SHARED: Final = 0.6
"""Of the words of the one that has fewer."""

_OF_RECORD: Final = 2
"""Words that a text may add to a record's member and still speak of that record."""


def disputes(pieces: Sequence[Piece]) -> list[DisputeFacts]:
    """Pairs of places whose items give different figures for one thing; never the words."""
    # What is fenced is data for which nobody vouches: it raises no doubt, and whoever brings much of it pays for none of this.
    reads = {
        place: read_item(piece.content, _labels(piece))
        for place, piece in enumerate(pieces)
        if comparable(piece) and piece.ruling.fence is None
    }
    # A flood of weak texts that differ must not push out what two strong ones differ in.
    tiers = [piece.ruling.authority_tier for piece in pieces]
    found = sorted(disputed(reads).items(), key=lambda one: (sum(tiers[place] for place in one[0]), one[0]))
    return [{"left": left, "right": right, "kind": kind} for (left, right), kind in found[:MOST]]


def _labels(piece: Piece) -> list[str]:
    source = piece.ruling.item.provenance
    return [label for label in (source.entity_id, source.source_id) if label is not None]


def read_item(content: JsonValue, labels: Sequence[str] = ()) -> Stated:
    """
    What an item states.

    Args:
        content: text or JSON; a text that spells a JSON object counts as one.
        labels: names that the item has and its content may leave out, such as the entity it belongs to.
    """
    document = record(content)
    read = read_text(str(content)[:CHARACTERS]) if document is None else _read_spelled(json.dumps(document))
    return Stated(read.statements, read.known | known(labels))


@lru_cache(maxsize=REMEMBERED)
def _read_spelled(document: str) -> Stated:
    """What a record states, by its text, so that it can be remembered."""
    return read_record(json.loads(document))


def contradict(left: JsonValue, right: JsonValue) -> bool:
    """Whether two contents give different figures for one thing."""
    return bool(disputed({0: read_item(left), 1: read_item(right)}))


def disputed(reads: dict[int, Stated]) -> dict[tuple[int, int], Literal["text", "record"]]:
    """Pairs of places that give different figures for one thing, each once, and whether one of them is a record."""
    found: dict[tuple[int, int], Literal["text", "record"]] = {}
    for (here, left), (there, right) in _candidates(reads):
        if (
            (here, there) not in found
            and differ(left.figure, right.figure)
            and _one_thing(left, right, reads[here], reads[there])
        ):
            found[here, there] = "record" if "record" in (left.kind, right.kind) else "text"
    return found


_Placed = tuple[int, Statement]


def _candidates(reads: dict[int, Stated]) -> Iterator[tuple[_Placed, _Placed]]:
    """Pairs of statements of two items with two words in common, or all that one of them has; the earlier item first."""
    having: dict[str, list[_Placed]] = defaultdict(list)
    for place in sorted(reads):
        for one in reads[place].statements:
            shared: dict[tuple[int, int], tuple[_Placed, int]] = {}
            for word in one.words:
                for other in having[word][-_WINDOW:]:
                    # With its place: two items of one text have the same statements.
                    key = other[0], id(other[1])
                    shared[key] = other, shared.get(key, (other, 0))[1] + 1
            yield from (
                (other, (place, one))
                for other, count in shared.values()
                if count >= min(2, len(other[1].words), len(one.words))
            )
        # Of one item after all of its own: what it states is held against what others do.
        for one in reads[place].statements:
            for word in one.words:
                having[word].append((place, one))


def _one_thing(left: Statement, right: Statement, of_left: Stated, of_right: Stated) -> bool:
    if left.around != right.around or {left.bound, right.bound} == {"low", "high"}:
        return False
    if left.kind == right.kind == "record":
        # Two records are compared member by member, by the table of policy.
        return False
    if left.kind == "record":
        return _is_the_records(left, right, of_left.known)
    if right.kind == "record":
        return _is_the_records(right, left, of_right.known)
    return _one_thing_of_texts(left, right, of_left, of_right)


def _one_thing_of_texts(left: Statement, right: Statement, of_left: Stated, of_right: Stated) -> bool:
    shared = left.words & right.words
    # "The annual attestation": what it has in figures beside says as much of which one it is as a word.
    if len(shared) + len(left.around) < 2 or len(shared) < _SHARED * min(len(left.words), len(right.words)):
        return False
    if left.figure.dimension == "count" and not _count_one_thing(left, right):
        return False
    only_left, only_right = left.words - shared, right.words - shared
    if (only_left | only_right) & QUALIFIERS or (only_left & left.codes) - of_right.known:
        return False
    if (only_right & right.codes) - of_left.known:
        return False
    # Each says a word that the other does not: most often of another thing, party or step.
    if only_left and only_right:
        return False
    return not _narrower(left, right) and not _narrower(right, left)


def _count_one_thing(left: Statement, right: Statement) -> bool:
    return left.counted == right.counted or bool(left.counted & right.counted)


def _narrower(one: Statement, other: Statement) -> bool:
    """Whether its subject is more than the other speaks of; who does it may be left unsaid."""
    return bool(one.subject - other.words - PARTIES - one.names)


def _is_the_records(member: Statement, text: Statement, known: frozenset[str]) -> bool:
    """Whether a text speaks of the thing that a member of a record holds, and of that record."""
    if not member.words or text.compared or not member.words <= text.words:
        return False
    if text.bound and text.bound != member.bound:
        return False
    # "28 criteria" is no criteria score.
    if text.counted and not text.counted & member.counted:
        return False
    more = text.words - member.words - known
    return len(more) <= _OF_RECORD and not more & QUALIFIERS and not more & text.codes
