"""Which pieces speak of the same thing, where they contradict, and what gives way."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from pydantic import JsonValue

from gateway.model import Loss, Piece
from gateway.model.policy_answer import SetDrop, SetYield
from gateway.model.policy_input import ContradictionFacts
from gateway.selection.duplicates import comparable


def rivals(pieces: Sequence[Piece], contrary: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """Pairs of places that speak of one section of one source, or of one section on one entity, or are contrary."""
    groups: dict[tuple[str, str | None, str | None], list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        source = piece.ruling.item.provenance
        if not comparable(piece):
            continue
        groups["source", source.source_id, source.doc_section].append(index)
        if source.entity_id is not None and source.doc_section is not None:
            groups["entity", source.entity_id, source.doc_section].append(index)
    pairs = {pair for indexes in groups.values() for pair in combinations(indexes, 2)}
    indexes = {piece.ruling.item.id: index for index, piece in enumerate(pieces)}
    for left, right in contrary:
        # One of the two may have gone meanwhile, as a near repeat of a third.
        if left in indexes and right in indexes:
            first, second = sorted((indexes[left], indexes[right]))
            pairs.add((first, second))
    return sorted(pairs)


def contradictions(pieces: Sequence[Piece]) -> Iterator[ContradictionFacts]:
    """Fields to which two JSON items on one entity give different plain values."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        entity = piece.ruling.item.provenance.entity_id
        if entity is not None and isinstance(piece.ruling.item.content, dict):
            groups[entity].append(index)
    for pair in sorted(pair for indexes in groups.values() for pair in combinations(indexes, 2)):
        left, right = (_plain(pieces[index].ruling.item.content) for index in pair)
        for name in sorted(left.keys() & right.keys()):
            if left[name] != right[name]:
                yield {"left": pair[0], "right": pair[1], "field": name}


def _plain(content: JsonValue) -> dict[str, JsonValue]:
    """Members with a plain value; one that is not set yet says nothing that another could contradict."""
    members = content if isinstance(content, dict) else {}
    return {name: value for name, value in members.items() if not isinstance(value, dict | list | None)}


def yielding(pieces: Sequence[Piece], yields: Sequence[SetYield]) -> list[Piece]:
    """Pieces without the fields that give way to another item's."""
    gone: dict[str, set[str]] = defaultdict(set)
    for one in yields:
        gone[one.item].add(one.field)
    return [_lacking(piece, gone[piece.ruling.item.id]) if piece.ruling.item.id in gone else piece for piece in pieces]


def _lacking(piece: Piece, names: set[str]) -> Piece:
    if not isinstance(piece.content, dict):
        return piece
    content = {name: value for name, value in piece.content.items() if name not in names}
    return piece.model_copy(update={"content": content})


def without(pieces: Sequence[Piece], drops: Sequence[SetDrop]) -> tuple[list[Piece], list[Loss]]:
    """The pieces that stay, and those that lose to another item of the set or to a limit of the agent's contract."""
    losers = {drop.item: drop for drop in drops}
    kept, lost = [], []
    for piece in pieces:
        drop = losers.get(piece.ruling.item.id)
        if drop is None:
            kept.append(piece)
        else:
            lost.append(Loss(piece=piece, reason=drop.reason, in_favour_of=drop.in_favour_of))
    return kept, lost
