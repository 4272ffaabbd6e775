"""Stage: what the caller may know of the rulings, which is all that there is where no pack is asked for."""

from collections import Counter
from collections.abc import Sequence

from gateway.model import Case, Loss, Ruling, RulingReport, RulingsAnswer, Withheld
from gateway.model.policy_answer import obligation_labels


def report(rulings: Sequence[Ruling], case: Case, *, lost: Sequence[Loss] = ()) -> RulingsAnswer:
    """What the caller may know of the rulings, without a pack; who may read the ledger may know all."""
    all_rulings = case.subject.has_scope("ledger:read")
    dropped = {loss.piece.ruling.decision_id for loss in lost}
    # That something was refused is told by number and code alone: an item's name may say what the caller may not know.
    visible = [(number, r) for number, r in enumerate(rulings, 1) if all_rulings or r.outcome != "denied"]
    denied = [r for r in rulings if r.outcome == "denied"]
    codes = Counter(code for ruling in denied for code in ruling.codes)
    return RulingsAnswer(
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
        rulings=tuple(_report(number, one, dropped=one.decision_id in dropped) for number, one in visible),
        withheld=Withheld(count=len(denied), codes=dict(sorted(codes.items()))),
    )


def _report(number: int, ruling: Ruling, *, dropped: bool) -> RulingReport:
    return RulingReport(
        item_id=ruling.item.id,
        number=number,
        outcome="dropped" if dropped else ruling.outcome,
        codes=ruling.codes,
        obligations=obligation_labels(ruling.obligations),
        trust_class=ruling.trust_class,
        authority_tier=ruling.authority_tier,
        decision_id=ruling.decision_id,
        stub=f"[item {number}: set aside for review, {', '.join(ruling.codes)}]"
        if ruling.outcome == "quarantined"
        else None,
    )
