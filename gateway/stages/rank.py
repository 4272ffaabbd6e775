"""Stage: which of the released items count most, and which say the same or something else?"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from gateway.concurrency.apart import apart
from gateway.errors import ContextStarvationError, EntityDataEmptyError, EntityJurisdictionsError, PackRefusedError
from gateway.model import Budgets, Case, Loss, PackAnswer, PackWarning, Piece, Ruling, Selection
from gateway.model.piece import PackWords
from gateway.model.policy_answer import SetError
from gateway.model.policy_input import PackInput, RecordFacts, SetItemFacts, ShownToolFacts
from gateway.model.session import Session
from gateway.model.words.vocabulary import HISTORY
from gateway.policy.agent import AGENT_DECLARED
from gateway.policy.ask import ask
from gateway.policy.entrypoints import PACK
from gateway.policy.item import age_seconds
from gateway.ports.packing import Likeness
from gateway.ports.policy import PolicyEngine, Refused
from gateway.selection.conflicts import contradictions, rivals, without, yielding
from gateway.selection.disputes import disputes
from gateway.selection.duplicates import comparable, distinct
from gateway.selection.reasons import reasons_by_source
from gateway.sourcing.calling import Gathered


@dataclass(frozen=True, slots=True)
class KnownOfSet:
    """What policy is told of a set beside its items."""

    brought: Gathered
    """Which sources and tools were asked, and what came of it."""

    records: Sequence[RecordFacts]
    """What was brought as the record of the request's entity."""

    compared_fields: Collection[str] = ()
    """Fields of JSON items that policy compares."""

    tools: Sequence[ShownToolFacts] = ()
    """The registry's tools, and which of them the agent is told of."""


