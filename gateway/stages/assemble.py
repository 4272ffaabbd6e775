"""Stage: put the pack together, with a provenance tag on every piece."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.errors import PackIncompleteError
from gateway.model import (
    Budgets,
    Case,
    ContextPack,
    Drop,
    Loss,
    PackSection,
    Piece,
    Ruling,
    RulingsAnswer,
    ScopeAnswer,
    Selection,
)
from gateway.model.envelope import RuntimeState, SelectedItem, ToolCall, ToolsShown
from gateway.model.policy_input import RecordFacts, ShownToolFacts
from gateway.model.session import Session
from gateway.model.words.vocabulary import SectionFacts
from gateway.ports.packing import Tokenizer
from gateway.prompt.layers import envelope
from gateway.prompt.meter import Meter
from gateway.prompt.render import render
from gateway.prompt.sections import by_section
from gateway.sourcing.calling import Called, Gathered
from ledger.erasable import Erasable
from ledger.lane import Written


@dataclass(frozen=True, slots=True)
class Ruled:
    """A request whose items are ruled on, and on record."""

    case: Case
    scoped: ScopeAnswer
    rulings: list[Ruling]
    written: list[Written]
    asides: list[Erasable]
    """Of each record its erasable side, under whose salts its commitments are."""

    session: Session
    brought: Gathered = field(default_factory=Gathered)
    """Which sources and tools were asked, and what came of it."""

    records: tuple[RecordFacts, ...] = ()
    """What was brought as the record of the request's entity."""

    tools: tuple[ShownToolFacts, ...] = ()
    """The registry's tools, and which of them the agent is told of."""


def assemble(
    selection: Selection, ruled: Ruled, verdict: RulingsAnswer, *, budgets: Budgets, tokenizer: Tokenizer
) -> ContextPack:
    """
    The pack, without its receipt.

    Args:
        selection: what fits, and what was left out.
        ruled: the request and all its rulings.
        verdict: what the caller may know of them.
        budgets: the budget table.
        tokenizer: counts the layers.

    Raises:
        PackIncompleteError: an allowed item is neither in the pack nor in its drop report, or another one is.
    """
    case, rulings = ruled.case, ruled.rulings
    if selection.report is None:
        msg = "a selection is assembled only after its budget"
        raise ValueError(msg)
    # Before anything is made of it: a pack that lacks an item, or has one too many, must not come to be sealed.
    check_complete(selection, rulings)
    pack = ContextPack(
        **dict(verdict),
        model=case.model.id,
        sections=tuple(
            _section(section, pieces, case, budgets)
            for section, pieces in by_section(
                ((piece.ruling.item.section, piece) for piece in selection.kept), case.vocabulary
            )
        ),
        scope_metadata={
            "domain": case.domain,
            "entity": case.request.entity.model_dump() if case.request.entity else None,
            "data_sensitivity": ruled.scoped.data_sensitivity,
            "filters_applied": ruled.scoped.filters,
            **({"as_of": case.request.as_of} if case.request.as_of else {}),
        },
        user_context=_user_context(case),
        warnings=selection.warnings,
        budget_report=selection.report,
        runtime_state=_state(selection, ruled),
        envelope=envelope(selection, rulings, ruled.session, Meter(case, tokenizer), case.request.session_id),
        drop_report=tuple(_drop(loss) for loss in selection.lost),
    )
    return pack.model_copy(update={"messages": render(pack, case.request.render)}) if case.request.render else pack


def check_complete(selection: Selection, rulings: Sequence[Ruling]) -> None:
    """
    Everything that was allowed is in the pack or in the drop report, once, and nothing else is in either.

    Raises:
        PackIncompleteError: says how many are missing or too many, never which.
    """
    # Counted and not only collected: what stands there twice is as wrong as what is missing.
    inside = [piece.ruling.decision_id for kept in selection.kept for piece in (kept, *kept.joined)]
    shown = Counter([*inside, *(loss.piece.ruling.decision_id for loss in selection.lost)])
    allowed = Counter(ruling.decision_id for ruling in rulings if ruling.usable)
    if shown != allowed:
        wrong = (shown - allowed) + (allowed - shown)
        raise PackIncompleteError(f"{wrong.total()} items of the pack and its drop report are not what was allowed")


def decisions_of(pack: ContextPack) -> list[str]:
    """Decision ids of all whose content is in the pack, in order."""
    found = []
    for section in pack.sections:
        for item in section.items:
            found.append(item.decision_id)
            # A chunk that was joined to this one is no item any more, but its text is there; of a repeat only the name is.
            found += [also.decision_id for also in item.attributions if also.relation == "merged"]
    return found


def _section(section: SectionFacts, pieces: Sequence[Piece], case: Case, budgets: Budgets) -> PackSection:
    line = budgets.line(section.name)
    return PackSection(
        type=section.name,
        token_budget=budgets.tokens_for(line, case.agent, case.request.purpose, case.request.token_budget),
        token_actual=sum(piece.tokens for piece in pieces),
        selection_reason=section.selected(budgets.relevance_weight),
        items=tuple(piece.item for piece in pieces if piece.item),
    )


def _state(selection: Selection, ruled: Ruled) -> RuntimeState:
    report, case = selection.report, ruled.case
    # Of an item that policy has exposed as fields their names; the values stand in the pack, and nowhere a second time.
    listed = [p for p in selection.kept if any(duty.type == "expose" for duty in p.ruling.obligations)]
    return RuntimeState(
        session_id=case.request.session_id,
        turn=case.request.turn,
        selected=tuple(
            SelectedItem(
                id=piece.ruling.item.id,
                segment=piece.segment,
                data_classification=piece.ruling.item.provenance.data_classification,
                trust_class=piece.ruling.trust_class,
            )
            for piece in selection.kept
        ),
        exposed_fields={p.ruling.item.id: tuple(p.content) for p in listed if isinstance(p.content, dict)},
        artifacts={piece.ruling.item.id: piece.artifact for piece in selection.kept if piece.artifact},
        policy=case.policy.revision,
        tokens=report.allocated - report.response_headroom if report else 0,
        tools_called=tuple(_call(call) for call in ruled.brought.calls),
        tools=_tools(ruled.tools) if ruled.tools else None,
    )


def _call(call: Called) -> ToolCall:
    planned = call.planned
    return ToolCall(name=planned.tool.id, source=planned.source.id, status=call.status, bytes=call.size)


def _tools(told: Sequence[ShownToolFacts]) -> ToolsShown:
    # Of what is refused its number and codes alone: a name would tell what there is.
    named = {
        outcome: tuple(one["id"] for one in told if one["outcome"] == outcome)
        for outcome in ("offered", "brought", "not_needed")
    }
    return ToolsShown(**named, refused=dict(sorted(Counter(code for one in told for code in one["codes"]).items())))


def _drop(loss: Loss) -> Drop:
    source = loss.piece.ruling.item.provenance
    return Drop(
        item_id=loss.piece.ruling.item.id,
        reason=loss.reason,
        token_savings=loss.piece.tokens,
        in_favour_of=loss.in_favour_of,
        fetch_again=None
        if source.source_id is None
        else {"source_id": source.source_id, "version": source.version, "doc_section": source.doc_section},
    )


def _user_context(case: Case) -> dict[str, Any]:
    subject = case.subject
    return {
        "user_id": subject.sub,
        "role": subject.role,
        "department": subject.department,
        "jurisdictions": list(subject.jurisdictions),
        "entitlements": None if subject.entitlements is None else list(subject.entitlements),
        "session_id": case.request.session_id or subject.session_id,
    }
