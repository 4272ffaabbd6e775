"""Bodies of rules: for which choices of their variables they hold."""

from collections.abc import Iterator, Sequence

from gateway.policy.rego.tree import Assignment, Every, Expr, Node, Not, Query, Scalar, Some, SomeIn, Statement, Var
from gateway.workbench.proving.formulas.reading import (
    Around,
    BodiesRead,
    ChosenMember,
    NotCoveredError,
    RulesRead,
    Solution,
)
from gateway.workbench.proving.formulas.renaming import fresh, renamed
from gateway.workbench.proving.formulas.terms import FALSE, TRUE, Term, conjoined, disjoined, exists, negated
from gateway.workbench.proving.formulas.values import (
    Alternative,
    ArrayAtom,
    Atom,
    Entries,
    Known,
    Listed,
    Members,
    Obscure,
    same,
    truth,
    unknown,
)


class Bodies(BodiesRead):
    """Asks the statements of bodies one after the other."""

    def __init__(self, rules: RulesRead) -> None:
        self._rules = rules
        self._reading = rules.reading

    def solutions(self, query: Query, around: Around) -> list[Solution]:
        """
        Every way in which a body may hold.

        Raises:
            NotCoveredError: a variable is bound in a way that is not covered.
        """
        return list(self._solved(query.statements, Solution(TRUE, (), around)))

    def holds(self, query: Query, around: Around) -> Term:
        """Where a body holds."""
        return disjoined(exists(one.binders, one.guard) for one in self.solutions(query, around))

    def _solved(self, statements: Sequence[Statement], so_far: Solution) -> Iterator[Solution]:
        if so_far.guard is FALSE:
            return
        if not statements:
            yield so_far
            return
        for found in self._after(statements[0], so_far):
            yield from self._solved(statements[1:], found)

    def _after(self, statement: Statement, before: Solution) -> Iterator[Solution]:
        what = statement.what
        if statement.withs:
            raise NotCoveredError(statement, "`with` puts other facts in place")
        if isinstance(what, Some):
            yield before
        elif isinstance(what, SomeIn):
            yield from self._chosen(what, before)
        elif isinstance(what, Assignment) and self._binds(what, before.around):
            yield from self._bound(what, before)
        else:
            holds = self._formula(what, statement, before.around)
            yield Solution(conjoined([before.guard, holds]), before.binders, before.around)

    @staticmethod
    def _binds(what: Assignment, around: Around) -> bool:
        return what.operator == ":=" or (isinstance(what.left, Var) and what.left.name not in around.names)

    def _bound(self, what: Assignment, before: Solution) -> Iterator[Solution]:
        if not isinstance(what.left, Var):
            raise NotCoveredError(what, "several names are given at once")
        for one in self._rules.expressions.of(what.right, before.around):
            around = before.around.within(one.binders).naming(what.left.name, one.atom)
            yield Solution(conjoined([before.guard, one.guard]), before.binders + one.binders, around)

    def _chosen(self, what: SomeIn, before: Solution) -> Iterator[Solution]:
        for within in self._rules.expressions.of(what.within, before.around):
            around = before.around.within(within.binders)
            for member in self.members(within.atom, around, what):
                inner, fits = self._named(what.key, member.key, around.within(member.binders))
                inner, fits_too = self._named(what.value, member.value, inner)
                guard = conjoined([before.guard, within.guard, member.guard, fits, fits_too])
                yield Solution(guard, before.binders + within.binders + member.binders, inner)

    @staticmethod
    def _named(pattern: Expr | None, atom: Atom, around: Around) -> tuple[Around, Term]:
        if pattern is None:
            return around, TRUE
        if isinstance(pattern, Var):
            return around.naming(pattern.name, atom), TRUE
        if isinstance(pattern, Scalar):
            return around, same(Known(pattern.value), atom)
        raise NotCoveredError(pattern, "a member is taken apart")

    def members(self, atom: Atom, around: Around, node: Node) -> list[ChosenMember]:
        """
        What `some … in` goes through.

        Raises:
            NotCoveredError: nothing is known of the collection.
        """
        # A member of a list of the input is one that nobody knows: its place among the others is not known either.
        if isinstance(atom, Known):
            pairs = atom.value.items() if isinstance(atom.value, dict) else enumerate(_listed(atom.value))
            return [ChosenMember(TRUE, (), Known(key), Known(value)) for key, value in pairs]
        if isinstance(atom, ArrayAtom):
            return [ChosenMember(TRUE, (), Known(place), one) for place, one in enumerate(atom.items)]
        if isinstance(atom, Members):
            found = [renamed(one, around.scope) for one in atom.members]
            places: list[Atom] = [Obscure(("place", one)) if atom.ordered else one.atom for one in found]
            return [ChosenMember(one.guard, one.binders, key, one.atom) for one, key in zip(found, places, strict=True)]
        if isinstance(atom, Listed):
            index = fresh(atom.path, around.scope)
            key = Obscure(("place", index))
            items = self._reading.schema.item(atom, (*atom.path, index))
            return [ChosenMember(one.guard, (index,), key, one.atom) for one in items]
        if isinstance(atom, Entries):
            return self._entries(atom, around)
        if truth(atom) is not None:
            return []
        raise NotCoveredError(node, "what is gone through is not known")

    def _entries(self, atom: Entries, around: Around) -> list[ChosenMember]:
        index = fresh(atom.path, around.scope)
        name, values = self._reading.schema.entry(atom, index)
        return [ChosenMember(one.guard, (index,), name, one.atom) for one in values]

    def _formula(self, what: object, statement: Statement, around: Around) -> Term:
        """Where a statement that binds nothing holds; anything, where it is not covered."""
        try:
            if isinstance(what, Not):
                return negated(self.truth_of(what.of, around))
            if isinstance(what, Every):
                return self._every(what, around)
            return self.truth_of(what, around)  # type: ignore[arg-type]
        except NotCoveredError as error:
            return self._reading.unknown_at(error, around)

    def truth_of(self, expr: Expr, around: Around) -> Term:
        """Where an expression is defined and not false."""
        found = self._rules.expressions.of(expr, around)
        return disjoined(exists(one.binders, conjoined([one.guard, _truthy(one)])) for one in found)

    def _every(self, what: Every, around: Around) -> Term:
        return disjoined(
            exists(within.binders, conjoined([within.guard, negated(self._failing(what, within, around))]))
            for within in self._rules.expressions.of(what.within, around)
        )

    def _failing(self, what: Every, within: Alternative, around: Around) -> Term:
        """Where a member is found for which it does not hold."""
        inside = around.within(within.binders)
        failing = []
        for member in self.members(within.atom, inside, what):
            named = inside.within(member.binders).naming(what.value, member.value)
            named = named if what.key is None else named.naming(what.key, member.key)
            held = self.holds(what.query, named)
            failing.append(exists(member.binders, conjoined([member.guard, negated(held)])))
        return disjoined(failing)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _truthy(one: Alternative) -> Term:
    found = truth(one.atom)
    if found is not None:
        return found
    return unknown("true", one.atom) if isinstance(one.atom, Obscure) else TRUE
