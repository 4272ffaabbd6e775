"""Cutting what does not fit, in the overflow order of the budget table (blueprint 7.2)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from pydantic import JsonValue

from gateway.content.extract import extract
from gateway.errors import BudgetOverflowError
from gateway.model import Budgets, Loss, OverflowReport, Piece
from gateway.model.content import content_text
from gateway.model.envelope import SegmentReport
from gateway.model.piece import PackWords
from gateway.model.registry import OverflowAction, SectionBudget
from gateway.prompt.blocks import notice
from gateway.prompt.meter import MESSAGE, Meter
from gateway.prompt.shorten import shortened
from gateway.selection.knapsack import best

_PRIORITY: Final = {"LOW": 0, "ADAPTIVE": 1, "MEDIUM": 2, "HIGH": 3, "FIXED": 4}

ROLES: Final = {"L1": "system", "L2": "system", "L3": "user", "L5": "user"}
"""Whose message a layer is part of; each turn of L4 is a message of its own."""

REASONING_FIELDS: Final = frozenset({"reasoning_chain", "reasoning", "intermediate_steps", "scratchpad"})
"""Fields of a prior agent's result that are not its final output (blueprint 7.2, step 4)."""

CUT: Final = "BUDGET-CUT"
"""Code of the warning that something was cut; what it says stands in the policies."""


