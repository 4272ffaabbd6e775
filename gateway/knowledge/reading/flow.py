"""
How the facts of an item and the time go through rules.

Rules held here: whatever is not understood counts as reading every fact, and as doing with time what cannot be foreseen; a
mistake here may cost time and never an answer.

Values are followed from where they are read to where they are compared: through variables, arguments and answers of rules, until
nothing new is found.  A time may be compared with what stands in a rule, a table or another fact; in any other use it is not
foreseen (docs/adr/0053-label-dictionary.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gateway.knowledge.reading.constants import Constants, written
from gateway.knowledge.reading.reachable import Reachable, RuleRef
from gateway.knowledge.reading.tags import AGES, CHOOSING, KINDS, MOMENT, NOTHING, UNFORESEEN, Tag, Tags
from gateway.policy.rego.tree import (
    Arithmetic,
    Array,
    Assignment,
    Call,
    Comparison,
    Comprehension,
    Every,
    Expr,
    Membership,
    Module,
    Negative,
    Node,
    Not,
    Object,
    Query,
    Ref,
    Rule,
    Scalar,
    SetOf,
    Some,
    SomeIn,
    Statement,
    Unknown,
    Var,
)
from gateway.policy.rego.walk import steps, walk


@dataclass(slots=True)
class Flow:
    """What rules do with the item and the time."""

    reached: Reachable
    constants: Constants
    facts: set[str] = field(default_factory=set)
    """Facts of the item that are read."""

    whole: bool = False
    """Whether the item may be read in another way than fact by fact, so that all of them count."""

    foreseen: bool = True
    """Whether times are only compared with what stands somewhere."""

    numbers: set[float] = field(default_factory=set)
    """What rules make of numbers of their own and of tables, such as days in seconds."""

    known: dict[tuple[str, ...], Tags] = field(default_factory=dict)
    changed: bool = True

    def run(self) -> "Flow":
        """Follow values until nothing new is found."""
        while self.changed:
            self.changed = False
            for place, (module, rule) in enumerate(self.reached.clauses()):
                _Clause(self, module, rule, str(place)).follow()
        return self

    def add(self, key: tuple[str, ...], tags: Tags) -> None:
        """Note what a variable, an argument or an answer may hold."""
        before = self.known.get(key, NOTHING)
        if not tags <= before:
            self.known[key], self.changed = before | tags, True

    def lost(self, tags: Tags) -> None:
        """A value goes where it is not followed."""
        if tags & {"item", "input"}:
            self.whole, self.foreseen = True, False
        if "time" in tags:
            self.foreseen = False


class _Clause:
    """One rule as it is written."""

    def __init__(self, flow: Flow, module: Module, rule: Rule, place: str) -> None:
        self._flow, self._module, self._rule, self._place = flow, module, rule, place
        self._own: RuleRef = (module.package, rule.name.partition(".")[0])

    def follow(self) -> None:
        """Once through all of it."""
        for at, argument in enumerate(self._rule.arguments):
            self._bind(argument, self._flow.known.get(("argument", *self._own, str(at)), NOTHING))
        for body in self._rule.bodies:
            self._query(body.query)
            self._answer(body.value)
        self._answer(self._rule.value)
        for part in self._rule.path:
            self._answer(part)

    def _answer(self, value: Expr | None) -> None:
        if value is not None:
            self._flow.add(("answer", *self._own), self._tags(value))

    def _query(self, query: Query) -> None:
        for statement in query.statements:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        if statement.withs:
            # What is asked with other facts is not followed.
            self._flow.lost(frozenset({"input"}))
        what = statement.what
        match what:
            case Not():
                self._tags(what.of)
            case Some():
                pass
            case SomeIn():
                held = self._members(what.within)
                self._bind(what.value, held)
                if what.key is not None:
                    self._bind(what.key, NOTHING)
            case Every():
                self._flow.add(self._variable(what.value), self._members(what.within))
                self._query(what.query)
            case _:
                self._tags(what)

    def _members(self, within: Expr) -> Tags:
        """What the members of a collection may be; those of the item are not told apart."""
        tags = self._tags(within)
        self._flow.lost(tags & {"item", "input"})
        return tags - {"item", "input"}

    def _variable(self, name: str) -> tuple[str, ...]:
        return ("variable", self._place, name)

    def _bind(self, pattern: Expr, tags: Tags) -> None:
        names = [one.name for one in walk(pattern) if isinstance(one, Var)]
        if not isinstance(pattern, Var):
            self._flow.lost(tags & {"item", "input"})
        for name in names:
            self._flow.add(self._variable(name), tags)

    def _tags(self, expr: Node) -> Tags:
        match expr:
            case Var():
                return self._var(expr)
            case Ref():
                return self._ref(expr)
            case Call():
                return self._call(expr)
        return self._operation(expr)

    def _operation(self, expr: Node) -> Tags:
        match expr:
            case Comparison():
                return self._compared(self._tags(expr.left), self._tags(expr.right))
            case Assignment():
                return self._assigned(expr)
            case Membership():
                return self._member(expr)
            case Arithmetic():
                return self._computed(expr)
            case Negative():
                # The parser takes `-a < b` for the negative of a comparison.
                self._flow.lost(NOTHING if isinstance(expr.of, Scalar) else self._tags(expr.of) | {"time"})
            case Array() | SetOf():
                return self._together(expr.members)
            case Object():
                return self._together(part for pair in expr.fields for part in pair)
            case Comprehension():
                self._query(expr.query)
                return self._together([expr.value, *([expr.key] if expr.key else [])])
            case Unknown():
                self._flow.lost(frozenset({"input"}))
        return NOTHING

    def _var(self, expr: Var) -> Tags:
        if expr.name == "input":
            return frozenset({"input"})
        tags = self._flow.known.get(self._variable(expr.name), NOTHING)
        return tags | self._answers((expr.name,))

    def _answers(self, path: tuple[str | None, ...]) -> Tags:
        found = self._flow.reached.resolve(self._module, path)
        return NOTHING.union(*(self._flow.known.get(("answer", *name), NOTHING) for name, _ in found))

    def _ref(self, expr: Ref) -> Tags:
        path = steps(expr)
        if path[:1] == ("data",) or (isinstance(expr.head, Var) and self._answers(path)):
            tags = self._answers(path)
            self._keys(expr.parts)
            # An answer that holds a time, or the item, is looked into without being told apart.
            self._flow.lost(tags & {"input"} if path[:1] != ("data",) and len(path) > 1 else NOTHING)
            if not (isinstance(expr.head, Var) and path[:1] != ("data",) and tags & {"item"}):
                return tags
        tags = self._tags(expr.head)
        for part in expr.parts:
            tags = self._looked_up(tags, part)
        return tags

    def _keys(self, parts: Iterable[Expr]) -> None:
        for part in parts:
            self._flow.lost(self._tags(part) & {"time", "item", "input"})

    def _looked_up(self, tags: Tags, part: Expr) -> Tags:
        self._keys([part])
        names = self._names(part)
        found: set[Tag] = {tag for tag in tags if tag in {"time", "made"}}
        if names is None:
            self._flow.lost(tags & {"item", "input"})
            return frozenset(found)
        if names & AGES:
            found.add("time")
        if "item" in tags:
            self._flow.facts.update(names)
        if "input" in tags:
            found.update({"now": "time", "item": "item"}[name] for name in names if name in {"now", "item"})  # type: ignore[misc]
        return frozenset(found)

    def _names(self, part: Expr) -> set[str] | None:
        if isinstance(part, Scalar) and isinstance(part.value, str):
            return {part.value}
        if not isinstance(part, Var) or self._flow.known.get(self._variable(part.name)):
            return None
        return self._flow.constants.names(self._module, self._rule, part.name)

    def _call(self, expr: Call) -> Tags:
        arguments = [self._tags(one) for one in expr.arguments]
        found = self._flow.reached.resolve(self._module, steps(expr.target))
        if found:
            for name, _ in found:
                for at, tags in enumerate(arguments):
                    self._flow.add(("argument", *name, str(at)), tags)
            return self._answers(steps(expr.target))
        return self._built_in(expr, arguments)

    def _built_in(self, expr: Call, arguments: list[Tags]) -> Tags:
        every = NOTHING.union(*arguments)
        if expr.function in KINDS:
            return NOTHING
        if expr.function == "trim_suffix" and written(expr.arguments[1:2]) == "Z":
            return every
        if expr.function == "regex.match" and written(expr.arguments[:1]) == MOMENT and not every & {"item", "input"}:
            return NOTHING
        if expr.function.startswith("time.") or expr.function in UNFORESEEN:
            self._flow.lost(frozenset({"time"}))
        self._flow.lost(every)
        return NOTHING if expr.function in CHOOSING and "made" not in every else frozenset({"made"})

    def _compared(self, left: Tags, right: Tags) -> Tags:
        self._flow.lost((left | right) & {"item", "input"})
        if ("time" in left and right & {"time", "made"}) or ("time" in right and "made" in left):
            self._flow.lost(frozenset({"time"}))
        return NOTHING

    def _assigned(self, expr: Assignment) -> Tags:
        left, right = expr.left, self._tags(expr.right)
        if isinstance(left, Var):
            self._bind(left, right)
            return NOTHING
        self._bind(left, right) if isinstance(left, Array | Object) else None
        tags = self._tags(left)
        if isinstance(expr.right, Var):
            self._bind(expr.right, tags)
        return self._compared(tags, right)

    def _member(self, expr: Membership) -> Tags:
        if expr.key is not None:
            self._flow.lost(self._tags(expr.key))
        within = self._members(expr.within)
        return self._compared(self._tags(expr.value), within)

    def _computed(self, expr: Arithmetic) -> Tags:
        tags = self._tags(expr.left) | self._tags(expr.right)
        numbers = self._flow.constants.numbers(self._module, expr)
        if numbers is None:
            return self._uncounted(tags)
        self._flow.numbers |= numbers
        return NOTHING

    def _uncounted(self, tags: Tags) -> Tags:
        self._flow.lost(tags)
        return frozenset({"made"})

    def _together(self, parts: Iterable[Node]) -> Tags:
        """Of what is put into a collection: what is not told apart in it is not followed."""
        tags = NOTHING.union(*(self._tags(part) for part in parts))
        self._flow.lost(tags)
        return tags & {"made"}