async def rank(
    rulings: Sequence[Ruling],
    case: Case,
    session: Session,
    *,
    known: KnownOfSet,
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
        ContextStarvationError, EntityDataEmptyError, EntityJurisdictionsError, PackRefusedError: policy refuses the set.

        PolicyError: policy gave no usable answer.
    """
    relevant, irrelevant = await apart(lambda: _relevant(_scored(rulings, case, budgets), budgets.min_relevance))
    unique, repeats, contrary = await apart(lambda: distinct(relevant, budgets, likeness, session))
    # Without repeats: each would be a rival of what it repeats, and policy would have to choose between one thing and itself.
    facts = await apart(lambda: _facts(unique, contrary, case, known))
    answer = await _ask_about_set(facts, case, rulings, policy)
    words = PackWords(
        tell_the_model=frozenset(answer.tell_the_model),
        warnings=tuple(PackWarning(code=w.code, message=w.message) for w in answer.gateway_warnings),
        may_stay_outside=frozenset(answer.may_stay_outside),
    )
    kept, conflicts = without(unique, answer.drop)
    return Selection(
        kept=tuple(sorted(yielding(kept, answer.yields), key=_order)),
        lost=(*irrelevant, *repeats, *conflicts),
        warnings=(
            *(PackWarning(code=w.code, message=w.message, items=w.items) for w in answer.warnings),
            *_quarantined(rulings, words),
            *([words.warning(AGENT_DECLARED)] if case.subject.declares_agents else []),
        ),
        told=words,
        asked=facts,
        answered=answer,
    )


def _scored(rulings: Sequence[Ruling], case: Case, budgets: Budgets) -> list[Piece]:
    usable = [(index, ruling) for index, ruling in enumerate(rulings) if ruling.usable]
    turns = [index for index, ruling in usable if ruling.item.section == HISTORY]
    # How many turns of conversation came after this one; nothing else ages.
    ages = {index: len(turns) - 1 - place for place, index in enumerate(turns)}
    return [_score(ruling, index, ages.get(index, 0), case, budgets) for index, ruling in usable]


def _score(ruling: Ruling, index: int, age: int, case: Case, budgets: Budgets) -> Piece:
    relevance = (1.0 if ruling.item.score is None else ruling.item.score) * budgets.turn_decay**age
    boost = budgets.authority_boost[ruling.authority_tier]
    score = budgets.relevance_weight * relevance + (1 - budgets.relevance_weight) * boost
    place = case.vocabulary.section(ruling.item.section)
    return Piece(ruling=ruling, content=ruling.content, place=place, index=index, score=round(score, 6))


def _order(piece: Piece) -> tuple[float, int]:
    return (-piece.score if comparable(piece) else 0.0, piece.index)


def _relevant(pieces: Iterable[Piece], minimum: float) -> tuple[list[Piece], list[Loss]]:
    kept, lost = [], []
    for piece in pieces:
        relevance = piece.ruling.item.score
        if relevance is not None and relevance < minimum and comparable(piece):
            lost.append(Loss(piece=piece, reason="relevance"))
        else:
            kept.append(piece)
    return kept, lost


def _facts(pieces: Sequence[Piece], contrary: Sequence[tuple[str, str]], case: Case, known: KnownOfSet) -> PackInput:
    return {
        **case.facts(),
        "items": [_labels(piece, case.now) for piece in pieces],
        "asked": list(known.brought.sources),
        "searches": list(known.brought.searches),
        "calls": [call.facts for call in known.brought.calls],
        "records": list(known.records),
        "groups": rivals(pieces, contrary),
        "fields": contradictions(pieces, known.compared_fields),
        "disputes": disputes(pieces),
        "tools": list(known.tools),
    }


async def _ask_about_set(facts: PackInput, case: Case, rulings: Sequence[Ruling], policy: PolicyEngine) -> PackAnswer:
    [answer] = await ask(policy, PACK, [facts])
    if not answer.allow:
        error = _refusal(answer, case, reasons_by_source(rulings))
        error.asked = Refused(case.policy, PACK.name, facts, answer)
        raise error
    return answer


def _refusal(answer: PackAnswer, case: Case, why: Sequence[tuple[str, str]]) -> PackRefusedError:
    reasons = sorted(denial.code for denial in answer.denials)
    # The most telling first: without the record it does not matter what else is missing.
    for told in answer.errors:
        return _entity_error(told, case, why, reasons)
    if answer.missing or answer.missing_sources:
        needs = [f"items[{name}]" for name in answer.missing]
        sources = [f"required_sources[{name}]" for name in answer.missing_sources]
        return ContextStarvationError(
            f"the agent's contract requires what is missing: {', '.join((*answer.missing, *answer.missing_sources))}",
            fields=[*((field, "is required by the agent's contract") for field in (*needs, *sources)), *why],
            reasons=reasons,
        )
    return PackRefusedError("policy refuses these items as a set", fields=why, reasons=reasons)


def _entity_error(
    told: SetError, case: Case, why: Sequence[tuple[str, str]], reasons: Sequence[str]
) -> PackRefusedError:
    """What policy says is wrong with the entity, by the caller's own name for it."""
    entity, names = case.request.entity, ", ".join(told.names)
    about = f"{entity.type} {entity.id}" if entity else "the entity of the request"
    if told.kind == "entity_jurisdictions":
        return EntityJurisdictionsError(
            f"the record of {about} does not list what the request is for: {names}",
            fields=[("jurisdictions", f"not of the entity, by its record: {names}"), *why],
            reasons=reasons,
        )
    return EntityDataEmptyError(
        f"there is no live system-of-record item about {about}; its record comes from {names or 'no source on record'}",
        fields=[("entity", f"no record of {about} may be used"), *why],
        reasons=reasons,
    )


def _labels(piece: Piece, now: datetime) -> SetItemFacts:
    source = piece.ruling.item.provenance
    return {
        "id": piece.ruling.item.id,
        "section": piece.ruling.item.section,
        "source_type": piece.ruling.source_type,
        "attested_by": piece.ruling.attested_by,
        "source_id": source.source_id,
        "corpus": source.corpus,
        "domain": source.domain,
        "doc_section": source.doc_section,
        "version": source.version,
        "effective_date": source.effective_date,
        "expiry_date": source.expiry_date,
        "jurisdiction": source.jurisdiction,
        "entity_id": source.entity_id,
        "age_seconds": age_seconds(piece.ruling.item, now),
        "ttl_seconds": source.ttl_seconds,
    }


def _quarantined(rulings: Sequence[Ruling], words: PackWords) -> Iterable[PackWarning]:
    items = tuple(ruling.item.id for ruling in rulings if ruling.outcome == "quarantined")
    if items:
        yield words.warning("QUARANTINED").model_copy(update={"items": items})
