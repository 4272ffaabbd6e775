"""Which pieces speak of the same thing, where they contradict, and what gives way."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from pydantic import JsonValue

from gateway.model import Loss, Piece
from gateway.model.policy_answer import SetDrop, SetYield
from gateway.model.policy_input import FieldGroupFacts, GroupFacts
from gateway.selection.duplicates import comparable
from gateway.selection.groups import GroupMember, lots

MOST_CONTRARY: Final = 50
"""Pairs that nearly say the same with other figures of which policy is told; those of the highest authority come first."""


def rivals(pieces: Sequence[Piece], contrary: Sequence[tuple[str, str]]) -> list[GroupFacts]:
    """
    Groups of items that speak of one section of one source, or of one section on one entity, or are contrary.

    An item is in one group of its source, one of its entity, and so many contrary ones as there are at most: the groups
    together grow with the set.
    """
    groups: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        source = piece.ruling.item.provenance
        if not comparable(piece):
            continue
        groups["source", source.source_id, source.doc_section].append(index)
        if source.entity_id is not None and source.doc_section is not None:
            groups["entity", source.entity_id, source.doc_section].append(index)
    found = [*groups.values(), *_contrary(pieces, contrary)]
    # The section of a source may be the section on an entity too: the same items are one group.
    several = sorted({tuple(indexes) for indexes in found if len(indexes) > 1})
    members = ([pieces[index] for index in indexes] for indexes in several)
    # The chunks of one document share their labels: they are parts of one thing, and no rivals.
    return [_group(group) for group in members if len({_labels(piece) for piece in group}) > 1]


def _contrary(pieces: Sequence[Piece], contrary: Sequence[tuple[str, str]]) -> list[list[int]]:
    indexes = {piece.ruling.item.id: index for index, piece in enumerate(pieces)}
    # One of the two may have gone meanwhile, as a near repeat of a third.
    pairs = [sorted(indexes[name] for name in pair) for pair in contrary if all(name in indexes for name in pair)]
    tiers = [piece.ruling.authority_tier for piece in pieces]
    return sorted(pairs, key=lambda pair: (sum(tiers[index] for index in pair), pair))[:MOST_CONTRARY]


def _group(pieces: Sequence[Piece]) -> GroupFacts:
    return {
        "items": [piece.ruling.item.id for piece in pieces],
        "lots": lots([_member(piece, _labels(piece)) for piece in pieces]),
    }


def _labels(piece: Piece) -> tuple[str | None, ...]:
    """Two rivals with the same ones are two parts of one thing."""
    source = piece.ruling.item.provenance
    return source.version, source.effective_date, source.source_id, source.doc_section, source.jurisdiction


def _member(piece: Piece, says: object) -> GroupMember:
    source = piece.ruling.item.provenance
    return GroupMember(
        item=piece.ruling.item.id,
        says=says,
        source_type=piece.ruling.source_type,
        effective_date=source.effective_date,
        jurisdiction=source.jurisdiction,
    )


def contradictions(pieces: Sequence[Piece], compared: Collection[str]) -> list[FieldGroupFacts]:
    """
    Fields to which JSON items on one entity give different plain values; the values themselves are not told.

    Args:
        pieces: the set.
        compared: names of the fields that policy compares.
    """
    # By entity and field, so that each value is looked at once and never held against each other one.
    groups: dict[tuple[str, str], list[tuple[Piece, JsonValue]]] = defaultdict(list)
    for piece in pieces:
        entity = piece.ruling.item.provenance.entity_id
        if entity is not None:
            for name, value in _plain(piece.ruling.item.content, compared):
                groups[entity, name].append((piece, value))
    return [
        {
            "field": name,
            "items": [piece.ruling.item.id for piece, _ in group],
            "lots": lots([_member(piece, value) for piece, value in group]),
        }
        for (_, name), group in sorted(groups.items())
        if any(value != group[0][1] for _, value in group)
    ]


def _plain(content: JsonValue, compared: Collection[str]) -> Iterator[tuple[str, JsonValue]]:
    """Compared members with a plain value; one that is not set yet says nothing that another could contradict."""
    members = content if isinstance(content, dict) else {}
    for name in compared:
        value = members.get(name)
        if not isinstance(value, dict | list | None):
            yield name, value


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
