"""
Whether the cases of a bundle notice a change of one of its modules, and which of them does first.

An area that reads what was changed is asked alone first, which takes a few milliseconds; the entrypoints, and the Rego tests, are
asked only about what no area notices.  Of each case only those rules are asked that may answer otherwise.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from gateway.errors import BundleInvalidError, PolicyError
from gateway.policy.areas import ENTRY
from gateway.policy.bundle import Bundle
from gateway.policy.rego.reader import modules, read
from gateway.policy.rego.tree import Module
from gateway.ports.policy import Queryable
from gateway.workbench.case_tests import FILE
from gateway.workbench.cases import BASE, Compile, OfficerCase, first_failing, rules_of
from gateway.workbench.mutants.asked import Before, Changed
from gateway.workbench.mutants.edits import RuleEdit
from gateway.workbench.mutants.reading import RuleName, RuleReading, first_name, sliced

FailingTests = Callable[[Bundle], Iterable[str]]
"""The Rego tests of a bundle that do not hold, one after the other."""


@dataclass(frozen=True)
class _Change:
    """A module with another text, or with one place of a rule changed."""

    name: str
    touched: frozenset[RuleName]
    """The rules, and tests, that may answer otherwise."""

    text: str = ""
    edit: RuleEdit | None = None

    def of(self, trees: Mapping[str, Module], kept: frozenset[RuleName]) -> dict[str, str]:
        """The modules with the change; where it is one place, without what need not be kept."""
        if self.edit is None:
            return {**{name: tree.text for name, tree in trees.items()}, self.name: self.text}
        return {
            name: sliced(tree, kept, self.edit if name == self.name else None)
            for name, tree in trees.items()
            if any((tree.package, first_name(rule)) in kept for rule in tree.rules)
        }


class Trial:
    """The cases of one bundle, ready to be asked about changes of it."""

    def __init__(
        self, bundle: Bundle, cases: Sequence[OfficerCase], compile_: Compile, tests: FailingTests = lambda _: ()
    ) -> None:
        """
        Args:
            bundle: what is changed.
            cases: what it must say; all of them hold.
            compile_: makes an engine of it.
            tests: runs its Rego tests, all of which hold.

        Raises:
            BundleInvalidError: a module or a test cannot be read, or an area with cases has no module.
        """
        self._bundle = bundle
        self._compile = compile_
        self._tests = tests
        self._trees = modules(bundle)
        self._test_trees = _read_tests(bundle)
        self._reading = RuleReading(self._trees | self._test_trees)
        self._rules: dict[int, frozenset[str]] = {}
        self._before = Before(bundle, list(cases), compile_)
        self._by_area: dict[str, list[OfficerCase]] = {}
        for case in cases:
            self._by_area.setdefault(case.area, []).append(case)
        for area in self._by_area:
            if (file := f"context/{area}/{area}.rego") not in self._trees:
                raise BundleInvalidError(f"the area {area} is listed, and there is no {file}")
        self._alone = {area: [replace(case, entrypoints=()) for case in of] for area, of in self._by_area.items()}

    @cached_property
    def _mixed(self) -> list[OfficerCase]:
        """Cases of which an entrypoint says something, the first of each area before the second of any: one of them soon notices."""
        # Of what an area permits the entrypoints say nothing that a case looks at.
        said = [[one for one in cases if one.permitted is False or one.noted] for cases in self._by_area.values()]
        placed = [(index, case) for cases in said for index, case in enumerate(cases)]
        return [case for _, case in sorted(placed, key=lambda one: one[0])]

    def noticed_by(self, name: str, text: str) -> str:
        """
        The case or test that does not hold where a module has another text; empty where all hold.

        Raises:
            BundleInvalidError: the module does not compile so.
        """
        tree = self._trees[name]
        touched = (self._reading.readers((tree.package, first_name(rule))) for rule in tree.rules)
        return self._noticed(_Change(name, frozenset().union(*touched), text=text))

    def noticed(self, edit: RuleEdit) -> str:
        """
        The same where one place of a module is changed and reads nothing that it did not read, in a fraction of the time.

        Raises:
            BundleInvalidError: the module does not compile so.
        """
        tree = self._trees[edit.place.file]
        rule = tree.package, edit.rule.partition(".")[0]
        return self._noticed(_Change(tree.file, self._reading.readers(rule), edit=edit))

    def _noticed(self, change: _Change) -> str:
        own = PurePosixPath(change.name).parent.name
        concerned = self._mixed if change.name == ENTRY else self._by_area.get(own, [])
        by_area = [self._alone.get(area, []) for area in (own, *sorted(self._alone.keys() - {own}))]
        # What an area answers has been asked when the entrypoints are.
        asked = [(cases, self._asked(change, cases, "/")) for cases in by_area]
        asked.append((concerned, self._asked(change, concerned, "")))
        if not any(rules for _, rules in asked):
            self._require_policy(change)
        noticed = (self._by_cases(change, cases, rules) for cases, rules in asked if rules)
        return next(filter(None, noticed), "") or self._by_a_test(own, change)

    def _require_policy(self, change: _Change) -> None:
        """A change that nobody asks about must leave rules all the same."""
        if rules := rules_of([case for cases in self._by_area.values() for case in cases]):
            every = self._reading.at("data")
            self._compile(replace(self._bundle, modules=change.of(self._trees, every)), rules)

    def _asked(self, change: _Change, cases: Sequence[OfficerCase], depth: str) -> set[str]:
        """The rules that cases ask for and that may answer otherwise: those of areas, or else of the entrypoints."""
        rules = {rule for case in cases for rule in self._asks(case) if bool(depth) == (rule.count("/") > 1)}
        return {rule for rule in rules if self._reading.at(_path(rule)) & change.touched}

    def _asks(self, case: OfficerCase) -> frozenset[str]:
        if id(case) not in self._rules:
            self._rules[id(case)] = frozenset(rules_of([case]))
        return self._rules[id(case)]

    def _changed(self, change: _Change, asked: Iterable[str]) -> Bundle:
        starts = [one for rule in asked for one in self._reading.at(_path(rule))]
        return replace(self._bundle, modules=change.of(self._trees, self._reading.needed(starts)))

    def _by_cases(self, change: _Change, cases: Sequence[OfficerCase], asked: set[str]) -> str:
        engine = self._compile(self._changed(change, asked), sorted(asked))
        concerned = [case for case in cases if asked & self._asks(case)]
        return _first(Changed(engine, asked, self._before), concerned)

    def _by_a_test(self, folder: str, change: _Change) -> str:
        """By the Rego tests that lie beside a module; those of the entrypoints take a second, and say nothing of single areas."""
        near = {one: tree for one, tree in self._test_trees.items() if PurePosixPath(one).parent.name == folder}
        tests = {(tree.package, first_name(rule)) for tree in near.values() for rule in tree.rules}
        touched = {one for one in tests & change.touched if one[1].startswith("test_")}
        if not touched:
            return ""
        # A test that reads nothing of what was changed holds as it did before.
        kept = self._reading.needed(touched)
        beside = {one: sliced(tree, kept).encode() for one, tree in near.items()}
        beside |= {one: text for one, text in self._bundle.checks.items() if one in {FILE, BASE}}
        return next(iter(self._tests(replace(self._bundle, modules=change.of(self._trees, kept), checks=beside))), "")


def _read_tests(bundle: Bundle) -> dict[str, Module]:
    # The file of cases as tests holds nothing here but the input that tests start from.
    names = [one for one in bundle.checks if one.endswith("_test.rego") and one != FILE]
    return {one: read(one, bundle.checks[one].decode()) for one in names}


def _path(rule: str) -> str:
    return "data." + rule.replace("/", ".")


def _first(engine: Queryable, cases: Sequence[OfficerCase]) -> str:
    try:
        return first_failing(engine, cases)
    except (PolicyError, LookupError, TypeError, AttributeError) as error:
        # A rule that fails, or an answer that is none, lets nothing through: whoever asks hears of it.
        return f"the engine: {type(error).__name__}"
