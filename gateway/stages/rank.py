"""Stage: which of the released items count most, and which say the same or something else?"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Final

from gateway.content import content_digest
from gateway.errors import ContextStarvationError, EntityDataEmptyError, PackRefusedError
from gateway.model import Budgets, Case, Loss, PackAnswer, PackWarning, Piece, Ruling, Selection
from gateway.policy import ask
from gateway.ports import PolicyEngine

SEQUENTIAL: Final = frozenset({"system", "user", "task", "conversation"})
"""Sections whose items speak in their order; they are neither sorted nor compared with others."""


async def rank(rulings: Sequence[Ruling], case: Case, *, policy: PolicyEngine, budgets: Budgets) -> Selection:
    """
    Score what was released, drop repeats and what loses a conflict, and put the rest in order.

    final = relevance_weight * relevance + (1 - relevance_weight) * boost of the authority tier
    (two-stage retrieval design: 0.6 and 0.4, boosts 0.40 to 0.00).  An item without a relevance has 1.

    Raises:
        ContextStarvationError, EntityDataEmptyError, PackRefusedError: policy refuses the set.

        PolicyError: policy gave no usable answer.
    """
    pieces = [_score(ruling, place, budgets) for place, ruling in enumerate(rulings) if ruling.usable]
    relevant, irrelevant = _relevant(pieces, budgets.min_relevance)
    distinct, repeats = _distinct(relevant)
    answer = await _ask_about_set(distinct, case, policy)
    kept, conflicts = _without(distinct, {drop.item: drop.in_favour_of for drop in answer.drop})
    return Selection(
        kept=tuple(sorted(kept, key=_order)),
        lost=(*irrelevant, *repeats, *conflicts),
        warnings=(
            *(PackWarning(code=w.code, message=w.message, items=w.items) for w in answer.warnings),
            *_stale(kept),
            *_quarantined(rulings),
        ),
    )


def _score(ruling: Ruling, place: int, budgets: Budgets) -> Piece:
    relevance = 1.0 if ruling.item.score is None else ruling.item.score
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


def _distinct(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Loss]]:
    """Of pieces with the same content the one with the highest authority stays."""
    best: dict[str, Piece] = {}
    for piece in pieces:
        key = _identity(piece)
        if key not in best or _authority(piece) < _authority(best[key]):
            best[key] = piece
    kept, lost = [], []
    for piece in pieces:
        winner = best[_identity(piece)]
        if winner is piece:
            kept.append(piece)
        else:
            lost.append(Loss(piece=piece, reason="duplicate", in_favour_of=winner.ruling.item.id))
    return kept, lost


def _identity(piece: Piece) -> str:
    if piece.ruling.item.section in SEQUENTIAL:
        return piece.ruling.decision_id
    return content_digest(piece.ruling.item.content)


def _authority(piece: Piece) -> tuple[int, float, int]:
    return piece.ruling.authority_tier, -piece.score, piece.place


async def _ask_about_set(pieces: Sequence[Piece], case: Case, policy: PolicyEngine) -> PackAnswer:
    facts = {
        **case.facts(),
        "items": [_labels(piece) for piece in pieces],
        "rivals": _rivals(pieces),
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
    }


def _rivals(pieces: Sequence[Piece]) -> list[list[int]]:
    """Pairs of places that speak of one section of one source, or of one section on one entity."""
    groups: dict[tuple[str, str | None, str | None], list[int]] = defaultdict(list)
    for place, piece in enumerate(pieces):
        source = piece.ruling.item.provenance
        if piece.ruling.item.section in SEQUENTIAL:
            continue
        groups[("source", source.source_id, source.doc_section)].append(place)
        if source.entity_id is not None and source.doc_section is not None:
            groups[("entity", source.entity_id, source.doc_section)].append(place)
    pairs = {pair for places in groups.values() for pair in combinations(places, 2)}
    return [list(pair) for pair in sorted(pairs)]


def _without(pieces: Sequence[Piece], losers: dict[str, str]) -> tuple[list[Piece], list[Loss]]:
    kept = [piece for piece in pieces if piece.ruling.item.id not in losers]
    lost = [
        Loss(piece=piece, reason="conflict", in_favour_of=losers[piece.ruling.item.id])
        for piece in pieces
        if piece.ruling.item.id in losers
    ]
    return kept, lost


def _stale(pieces: Sequence[Piece]) -> Iterable[PackWarning]:
    items = tuple(p.ruling.item.id for p in pieces if any(o.type == "warn_stale" for o in p.ruling.obligations))
    if items:
        yield PackWarning(code="STALE-SOON", message="These items are near the end of their time to live.", items=items)


def _quarantined(rulings: Sequence[Ruling]) -> Iterable[PackWarning]:
    items = tuple(ruling.item.id for ruling in rulings if ruling.outcome == "quarantined")
    if items:
        yield PackWarning(
            code="QUARANTINED", message="These items look like instructions and were set aside.", items=items
        )
