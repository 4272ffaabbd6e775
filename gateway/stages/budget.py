"""Stage: fit what is left into the token budget, in the blueprint's overflow order (7.2)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from gateway.content import content_text
from gateway.errors import BudgetOverflowError
from gateway.model import (
    BudgetReport,
    Budgets,
    Case,
    Loss,
    OverflowReport,
    PackWarning,
    Piece,
    Selection,
)
from gateway.model.registry import OverflowAction
from gateway.ports import Tokenizer

_PRIORITY: Final = {"LOW": 0, "ADAPTIVE": 1, "MEDIUM": 2, "HIGH": 3, "FIXED": 4}

REASONING_FIELDS: Final = frozenset({"reasoning_chain", "reasoning", "intermediate_steps", "scratchpad"})
"""Fields of a prior agent's result that are not its final output (blueprint 7.2, step 4)."""


def budget(selection: Selection, case: Case, *, budgets: Budgets, tokenizer: Tokenizer) -> Selection:
    """
    Count tokens, keep the response headroom free, and cut in order until the rest fits.

    Never cut: the sections and sources that the budget table names.

    Raises:
        BudgetOverflowError: what must not be cut does not fit by itself.
    """
    total = case.request.token_budget
    headroom = response_headroom(total, budgets)
    plan = _Plan(
        available=total - headroom,
        kept=[_counted(piece, case, tokenizer) for piece in selection.kept],
        lost=[loss.model_copy(update={"piece": _counted(loss.piece, case, tokenizer)}) for loss in selection.lost],
        case=case,
        budgets=budgets,
        tokenizer=tokenizer,
    )
    plan.check_uncuttable()
    for action in budgets.overflow:
        plan.apply(action)
    plan.drop_least()
    used = plan.used
    warnings = selection.warnings
    if plan.actions:
        message = "Context was cut to fit the token budget. Some historical information may be missing."
        warnings = (*warnings, PackWarning(code="BUDGET-CUT", message=message))
    return Selection(
        kept=tuple(plan.kept),
        lost=tuple(plan.lost),
        warnings=warnings,
        report=BudgetReport(
            total_tokens=total,
            allocated=used + headroom,
            remaining=total - used - headroom,
            response_headroom=headroom,
            overflow_actions=tuple(plan.actions),
        ),
    )


def response_headroom(total: int, budgets: Budgets) -> int:
    """Tokens kept free for the answer: a part of the budget, at most what the table says."""
    part = total * budgets.headroom_percent // 100
    return min(max(part, min(budgets.headroom_minimum, total // 2)), budgets.headroom_maximum)


def _counted(piece: Piece, case: Case, tokenizer: Tokenizer) -> Piece:
    tokens = tokenizer.count(content_text(piece.content), case.model.encoding)
    return piece.model_copy(update={"tokens": tokens})


@dataclass(slots=True)
class _Plan:
    available: int
    kept: list[Piece]
    lost: list[Loss]
    case: Case
    budgets: Budgets
    tokenizer: Tokenizer
    actions: list[OverflowReport] = field(default_factory=list)

    @property
    def used(self) -> int:
        return sum(piece.tokens for piece in self.kept)

    def check_uncuttable(self) -> None:
        needed = sum(piece.tokens for piece in self.kept if not self._cuttable(piece))
        if needed > self.available:
            raise BudgetOverflowError(
                f"what must not be cut takes {needed} tokens and {self.available} are available",
                fields=[("token_budget", f"must leave {needed} tokens beside the response headroom")],
            )

    def apply(self, action: OverflowAction) -> None:
        """One step of the overflow order, as far as it is needed."""
        if self.used <= self.available:
            return
        step = {
            "compress_conversation": self._shorten_older,
            "reduce_few_shot": self._keep_best,
            "prune_knowledge": self._keep_best,
            "trim_prior_results": self._drop_reasoning,
        }[action.name]
        before = self.used
        touched = step(action)
        if touched:
            self._report(action.name, touched, before)

    def drop_least(self) -> None:
        """When the order is through and it still does not fit: the least of what may be cut, one by one."""
        before, touched = self.used, []
        for piece in sorted(filter(self._cuttable, self.kept), key=self._worth):
            if self.used <= self.available:
                break
            self._drop(piece)
            touched.append(piece.ruling.item.id)
        if touched:
            self._report("drop_lowest_priority", touched, before)

    def _report(self, name: str, touched: Sequence[str], before: int) -> None:
        self.actions.append(OverflowReport(action=name, items=tuple(touched), token_savings=before - self.used))

    def _cuttable(self, piece: Piece) -> bool:
        item = piece.ruling.item
        return (
            item.section not in self.budgets.never_cut_sections
            and item.provenance.source_type not in self.budgets.never_cut_sources
        )

    def _worth(self, piece: Piece) -> tuple[int, float, int]:
        section = piece.ruling.item.section
        line = next(line for line in self.budgets.sections if section in line.sections)
        age = piece.place if section == "conversation" else -piece.place
        return _PRIORITY[line.priority], piece.score, age

    def _in(self, section: str) -> list[Piece]:
        return [p for p in self.kept if p.ruling.item.section == section and self._cuttable(p)]

    def _drop(self, piece: Piece) -> None:
        self.kept.remove(piece)
        self.lost.append(Loss(piece=piece, reason="budget"))

    def _keep_best(self, action: OverflowAction) -> list[str]:
        touched = []
        for piece in reversed(self._in(action.section)[action.keep :]):
            if self.used <= self.available:
                break
            self._drop(piece)
            touched.append(piece.ruling.item.id)
        return touched

    def _shorten_older(self, action: OverflowAction) -> list[str]:
        turns = self._in(action.section)
        older = turns[: -action.keep] if action.keep else turns
        return self._change(older, lambda piece: shorten(content_text(piece.content), self.budgets.summary_characters))

    def _drop_reasoning(self, action: OverflowAction) -> list[str]:
        return self._change(self._in(action.section), lambda piece: _final_output(piece.content))

    def _change(self, pieces: Iterable[Piece], change: Callable[[Piece], JsonValue]) -> list[str]:
        touched = []
        for piece in pieces:
            content = change(piece)
            smaller = _counted(piece.model_copy(update={"content": content}), self.case, self.tokenizer)
            if smaller.tokens < piece.tokens:
                self.kept[self.kept.index(piece)] = smaller
                touched.append(piece.ruling.item.id)
        return touched


def shorten(text: str, characters: int) -> str:
    """The beginning of a text, with its fence, where it has one, still closed."""
    lines = text.split("\n")
    fenced = len(lines) > 2 and lines[0].startswith("<<untrusted ") and lines[-1].startswith("<<end untrusted ")
    body = "\n".join(lines[1:-1]) if fenced else text
    if len(body) <= characters:
        return text
    cut = body[:characters].rstrip() + " […]"
    return "\n".join((lines[0], cut, lines[-1])) if fenced else cut


def _final_output(content: JsonValue) -> JsonValue:
    if not isinstance(content, dict):
        return content
    return {name: value for name, value in content.items() if name not in REASONING_FIELDS}
