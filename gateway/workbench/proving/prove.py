"""
Proving the invariants of a bundle over every input that the schema allows.

Rules held here: what holds is what the solver finds no input against, where the formulas cover at least what the engine does; what is
broken is shown by an input that every engine at hand decides so; everything else is open.
"""

import hashlib

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gateway.errors import PolicyError
from gateway.policy.bundle import Bundle
from gateway.workbench.proving.asking import AskedBundle
from gateway.workbench.proving.documents import Counterexample, InvariantProof, Shown
from gateway.workbench.proving.engines import Engines
from gateway.workbench.proving.examples import Examples, Found, different
from gateway.workbench.proving.formulas.inputs import InputSchema
from gateway.workbench.proving.formulas.moving import moved
from gateway.workbench.proving.formulas.reading import NotCoveredError
from gateway.workbench.proving.formulas.terms import FALSE, Index, Term, conjoined, disjoined, exists, negated
from gateway.workbench.proving.formulas.values import Listed, ObjectFacts, same
from gateway.workbench.proving.invariants import (
    FILE,
    Invariant,
    TouchesOnly,
    invariants_of,
    rego_of,
    rows_of,
)
from gateway.workbench.proving.solver import VERSION, Settled, possible
from gateway.workbench.proving.vocabulary import require_known
from gateway.workbench.proving.writing import Lost

_MOST_TRIED: Final = 6
"""Inputs that are tried on the engines before an invariant is left open."""

_SECONDS: Final = 20.0

_OPEN: Final = {
    Settled.OPEN: "the solver did not settle it in time",
    Settled.POSSIBLE: "what the solver finds the engines do not decide so",
    Settled.NEVER: "the solver finds something, and no input that is like it",
}


def prove(
    bundle: Bundle, engines: Engines, *, seconds: float = _SECONDS, progress: Callable[[], None] = lambda: None
) -> InvariantProof:
    """
    What holds of a bundle for every input.

    Args:
        bundle: with its cases and invariants.
        engines: that decide whatever is shown.
        seconds: for one check of the solver.
        progress: called after each invariant.

    Raises:
        InvariantInvalidError: an invariant cannot be read, or speaks of what no request has.

        BundleInvalidError: the bundle cannot be read.
    """
    # All claims first: a misspelt invariant is told before the solver works for minutes.
    invariants = invariants_of(bundle)
    asked = AskedBundle(bundle, rego_of(invariants, bundle), engines)
    for one in invariants:
        require_known(one, asked)
    claims = {one.id: _claims(one, asked) for one in invariants}
    proving = _Proving(asked, seconds)
    shown = tuple(proving.shown(one, claims[one.id], progress) for one in invariants)
    formulas = [claim.formula for several in claims.values() for claim in several]
    return InvariantProof(
        revision=bundle.revision,
        invariants_digest=f"sha256:{hashlib.sha256(bundle.checks.get(FILE, b'')).hexdigest()}",
        shown=shown,
        coverage=asked.coverage({one.asked for one in invariants}, formulas, seconds),
        engines=engines.names,
        solver=VERSION,
    ).sealed()


@dataclass(frozen=True)
class _Claim:
    """That no input makes a formula true."""

    asked: str
    formula: Term
    broken: Callable[[Found], Iterable[bool]] = field(default=lambda _: ())
    """Of each engine, whether it decides that an input breaks the invariant."""

    lost: Lost | None = None
    not_covered: str | None = None
    """Why nothing can be said."""


def _claims(one: Invariant, asked: AskedBundle) -> list[_Claim]:
    """What is to be shown for an invariant."""
    try:
        if one.touches_only is not None:
            return list(_touching(one, one.touches_only, asked))
        if one.never_more_by_losing is not None:
            return [_losing(one.asked, one.never_more_by_losing, asked)]
        rule = one.rule
        formula = asked.holds(one.asked, rule)
        return [_Claim(one.asked, formula, lambda found: asked.decides(rule, found.facts).values())]
    except NotCoveredError as error:
        return [_Claim(one.asked, FALSE, not_covered=f"not covered: {error.place}: {error.reason}")]


def _losing(question: str, name: str, asked: AskedBundle) -> _Claim:
    """That nobody with less of a list is permitted what with more they are not."""
    schema, rule = asked.schema(question), f"permitted_{question}"
    listed = _listed(schema, tuple(name.split(".")))
    less = (*listed.path[:-1], f"{listed.path[-1]}'")
    permitted = asked.holds(question, rule)
    kept, held = Index(less, 0), Index(listed.path, 0)
    items = schema.item(listed, (*listed.path, held))
    of_less = schema.item(Listed(less, listed.kind), (*less, kept))
    alike = disjoined(
        conjoined([mine.guard, left.guard, same(mine.atom, left.atom)]) for mine in items for left in of_less
    )
    foreign = exists([kept], negated(exists([held], alike)))
    formula = conjoined([moved(permitted, listed.path, less), negated(permitted), negated(foreign)])

    def broken(found: Found) -> Iterable[bool]:
        more, fewer = asked.decides(rule, found.facts), asked.decides(rule, found.less)
        return [fewer[engine] and not more[engine] for engine in more]

    return _Claim(question, formula, broken, Lost(listed, less))


