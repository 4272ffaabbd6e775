"""
All that two bundles decide differently, over every input that the schema allows.

Rules held here: that nothing is decided differently is said only where the solver finds nothing; every row is shown by an input that
every engine decides differently under the two bundles; whatever was found and not shown so is said to be open.
"""

import time

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gateway.errors import PolicyError
from gateway.policy.bundle import Bundle
from gateway.workbench.proving.asking import AskedBundle
from gateway.workbench.proving.cells import Cell, cells_of
from gateway.workbench.proving.documents import Counterexample, DecisionChange, DiffRow, ExactDiff
from gateway.workbench.proving.engines import Engines
from gateway.workbench.proving.examples import Examples, different
from gateway.workbench.proving.formulas.inputs import InputSchema
from gateway.workbench.proving.formulas.reading import NotCoveredError
from gateway.workbench.proving.formulas.terms import FALSE, Term, conjoined, disjoined, negated
from gateway.workbench.proving.invariants import PACKAGE, permitted_rule
from gateway.workbench.proving.solver import VERSION, Question, Settled, TooManyTermsError, possible

QUESTIONS: Final = ("scope", "admit")
"""What is compared: what may be asked, and what may be considered by its labels."""

_MOST_VALUES: Final = 6
"""Values of a fact by which rows are told apart; of a fact with more nothing is said."""

_MOST_ROWS: Final = 120
_MOST_SHOWN: Final = 24
_MOST_TRIED: Final = 4
_SECONDS: Final = 20.0
_WHOLE_SECONDS: Final = 35.0
"""
For all rows of one direction, after the first was found; what is not found by then is said to be open.  Counted in time of the
processor, so that the answer does not hang on what else the machine does.
"""

_LATE: Final = "the solver did not settle it in time"


def exact_diff(
    old: Bundle,
    new: Bundle,
    engines: Engines,
    *,
    questions: Sequence[str] = QUESTIONS,
    seconds: float = _SECONDS,
    whole_seconds: float = _WHOLE_SECONDS,
) -> ExactDiff:
    """
    All that becomes permitted, and all that no longer is.

    Args:
        old: what decides.
        new: what would.
        engines: that decide whatever is shown.
        questions: what is compared.
        seconds: for one check of the solver.
        whole_seconds: for all rows of one direction.

    Raises:
        BundleInvalidError: one cannot be read.
    """
    module = "\n\n".join([f"package {PACKAGE}", *map(permitted_rule, questions)]) + "\n"
    first = AskedBundle(old, module, engines)
    second = AskedBundle(new, module, engines, first.schemas)
    changes, formulas = [], []
    for question in questions:
        comparing = _Comparing(first, second, question, seconds, whole_seconds)
        changes.append(comparing.change())
        formulas += comparing.sides
    return ExactDiff(
        old=old.revision,
        new=new.revision,
        changes=tuple(changes),
        coverage=(first.coverage(questions, formulas, seconds), second.coverage(questions, formulas, seconds)),
        engines=engines.names,
        solver=VERSION,
    ).sealed()


@dataclass(frozen=True)
class _Region:
    """Inputs that are decided differently, by the cells that they lie in."""

    cells: Mapping[str, tuple[Cell, ...]]

    def __hash__(self) -> int:
        return hash(frozenset(self.cells.items()))

    def holds(self) -> Term:
        return conjoined(disjoined(cell.holds for cell in several) for several in self.cells.values())

    def where(self) -> dict[str, tuple[str, ...]]:
        return {name: tuple(dict.fromkeys(cell.label for cell in several)) for name, several in self.cells.items()}

    def without(self, name: str) -> "_Region":
        """The same, whatever a fact is."""
        return _Region({fact: cells for fact, cells in self.cells.items() if fact != name})

    def joined(self, other: "_Region") -> "_Region | None":
        """Both as one, where they differ in one fact at most."""
        apart = [name for name in self.cells if self.cells[name] != other.cells[name]]
        if len(apart) != 1:
            return None
        # In one order, so that what was joined in another is the same region.
        both = sorted({*self.cells[apart[0]], *other.cells[apart[0]]}, key=lambda cell: cell.label)
        return _Region({**self.cells, apart[0]: tuple(both)})


