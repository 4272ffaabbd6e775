"""Stage: put the pack together, with a provenance tag on every piece."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from gateway.content import content_digest
from gateway.model import (
    Budgets,
    Case,
    ContextPack,
    Drop,
    Loss,
    PackItem,
    PackProvenance,
    PackSection,
    Piece,
    Ruling,
    RulingReport,
    ScopeAnswer,
    Selection,
    Verdict,
    Withheld,
)
from gateway.stages.redact import labels

LAYERS: Final = (
    "system",
    "tool_schema",
    "few_shot",
    "knowledge",
    "entity",
    "tool_result",
    "prior_result",
    "memory",
    "upload",
    "conversation",
    "task",
    "user",
)
"""Order of the sections: what changes least comes first, so that providers can cache the prefix."""

_REASONS: Final = {
    "conversation": "in the order spoken",
    "system": "in the order given",
    "task": "in the order given",
    "user": "in the order given",
}


def assemble(
    selection: Selection,
    rulings: Sequence[Ruling],
    case: Case,
    scoped: ScopeAnswer,
    *,
    budgets: Budgets,
    all_rulings: bool,
) -> ContextPack:
    """
    The pack, without its receipt.

    Args:
        selection: what fits, and what was left out.
        rulings: all of them, for the report.
        case: the request.
        scoped: what policy said of the request as a whole.
        budgets: the budget table.
        all_rulings: whether the caller may see denied items (`ledger:read`).
    """
    if selection.report is None:
        msg = "a selection is assembled only after its budget"
        raise ValueError(msg)
    verdict = decide(rulings, case, lost=selection.lost, all_rulings=all_rulings)
    return ContextPack(
        **dict(verdict),
        model=case.model.id,
        sections=tuple(
            _section(layer, [p for p in selection.kept if p.ruling.item.section == layer], case, budgets)
            for layer in LAYERS
            if any(p.ruling.item.section == layer for p in selection.kept)
        ),
        scope_metadata={
            "domain": case.domain,
            "entity": case.request.entity.model_dump() if case.request.entity else None,
            "filters_applied": scoped.filters,
        },
        user_context=_user_context(case),
        warnings=selection.warnings,
        budget_report=selection.report,
        drop_report=tuple(_drop(loss) for loss in selection.lost),
    )


def decide(rulings: Sequence[Ruling], case: Case, *, lost: Sequence[Loss] = (), all_rulings: bool) -> Verdict:
    """What the caller may know of the rulings, without a pack."""
    dropped = {loss.piece.ruling.decision_id for loss in lost}
    visible = [r for r in rulings if all_rulings or r.outcome != "denied"]
    denied = [r for r in rulings if r.outcome == "denied"]
    codes = Counter(code for ruling in denied for code in ruling.codes)
    return Verdict(
        id=f"pack_{case.derive_id('pack').replace('-', '')}",
        created_at=case.at,
        request={
            "agent_id": case.agent.id,
            "purpose": case.request.purpose,
            "session_id": case.request.session_id,
            "request_id": case.request_id,
            "trace_id": case.trace_id,
        },
        policy={
            "revision": case.policy.revision,
            "engine": f"{case.policy.engine} {case.policy.engine_version}",
        },
        rulings=tuple(_report(ruling, dropped=ruling.decision_id in dropped) for ruling in visible),
        withheld=Withheld(count=len(denied), codes=dict(sorted(codes.items()))),
    )


def _report(ruling: Ruling, *, dropped: bool) -> RulingReport:
    return RulingReport(
        item_id=ruling.item.id,
        outcome="dropped" if dropped else ruling.outcome,
        codes=ruling.codes,
        obligations=labels(ruling.obligations),
        trust_class=ruling.trust_class,
        authority_tier=ruling.authority_tier,
        decision_id=ruling.decision_id,
        stub=f"[{ruling.item.id}: set aside for review, {', '.join(ruling.codes)}]"
        if ruling.outcome == "quarantined"
        else None,
    )


def _section(layer: str, pieces: Sequence[Piece], case: Case, budgets: Budgets) -> PackSection:
    line = next(line for line in budgets.sections if layer in line.sections)
    return PackSection(
        type=pieces[0].ruling.item.section,
        token_budget=line.tokens * case.request.token_budget // budgets.reference_tokens,
        token_actual=sum(piece.tokens for piece in pieces),
        selection_reason=_REASONS.get(layer, "by 0.6 relevance and 0.4 authority, highest first"),
        items=tuple(_item(piece) for piece in pieces),
    )


def _item(piece: Piece) -> PackItem:
    ruling = piece.ruling
    source = ruling.item.provenance.model_dump(exclude={"domain", "entity_id"})
    return PackItem(
        id=ruling.item.id,
        content=piece.content,
        tokens=piece.tokens,
        score=piece.score,
        decision_id=ruling.decision_id,
        provenance=PackProvenance(
            **source,
            authority_tier=ruling.authority_tier,
            trust_class=ruling.trust_class,
            chunk_hash=f"sha256:{content_digest(piece.content)}",
        ),
    )


def _drop(loss: Loss) -> Drop:
    return Drop(
        item_id=loss.piece.ruling.item.id,
        reason=loss.reason,
        token_savings=loss.piece.tokens,
        in_favour_of=loss.in_favour_of,
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
