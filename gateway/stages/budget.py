"""Stage: fit what is left into the token budget, in the blueprint's overflow order (7.2)."""

from collections.abc import Iterable

from gateway.model import BudgetReport, Budgets, Case, Loss, Selection
from gateway.ports.packing import Tokenizer
from gateway.prompt.meter import Meter
from gateway.selection.fitting import CUT, Plan


def budget(selection: Selection, case: Case, *, budgets: Budgets, tokenizer: Tokenizer) -> Selection:
    """
    Count tokens as rendered, keep the response headroom free, and cut in order until the rest fits.

    Never cut: the sections and sources that the budget table names.  When the order is through and it still does not fit,
    the least is left out only where the request allows that.

    Raises:
        BudgetOverflowError: it does not fit; its fields say what would have to go.
    """
    meter = Meter(case, tokenizer)
    total = case.request.token_budget
    headroom = response_headroom(total, budgets)
    plan = Plan(
        available=total - headroom,
        kept={piece.index: meter.piece(piece) for piece in selection.kept},
        lost=[loss.model_copy(update={"piece": meter.piece(loss.piece)}) for loss in selection.lost],
        around=list(selection.around),
        meter=meter,
        budgets=budgets,
        told=selection.told,
    )
    plan.fit()
    return Selection(
        kept=tuple(plan.kept.values()),
        lost=tuple(_each(plan.lost)),
        warnings=(*selection.warnings, selection.told.warning(CUT)) if plan.cut else selection.warnings,
        around=tuple(plan.around),
        report=BudgetReport(
            total_tokens=total,
            allocated=plan.used + headroom,
            remaining=total - plan.used - headroom,
            response_headroom=headroom,
            overflow_actions=tuple(plan.actions),
            framing=plan.framing,
            exact=case.model.exact,
            optimality_percent=int(plan.optimality * 100 + 1e-9),
        ),
    )


def _each(losses: Iterable[Loss]) -> Iterable[Loss]:
    """One loss for each item, also where the texts of several were joined."""
    for loss in losses:
        yield loss
        for piece in loss.piece.joined:
            yield loss.model_copy(update={"piece": piece})


def response_headroom(total: int, budgets: Budgets) -> int:
    """Tokens kept free for the answer: a part of the budget, at most what the table says."""
    part = total * budgets.headroom_percent // 100
    return min(max(part, min(budgets.headroom_minimum, total // 2)), budgets.headroom_maximum)
