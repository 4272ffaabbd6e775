"""Stage: which of the released items count most, and which say the same or something else?"""

from asyncio import to_thread
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from pydantic import JsonValue

from gateway.errors import ContextStarvationError, EntityDataEmptyError, PackRefusedError
from gateway.model import Budgets, Case, Loss, PackAnswer, PackWarning, Piece, Ruling, Selection
from gateway.model.piece import PackWords
from gateway.model.policy import SetYield
from gateway.policy import ask
from gateway.ports import Likeness, PolicyEngine
from gateway.sessions import Session
from gateway.stages.distinct import SEQUENTIAL, comparable, distinct


async def rank(
    rulings: Sequence[Ruling],
    case: Case,
    session: Session,
    *,
    policy: PolicyEngine,
    budgets: Budgets,
    likeness: Likeness,
) -> Selection:
    """
    Score what was released, drop repeats and what loses a conflict, and put the rest in order.

    final = relevance_weight * relevance + (1 - relevance_weight) * boost of the authority tier
    (two-stage retrieval design: 0.6 and 0.4, boosts 0.40 to 0.00).  An item without a relevance has 1; a turn of
    conversation is worth less with every turn after it.

    Raises:
        ContextStarvationError, EntityDataEmptyError, PackRefusedError: policy refuses the set.

        PolicyError: policy gave no usable answer.
    """
    usable = [(place, ruling) for place, ruling in enumerate(rulings) if ruling.usable]
    turns = [place for place, ruling in usable if ruling.item.section == "conversation"]
    pieces = [_score(ruling, place, _age(place, turns), budgets) for place, ruling in usable]
    relevant, irrelevant = _relevant(pieces, budgets.min_relevance)
    unique, repeats, contrary = await to_thread(distinct, relevant, budgets, likeness, session)
    answer = await _ask_about_set(unique, contrary, case, policy)
    words = PackWords(
        tell_the_model=frozenset(answer.tell_the_model),
        warnings=tuple(PackWarning(code=w.code, message=w.message) for w in answer.gateway_warnings),
        may_stay_outside=frozenset(answer.may_stay_outside),
    )
    kept, conflicts = _without(unique, {drop.item: drop.in_favour_of for drop in answer.drop})
    return Selection(
        kept=tuple(sorted(_yielding(kept, answer.yields), key=_order)),
        lost=(*irrelevant, *repeats, *conflicts),
        warnings=(
            *(PackWarning(code=w.code, message=w.message, items=w.items) for w in answer.warnings),
            *_quarantined(rulings, words),
        ),
        told=words,
    )


def _age(place: int, turns: Sequence[int]) -> int:
    """How many turns of conversation came after this one; nothing else ages."""
    return len(turns) - 1 - turns.index(place) if place in turns else 0


def _score(ruling: Ruling, place: int, age: int, budgets: Budgets) -> Piece:
    relevance = (1.0 if ruling.item.score is None else ruling.item.score) * budgets.turn_decay**age
    boost = budgets.authority_boost[ruling.authority_tier]
    score = budgets.relevance_weight * relevance + (1 - budgets.relevance_weight) * boost
    return Piece(ruling=ruling, content=ruling.content, place=place, score=round(score, 6))


def _order(piece: Piece) -> tuple[float, int]:
    return (0.0 if piece.ruling.item.section in SEQUENTIAL else -piece.score, piece.place)


def _relevant(pieces: Iterable[Piece], minimum: float) -> tuple[list[Piece], list[Loss]]:
    kept, lost = [], []
    for piece in pieces:
        relevance = piece.ruling.item.score
        if relevance is not None and relevance < minimum and piece.ruling.item.section not in SEQUENTIAL:
            lost.append(Loss(piece=piece, reason="relevance"))
        else:
            kept.append(piece)
    return kept, lost


async def _ask_about_set(
    pieces: Sequence[Piece], contrary: Sequence[tuple[str, str]], case: Case, policy: PolicyEngine
) -> PackAnswer:
    facts = {
        **case.facts(),
        "items": [_labels(piece) for piece in pieces],
        "rivals": _rivals(pieces, contrary),
        "contradictions": list(_contradictions(pieces)),
    }
    [answer] = await ask(policy, "context/pack", [facts], PackAnswer)
    if not answer.allow:
        _refuse(answer)
    return answer


