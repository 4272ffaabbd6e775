"""
Settling formulas with an SMT solver: the one place that knows Z3.

A formula that speaks of members of lists is settled without a bound on how long a list is.  Whoever says that a member exists gets
one of its own, which is there; whoever says that none does is held against every member that is there.  No list needs another
member, since what holds of all members holds of fewer.  Texts are points on a line, of which the known ones have their places, so
that between two of them there is room for any number of others; that room is more than the texts have, never less.  So where
nothing is found there is nothing; what is found is tried on the engine.
"""

import time

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, Final

import z3

from gateway.workbench.proving.formulas.terms import TRUE, Index, Term
from gateway.workbench.proving.members import member_for, said_of

VERSION: Final = f"z3 {z3.get_version_string()}"
"""The name and version of the solver."""

DEEPEST: Final = 3
"""Of members that are there because of other members, at most; of a member beyond it nothing is said."""

_MOST_TERMS: Final = 40_000
"""Terms that one question may come to."""

_LINE: Final = frozenset({"some_text", "joined", "without_prefix", "made_text"})


class TooManyTermsError(Exception):
    """A question comes to more than is settled."""


class Settled(Enum):
    """What a solver says of a formula."""

    NEVER = "never"
    """No input makes it true."""

    POSSIBLE = "possible"
    """Something was found; whether it is an input, the engine says."""

    OPEN = "open"
    """It was not settled in time."""


def possible(formula: Term, *, seconds: float) -> Settled:
    """Whether the solver finds anything for which a formula holds; where it finds nothing there is nothing."""
    # What says less is settled sooner, and where it already finds nothing there is nothing.  The time is that of the processor.
    found, until = Settled.OPEN, time.thread_time() + seconds
    for deepest in range(DEEPEST + 1):
        try:
            question = Question([formula], seconds=max(until - time.thread_time(), 0.001), deepest=deepest)
        except TooManyTermsError:
            return found
        found = question.check()
        if found is not Settled.POSSIBLE or not question.cut_short:
            return found
    return found


@dataclass
class _List:
    """What is said of the members of one list."""

    slots: list[Index] = field(default_factory=list)
    denied: list[tuple[Term, Any]] = field(default_factory=list)