def _listed(schema: InputSchema, path: tuple[str, ...]) -> Listed:
    """The list of a name; `require_known` has found it to be one."""
    here: Any = schema.everything()
    for name in path:
        options = [one.atom for one in schema.field(here, name)]
        here = next(one for one in options if isinstance(one, ObjectFacts | Listed))
    found: Listed = here
    return found


def _touching(one: Invariant, touches: TouchesOnly, asked: AskedBundle) -> Iterable[_Claim]:
    """For each row, that without it nothing outside of what it is for is decided differently."""
    permitted = f"permitted_{one.asked}"
    path = tuple(touches.rows_of.split("."))
    for place in range(len(rows_of(asked.bundle, touches))):
        inside = f"{one.rule}_{place}"
        less = replace(asked.bundle, data=_without(asked.bundle.data, path, place))
        second = AskedBundle(less, asked.module, asked.engines, asked.schemas)
        sides = [each.holds(one.asked, permitted) for each in (asked, second)]
        outside = negated(asked.holds(one.asked, inside))

        def broken(found: Found, second: AskedBundle = second, inside: str = inside) -> Iterable[bool]:
            ours, theirs = asked.decides(permitted, found.facts), second.decides(permitted, found.facts)
            within_it = asked.decides(inside, found.facts)
            return [ours[engine] != theirs[engine] and not within_it[engine] for engine in ours]

        for first, other in (sides, sides[::-1]):
            yield _Claim(one.asked, conjoined([first, negated(other), outside]), broken)


def _without(data: Mapping[str, Any], path: tuple[str, ...], place: int) -> dict[str, Any]:
    """The tables without one row of a list."""
    name, rest = path[0], path[1:]
    if not rest:
        rows = list(data[name])
        return {**data, name: rows[:place] + rows[place + 1 :]}
    return {**data, name: _without(data[name], rest, place)}


class _Proving:
    """Settles claims on one bundle."""

    def __init__(self, asked: AskedBundle, seconds: float) -> None:
        self._asked = asked
        self._seconds = seconds
        self._examples: dict[str, Examples] = {}

    def shown(self, one: Invariant, claims: Iterable[_Claim], progress: Callable[[], None]) -> Shown:
        """What was found of an invariant."""
        said = one.model_dump(include={"id", "title", "says", "control", "owner", "asked"})
        verdict, reason, example = "holds", None, None
        for claim in claims:
            if verdict == "holds":
                verdict, reason, example = self._settled(claim)
        progress()
        return Shown.model_validate({**said, "verdict": verdict, "reason": reason, "counterexample": example})

    def _settled(self, claim: _Claim) -> tuple[str, str | None, Counterexample | None]:
        """Ask the solver, and try what it finds on the engines."""
        if claim.not_covered is not None:
            return "open", claim.not_covered, None
        settled = self._possible(claim)
        if settled is Settled.NEVER:
            return "holds", None, None
        examples, tried = self._of(claim.asked), list[Mapping[str, Any]]()
        while settled is Settled.POSSIBLE and len(tried) < _MOST_TRIED:
            found = examples.find(claim.formula, seconds=self._seconds, tried=tried, lost=claim.lost)
            if found.facts is None:
                settled = found.settled
                break
            if _all_decide(claim, found):
                return "broken", None, self._example(found)
            tried.append(found.facts)
        return "open", _OPEN[settled], None

    def _possible(self, claim: _Claim) -> Settled:
        """Whether the solver finds anything; where it finds nothing there is nothing."""
        if claim.formula is FALSE:
            return Settled.NEVER
        # A question of its own: what one speaks of the members of lists would be held against what every other speaks of.
        return possible(claim.formula, seconds=self._seconds)

    def _of(self, asked: str) -> Examples:
        if asked not in self._examples:
            schema, ground = self._asked.schema(asked), self._asked.engines.ground
            self._examples[asked] = Examples(schema, self._asked.base, ground)
        return self._examples[asked]

    def _example(self, found: Found) -> Counterexample:
        facts = found.facts or {}
        names = self._asked.engines.names
        return Counterexample(differs=different(facts, self._asked.base), input=facts, other=found.less, engines=names)


def _all_decide(claim: _Claim, found: Found) -> bool:
    """Whether every engine decides that an invariant is broken; an engine that fails permits nothing."""
    try:
        broken = list(claim.broken(found))
    except PolicyError:
        return False
    return bool(broken) and all(broken)


def unproved(shown: Iterable[Shown]) -> list[Shown]:
    """What does not hold, or is open."""
    return [one for one in shown if one.verdict != "holds"]