def _refuse(answer: PackAnswer) -> None:
    reasons = sorted(denial.code for denial in answer.denials)
    if "CTR-002" in reasons:
        raise EntityDataEmptyError(
            "there is no live system-of-record item about the entity of the request",
            fields=[("entity", "no system-of-record item about it may be used")],
            reasons=reasons,
        )
    if answer.missing:
        raise ContextStarvationError(
            f"the agent's contract requires what is missing: {', '.join(answer.missing)}",
            fields=[(f"items[{name}]", "is required by the agent's contract") for name in answer.missing],
            reasons=reasons,
        )
    raise PackRefusedError("policy refuses these items as a set", reasons=reasons)


def _labels(piece: Piece) -> dict[str, Any]:
    source = piece.ruling.item.provenance
    return {
        "id": piece.ruling.item.id,
        "section": piece.ruling.item.section,
        "source_type": source.source_type,
        "source_id": source.source_id,
        "doc_section": source.doc_section,
        "version": source.version,
        "effective_date": source.effective_date,
        "jurisdiction": source.jurisdiction,
        "entity_id": source.entity_id,
        # As they were when the item was decided on; the clock of a request stands still.
        **{name: piece.ruling.facts["item"][name] for name in ("age_seconds", "ttl_seconds")},
    }


def _rivals(pieces: Sequence[Piece], contrary: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Pairs of places that speak of one section of one source, or of one section on one entity, or are contrary."""
    groups: dict[tuple[str, str | None, str | None], list[int]] = defaultdict(list)
    for place, piece in enumerate(pieces):
        source = piece.ruling.item.provenance
        if not comparable(piece):
            continue
        groups["source", source.source_id, source.doc_section].append(place)
        if source.entity_id is not None and source.doc_section is not None:
            groups["entity", source.entity_id, source.doc_section].append(place)
    pairs = {pair for places in groups.values() for pair in combinations(places, 2)}
    places = {piece.ruling.item.id: place for place, piece in enumerate(pieces)}
    known = [(places[left], places[right]) for left, right in contrary if left in places and right in places]
    return [list(pair) for pair in sorted(pairs | {(min(pair), max(pair)) for pair in known})]


def _contradictions(pieces: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    """Fields to which two JSON items on one entity give different plain values."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, piece in enumerate(pieces):
        entity = piece.ruling.item.provenance.entity_id
        if entity is not None and isinstance(piece.ruling.item.content, dict):
            groups[entity].append(place)
    for pair in sorted(pair for places in groups.values() for pair in combinations(places, 2)):
        left, right = (_plain(pieces[place].ruling.item.content) for place in pair)
        for name in sorted(left.keys() & right.keys()):
            if left[name] != right[name]:
                yield {"left": pair[0], "right": pair[1], "field": name}


def _plain(content: JsonValue) -> dict[str, JsonValue]:
    """Members with a plain value; one that is not set yet says nothing that another could contradict."""
    members = content if isinstance(content, dict) else {}
    return {name: value for name, value in members.items() if not isinstance(value, dict | list | None)}


def _yielding(pieces: Sequence[Piece], yields: Sequence[SetYield]) -> list[Piece]:
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


def _without(pieces: Sequence[Piece], losers: dict[str, str]) -> tuple[list[Piece], list[Loss]]:
    kept = [piece for piece in pieces if piece.ruling.item.id not in losers]
    lost = [
        Loss(piece=piece, reason="conflict", in_favour_of=losers[piece.ruling.item.id])
        for piece in pieces
        if piece.ruling.item.id in losers
    ]
    return kept, lost


def _quarantined(rulings: Sequence[Ruling], words: PackWords) -> Iterable[PackWarning]:
    items = tuple(ruling.item.id for ruling in rulings if ruling.outcome == "quarantined")
    if items:
        yield words.warning("QUARANTINED").model_copy(update={"items": items})