class _Comparing:
    """Compares what two bundles answer to one question."""

    def __init__(self, old: AskedBundle, new: AskedBundle, question: str, seconds: float, whole_seconds: float) -> None:
        self._old = old
        self._new = new
        self._question = question
        self._rule = f"permitted_{question}"
        self._seconds = seconds
        self._whole_seconds = whole_seconds
        self.sides: list[Term] = []

    def change(self) -> DecisionChange:
        """What is decided differently."""
        name = f"context/{self._question}"
        try:
            self.sides = [each.holds(self._question, self._rule) for each in (self._old, self._new)]
        except NotCoveredError as error:
            reason = f"not covered: {error.place}: {error.reason}"
            return DecisionChange(entrypoint=name, verdict="open", rows=(), complete=False, reason=reason)
        before, after = self.sides
        if before is after:
            return DecisionChange(entrypoint=name, verdict="same", rows=(), complete=True)
        more, why_more = self._rows("permitted", conjoined([after, negated(before)]))
        fewer, why_fewer = self._rows("refused", conjoined([before, negated(after)]))
        why = why_more or why_fewer
        return DecisionChange(
            entrypoint=name,
            verdict="differs" if more or fewer else "open" if why else "same",
            rows=(*more, *fewer),
            complete=not why,
            reason=why,
        )

    def _rows(self, change: Literal["permitted", "refused"], formula: Term) -> tuple[list[DiffRow], str | None]:
        """The rows of one direction, and why there may be more."""
        if formula is FALSE:
            return [], None
        settled = possible(formula, seconds=self._seconds)
        if settled is Settled.NEVER:
            return [], None
        if settled is Settled.OPEN:
            return [], _LATE
        until = time.thread_time() + self._whole_seconds
        try:
            schema = self._old.schema(self._question)
            # Half of the time is for examples: a row without one is not shown.
            half = until - self._whole_seconds / 2
            regions, reason = _Regions(schema, formula, self.sides, self._seconds, half).all()
        except TooManyTermsError:
            return [], "it comes to more than is settled"
        examples = Examples(self._old.schema(self._question), self._base, self._old.engines.ground)
        rows: list[DiffRow] = []
        for region in regions[:_MOST_SHOWN]:
            wanted = conjoined([formula, region.holds()])
            example = self._example(examples, wanted, until, permitted=change == "permitted")
            if example is None and time.thread_time() > until:
                reason = _LATE
            elif example is None:
                reason = f"for {region.where()} the solver finds what the engines do not decide so"
            else:
                rows.append(DiffRow(change=change, where=region.where(), example=example))
        if len(regions) > _MOST_SHOWN and reason is None:
            reason = f"of {len(regions)} rows the first {_MOST_SHOWN} are shown"
        return rows, reason

    @property
    def _base(self) -> Mapping[str, Any]:
        return self._new.base or self._old.base

    def _example(self, examples: Examples, formula: Term, until: float, *, permitted: bool) -> Counterexample | None:
        """An input of a region that every engine decides differently."""
        tried: list[Mapping[str, Any]] = []
        while len(tried) < _MOST_TRIED and (left := until - time.thread_time()) > 0:
            found = examples.find(formula, seconds=min(self._seconds, left), tried=tried)
            if found.facts is None:
                return None
            if self._decided_so(found.facts, permitted=permitted):
                differs = different(found.facts, self._base)
                return Counterexample(differs=differs, input=found.facts, engines=self._old.engines.names)
            tried.append(found.facts)
        return None

    def _decided_so(self, facts: Mapping[str, Any], *, permitted: bool) -> bool:
        try:
            before, after = self._old.decides(self._rule, facts), self._new.decides(self._rule, facts)
        except PolicyError:
            return False
        return all(after[name] is permitted and before[name] is not permitted for name in before)


class _Regions:
    """Divides what a formula holds for into regions that say who and what."""

    def __init__(self, schema: InputSchema, formula: Term, sides: Sequence[Term], seconds: float, until: float) -> None:
        self._until = until
        self._all = cells_of(schema, [formula])
        cells = [cell.holds for several in self._all.values() for cell in several]
        self._question = Question([formula], also=cells, seconds=seconds)
        self._permitted = Question([disjoined(sides)], also=cells, seconds=seconds)
        self._alike = Question(sides, also=cells, seconds=seconds)

    def all(self) -> tuple[list[_Region], str | None]:
        """Every region, the smallest first, and why there may be more."""
        telling = {name: cells for name in self._all if (cells := self._telling(name))}
        found: list[_Region] = []
        blocked: list[Any] = []
        while len(found) < _MOST_ROWS:
            if time.thread_time() > self._until:
                return _merged(found), _LATE
            settled = self._question.check(*blocked)
            if settled is not Settled.POSSIBLE:
                return (self._plainer(found), None) if settled is Settled.NEVER else (_merged(found), _LATE)
            here = {name: (self._cell(cells),) for name, cells in telling.items()}
            found.append(_Region(here))
            blocked.append(self._question.choice(negated(found[-1].holds())))
            if not telling:
                return found, None
        return _merged(found), f"there are more than {_MOST_ROWS} rows"

    def _plainer(self, regions: list[_Region]) -> list[_Region]:
        """The same without the facts that set nothing apart which the others do not; those that stand deepest go first."""
        names = sorted(regions[0].cells if regions else (), key=lambda name: (-name.count("."), name))
        for name in names:
            fewer = list(dict.fromkeys(one.without(name) for one in regions))
            beyond = conjoined(
                [disjoined(one.holds() for one in fewer), negated(disjoined(one.holds() for one in regions))]
            )
            if time.thread_time() > self._until:
                break
            if self._alike.check(self._alike.choice(beyond)) is Settled.NEVER:
                regions = fewer
        return _merged(regions)

    def _telling(self, name: str) -> tuple[Cell, ...]:
        """The cells of a fact that tell what the formula holds for from what is permitted at all; none where they do not."""
        found: list[Cell] = []
        blocked: list[Any] = []
        while (settled := self._question.check(*blocked)) is Settled.POSSIBLE:
            if len(found) == _MOST_VALUES or time.thread_time() > self._until:
                return ()
            found.append(self._cell(self._all[name]))
            blocked.append(self._question.choice(negated(found[-1].holds)))
        outside = self._permitted.choice(negated(disjoined(cell.holds for cell in found)))
        telling = settled is Settled.NEVER and self._permitted.check(outside) is Settled.POSSIBLE
        return tuple(found) if telling else ()

    def _cell(self, cells: Sequence[Cell]) -> Cell:
        return next(cell for cell in cells if self._question.truth(cell.holds))


def _merged(regions: list[_Region]) -> list[_Region]:
    """Fewer regions with the same inputs, those with the fewest values first."""
    before, now = list[_Region](), regions
    # What was joined may be joined again, with what was passed over before.
    while len(before) != len(now):
        before, now = now, _joined_once(now)
    return sorted(now, key=lambda region: (sum(map(len, region.cells.values())), str(region.where())))


def _joined_once(regions: list[_Region]) -> list[_Region]:
    waiting, done = list(regions), list[_Region]()
    while waiting:
        one = waiting.pop(0)
        for place, other in enumerate(waiting):
            both = one.joined(other)
            if both is not None:
                waiting[place] = both
                break
        else:
            done.append(one)
    return done