class Question:
    """Formulas that are to hold together."""

    def __init__(
        self, formulas: Iterable[Term], *, also: Iterable[Term] = (), seconds: float = 20.0, deepest: int = DEEPEST
    ) -> None:
        """
        Args:
            formulas: what must hold.
            also: what may be asked for later.
            seconds: for one check.
            deepest: of members that are there because of others, at most; fewer make it smaller, and say less.

        Raises:
            TooManyTermsError: it comes to more than is settled.
        """
        wanted = tuple(formulas)
        self._texts = sorted(set().union(*(texts_in(one) for one in (*wanted, *also))) | {""})
        self._places = {one: place for place, one in enumerate(self._texts)}
        self._solver = z3.Solver()
        self._seconds = seconds
        self._solver.set("timeout", int(seconds * 1000))
        self._solver.set("random_seed", 7)
        self._lowered: dict[tuple[Term, bool], Any] = {}
        self._variables: dict[Term, Any] = {}
        self._lists: dict[tuple[Any, ...], _List] = {}
        self._there: dict[Index, Any] = {}
        self._depths: dict[Index, int] = {}
        self._waiting: list[tuple[Term, Any, Index]] = []
        self._model: Any = None
        self._deepest = deepest
        self.cut_short = False  # Whether of some members nothing is said.
        for one in wanted:
            self.add(one)

    def add(self, formula: Term) -> None:
        """Let a formula hold as well; its texts must be among those named at the start."""
        self._solver.add(self._whole(formula))

    def choice(self, formula: Term) -> Any:  # noqa: ANN401 - a truth of the solver
        """A truth that the solver may choose, and then the formula holds."""
        chosen = z3.FreshBool("choice")
        self._solver.add(z3.Implies(chosen, self._whole(formula)))
        return chosen

    def check(self, *chosen: Any) -> Settled:  # noqa: ANN401 - truths of the solver
        """Whether all can hold, with these choices made."""
        answer = self._solver.check(*chosen)
        if answer == z3.sat:
            self._model = self._solver.model()
            return Settled.POSSIBLE
        return Settled.NEVER if answer == z3.unsat else Settled.OPEN

    def check_most(self, choices: list[Any]) -> Settled:
        """As `check`, with as many choices made as can be; open where the time for one check does not do for all."""
        until = time.thread_time() + self._seconds
        for left_out in range(len(choices) + 1):
            if time.thread_time() > until:
                return Settled.OPEN
            self._solver.push()
            if choices:
                self._solver.add(z3.AtLeast(*choices, len(choices) - left_out))
            found = self.check()
            if found is Settled.POSSIBLE:
                self._with_fewest_members(until)
            self._solver.pop()
            if found is not Settled.NEVER:
                return found
        return Settled.NEVER

    def _with_fewest_members(self, until: float) -> None:
        """Leave out each member of a list that need not be there, while there is time."""
        absent: list[Any] = []
        for there in self._there.values():
            if time.thread_time() > until:
                return
            if z3.is_true(self._model.eval(there, model_completion=True)):
                found = self.check(*absent, z3.Not(there))
                absent += [z3.Not(there)] if found is Settled.POSSIBLE else []
            else:
                absent.append(z3.Not(there))

    def spoken_of(self, one: Term) -> bool:
        """Whether a fact is part of the question."""
        return one in self._variables

    def has_list(self, path: tuple[Any, ...]) -> bool:
        """Whether a list is part of the question."""
        return path in self._lists

    def slots(self, path: tuple[Any, ...]) -> list[Index]:
        """The members of a list that are there in what was found."""
        kept = self._lists.get(path, _List()).slots
        return [one for one in kept if z3.is_true(self._model.eval(self._there[one], model_completion=True))]

    def truth(self, one: Term) -> bool:
        """Whether a formula without members of lists holds in what was found."""
        return bool(z3.is_true(self._model.eval(self._lower(one, wanted=True), model_completion=True)))

    def figure(self, one: Term) -> Fraction:
        """The number, or the place on the line of texts, of a term in what was found."""
        value = self._model.eval(self._variable(one), model_completion=True)
        return Fraction(value.as_long()) if z3.is_int_value(value) else Fraction(value.as_fraction())

    @property
    def texts(self) -> list[str]:
        """The known texts, each at its place on the line."""
        return self._texts

    def placed(self) -> list[Term]:
        """The texts of the question that are not known."""
        return [one for one in self._variables if one.op in _LINE]

    def _whole(self, formula: Term) -> Any:  # noqa: ANN401 - a truth of the solver
        lowered = self._lower(formula, wanted=True)
        while self._waiting:
            denied, result, slot = self._waiting.pop()
            body = self._lower(said_of(denied, slot), wanted=False)
            self._solver.add(z3.Implies(z3.And(self._there[slot], body), result))
        return lowered

    def _lower(self, one: Term, *, wanted: bool) -> Any:  # noqa: ANN401 - a truth of the solver
        """What follows from a formula where it is wanted to hold, and else what it follows from."""
        key = (one, wanted)
        if key not in self._lowered:
            if len(self._lowered) > _MOST_TERMS:
                raise TooManyTermsError
            self._lowered[key] = self._truth_of(one, wanted=wanted)
        return self._lowered[key]

    def _truth_of(self, one: Term, *, wanted: bool) -> Any:  # noqa: ANN401 - a truth of the solver
        match one.op:
            case "true" | "false":
                return z3.BoolVal(one is TRUE)
            case "not":
                return z3.Not(self._lower(one.args[0], wanted=not wanted))
            case "and":
                return _of_many(z3.Z3_mk_and, [self._lower(part, wanted=wanted) for part in one.args])
            case "or":
                return _of_many(z3.Z3_mk_or, [self._lower(part, wanted=wanted) for part in one.args])
            case "equal":
                return self._variable(one.args[0]) == self._variable(one.args[1])
            case "below":
                return self._variable(one.args[0]) < self._variable(one.args[1])
            case "exists":
                return self._exists(one, wanted=wanted)
        return self._variable(one)

    def _variable(self, one: Term) -> Any:  # noqa: ANN401 - a value of the solver
        if one.op == "text":
            return z3.RealVal(self._places[one.args[0]])
        if one.op == "number":
            return _figure(one.args[0])
        if one.op in {"plus", "minus", "times"}:
            left, right = map(self._variable, one.args)
            return {"plus": left + right, "minus": left - right, "times": left * right}[one.op]
        if one not in self._variables:
            self._variables[one] = _SORTS.get(one.op, z3.Real)(f"{one.op}!{len(self._variables)}")
        return self._variables[one]

    def _exists(self, one: Term, *, wanted: bool) -> Any:  # noqa: ANN401 - a truth of the solver
        """Whether a member is there for which the formula holds: one truth, wherever it is asked."""
        there_is = self._variable(one)
        if wanted:
            self._solver.add(z3.Implies(there_is, self._chosen(one)))
        else:
            self._solver.add(z3.Implies(self._denied(one), there_is))
        return there_is

    def _chosen(self, one: Term) -> Any:  # noqa: ANN401 - a truth of the solver
        """A member of its own for which the formula holds."""
        path = one.args[0].path
        depth = 1 + max((self._depths.get(index, 0) for index in one.free), default=0)
        if depth > self._deepest:
            self.cut_short = True
            return z3.BoolVal(True)
        slot = member_for(one)
        self._there[slot], self._depths[slot] = z3.FreshBool("there"), depth
        kept = self._lists.setdefault(path, _List())
        kept.slots.append(slot)
        self._waiting += [(denied, result, slot) for denied, result in kept.denied]
        return z3.And(self._there[slot], self._lower(said_of(one, slot), wanted=True))

    def _denied(self, one: Term) -> Any:  # noqa: ANN401 - a truth of the solver
        """A truth that follows as soon as a member is there for which the formula holds."""
        result = z3.FreshBool("some")
        kept = self._lists.setdefault(one.args[0].path, _List())
        kept.denied.append((one, result))
        self._waiting += [(one, result, slot) for slot in kept.slots]
        return result


_SORTS: Final = {"some_truth": z3.Bool, "exists": z3.Bool, "some_whole": z3.Int}


def _of_many(make: Callable[..., Any], parts: list[Any]) -> Any:  # noqa: ANN401 - a truth of the solver
    """All, or one, of many truths; made directly, as the library looks at each part several times."""
    context = parts[0].ctx
    listed = (z3.Ast * len(parts))(*(part.as_ast() for part in parts))
    return z3.BoolRef(make(context.ref(), len(parts), listed), context)


def _figure(value: float) -> Any:  # noqa: ANN401 - a value of the solver
    return z3.IntVal(value) if isinstance(value, int) else z3.RealVal(str(Fraction(value)))


def texts_in(one: object) -> set[str]:
    """Every known text that a formula holds, also where it is the beginning of another."""
    found: set[str] = set()
    seen: set[Term] = set()
    waiting = [one]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, Term) or part in seen:
            continue
        seen.add(part)
        if part.op == "text":
            found.add(part.args[0])
        waiting += part.args
    return found