@dataclass(slots=True)
class Plan:
    """What is kept while it is made to fit, and what was done for that."""

    available: int
    kept: dict[int, Piece]
    """By place, in order."""

    lost: list[Loss]
    around: list[SegmentReport]
    meter: Meter
    budgets: Budgets
    told: PackWords
    actions: list[OverflowReport] = field(default_factory=list)
    optimality: float = 1.0
    cut: bool = False

    @property
    def framing(self) -> int:
        """Tokens that are of no item."""
        roles = {ROLES[piece.layer] for piece in self.kept.values() if piece.layer in ROLES}
        if self.around:
            roles.add("user")
        return MESSAGE + sum(map(self.meter.message, sorted(roles))) + self.meter.around(self.around)

    @property
    def used(self) -> int:
        return self.framing + sum(piece.tokens for piece in self.kept.values())

    @property
    def over(self) -> bool:
        return self.used > self.available

    def fit(self) -> None:
        """Everything that makes it fit, in order."""
        self._shorten_library()
        for line in self.budgets.sections:
            if line.share == "hard":
                self._hold(line)
        if not self.over:
            return
        self._say_cut()
        self._check_uncuttable()
        for action in self.budgets.overflow:
            self._apply(action)
        if self.over:
            self._leave_out_least()

    def _say_cut(self) -> None:
        if self.cut:
            return
        self.cut = True
        if CUT in self.told.tell_the_model:
            self.around.append(notice(self.told.warning(CUT)))

    def _hold(self, line: SectionBudget) -> None:
        """A line that binds by itself: first the steps of the overflow order that are for its sections, then the least goes."""
        case = self.meter.case
        room = self.budgets.tokens_for(line, case.agent, case.request.purpose, case.request.token_budget)
        if self._taken(line) <= room:
            return
        self._say_cut()
        mine = [action for action in self.budgets.overflow if action.section in line.sections]
        # Where leaving the newest turns whole is not enough they are shortened too, before any of them is left out.
        mine += [action.model_copy(update={"keep": 0}) for action in mine if action.name == "compress_conversation"]
        for action in mine:
            if self._taken(line) > room:
                before = self.used
                if touched := self._step(action, self._taken(line) - room):
                    self._report(action.name, touched, before)
        before, gone = self.used, []
        for piece in sorted(self._of(line), key=lambda piece: (piece.score, piece.index)):
            if self._taken(line) <= room:
                break
            self._drop(piece)
            gone.append(piece.ruling.item.id)
        if gone:
            self._report("hold_share", gone, before)

    def _of(self, line: SectionBudget) -> list[Piece]:
        return [piece for section in line.sections for piece in self._in(section)]

    def _taken(self, line: SectionBudget) -> int:
        return sum(piece.tokens for piece in self._of(line))

    def _check_uncuttable(self) -> None:
        needed = self.framing + sum(piece.tokens for piece in self.kept.values() if not self._cuttable(piece))
        if needed > self.available:
            raise BudgetOverflowError(
                f"what must not be cut takes {needed} tokens and {self.available} are available",
                fields=[("token_budget", f"must leave {needed} tokens beside the response headroom")],
            )

    def _shorten_library(self) -> None:
        """Digests for what the library holds longest, until it has the size that the table gives it."""
        library = self.budgets.library
        room = library.tokens * self.meter.case.request.token_budget // self.budgets.reference_tokens
        held = sorted(
            (piece for piece in self.kept.values() if piece.layer == "L2"), key=lambda piece: piece.carried or 0
        )
        size, before, touched = sum(piece.tokens for piece in held), self.used, []
        for piece in held:
            if size <= room:
                break
            smaller = self.meter.piece(shortened(piece, library))
            if not piece.attached and piece.form == "full" and smaller.tokens < piece.tokens:
                self.kept[piece.index] = smaller
                size -= piece.tokens - smaller.tokens
                touched.append(piece.ruling.item.id)
        if touched:
            self._report("shorten_library", touched, before)

    def _leave_out_least(self) -> None:
        """The most worth that fits stays, class by class; refused where the request does not allow it."""
        before, room = self.used, self.available - self.framing
        stay = set[int]()
        # What must not be cut takes its room first; that it fits was checked before anything was cut.
        for piece in self.kept.values():
            if not self._cuttable(piece):
                stay.add(piece.index)
                room -= piece.tokens
        classes = self._classes()
        ranked = sorted(
            filter(self._cuttable, self.kept.values()), key=lambda piece: classes[piece.index], reverse=True
        )
        # Class by class and not all at once: by worth alone, one section could take the room that the table gives to others.
        for _, group in groupby(ranked, key=lambda piece: classes[piece.index]):
            pieces = list(group)
            packed = best([piece.score for piece in pieces], [piece.tokens for piece in pieces], room)
            for index in packed.chosen:
                stay.add(pieces[index].index)
                room -= pieces[index].tokens
            if packed.bound > 0:
                self.optimality = min(self.optimality, packed.value / packed.bound)
        gone = [piece for piece in self.kept.values() if piece.index not in stay]
        if not self.meter.case.request.allow_truncation:
            raise BudgetOverflowError(
                f"the context takes {before} tokens after all that may be shortened, and {self.available} are available",
                fields=[
                    (f"items[{piece.ruling.item.id}]", f"would have to go: {piece.tokens} tokens") for piece in gone
                ],
            )
        for piece in gone:
            self._drop(piece)
        self._report("leave_out_least", [piece.ruling.item.id for piece in gone], before)

    def _classes(self) -> dict[int, tuple[bool, int]]:
        """By place, what competes with what: within its line before beyond it, then by the line's priority."""
        case, classes = self.meter.case, dict[int, tuple[bool, int]]()
        for line in self.budgets.sections:
            size = self.budgets.tokens_for(line, case.agent, case.request.purpose, case.request.token_budget)
            mine = [piece for piece in self.kept.values() if piece.ruling.item.section in line.sections]
            for piece in sorted(mine, key=lambda piece: (-piece.score, piece.index)):
                size -= piece.tokens
                classes[piece.index] = size >= 0, _PRIORITY[line.priority]
        return classes

    def _apply(self, action: OverflowAction) -> None:
        """One step of the overflow order, as far as it is needed."""
        if not self.over:
            return
        before = self.used
        touched = self._step(action, self.used - self.available)
        if touched:
            self._report(action.name, touched, before)

    def _step(self, action: OverflowAction, over: int) -> list[str]:
        """What the step touches when it has to save so many tokens."""
        if action.name == "compress_conversation":
            return self._shorten_older(action)
        if action.name == "trim_prior_results":
            return self._drop_reasoning(action)
        return self._keep_best(action, over)

    def _report(self, name: str, touched: Sequence[str], before: int) -> None:
        self.actions.append(OverflowReport(action=name, items=tuple(touched), token_savings=before - self.used))

    def _cuttable(self, piece: Piece) -> bool:
        item = piece.ruling.item
        return (
            item.section not in self.budgets.never_cut_sections
            and piece.ruling.source_type not in self.budgets.never_cut_sources
        )

    def _in(self, section: str) -> list[Piece]:
        return [p for p in self.kept.values() if p.ruling.item.section == section and self._cuttable(p)]

    def _drop(self, piece: Piece) -> None:
        del self.kept[piece.index]
        self.lost.append(Loss(piece=piece, reason="budget"))

    def _keep_best(self, action: OverflowAction, over: int) -> list[str]:
        touched = []
        ranked = sorted(self._in(action.section), key=lambda piece: _preference(piece, action.prefer))
        for piece in reversed(ranked[action.keep :]):
            if over <= 0:
                break
            self._drop(piece)
            over -= piece.tokens
            touched.append(piece.ruling.item.id)
        return touched

    def _shorten_older(self, action: OverflowAction) -> list[str]:
        turns = self._in(action.section)
        older = turns[: -action.keep] if action.keep else turns
        return self._change(
            older, lambda piece: extract(content_text(piece.content), self.budgets.summary_characters), form="digest"
        )

    def _drop_reasoning(self, action: OverflowAction) -> list[str]:
        return self._change(self._in(action.section), lambda piece: _final_output(piece.content))

    def _change(
        self, pieces: Iterable[Piece], change: Callable[[Piece], JsonValue], form: str | None = None
    ) -> list[str]:
        touched = []
        for piece in pieces:
            changed = {"content": change(piece), "form": form or piece.form}
            smaller = self.meter.piece(piece.model_copy(update=changed))
            if smaller.tokens < piece.tokens:
                self.kept[piece.index] = smaller
                touched.append(piece.ruling.item.id)
        return touched


def _preference(piece: Piece, labels: Sequence[str]) -> tuple[int, float, int]:
    label = piece.ruling.item.provenance.doc_section
    return labels.index(label) if label in labels else len(labels), -piece.score, piece.index


def _final_output(content: JsonValue) -> JsonValue:
    if not isinstance(content, dict):
        return content
    return {name: value for name, value in content.items() if name not in REASONING_FIELDS}
