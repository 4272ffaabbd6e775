"""
Whether the officers' cases would notice a change of the rules.

Each alternative of each rule that a decision depends on is changed in turn (`mutants/edits.py`), one change at a time; a case, or
a Rego test, must then fail.  What none notices has no case: it could be deleted, or added by somebody, and nobody would hear of it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateway.errors import BundleInvalidError
from gateway.policy.areas import Area, areas_of
from gateway.policy.bundle import Bundle
from gateway.policy.rego.reader import modules
from gateway.policy.rego.tree import Module
from gateway.workbench.area_checks import SERVER_ONLY
from gateway.workbench.cases import Compile, OfficerCase, rules_of, run
from gateway.workbench.mutants.change import RuleChange
from gateway.workbench.mutants.edits import RuleEdit, edits
from gateway.workbench.mutants.trial import FailingTests, Trial


@dataclass(frozen=True, slots=True)
class Mutation:
    """What changing each line in turn came to."""

    areas: int
    """How many areas were looked at: all that the list has."""

    silent: int
    """How many of them only warn."""

    changes: tuple[RuleChange, ...]
    """All that were tried, in the order of the files."""

    @property
    def conditions(self) -> int:
        """How many changes were tried."""
        return len(self.changes)

    @property
    def survivors(self) -> tuple[RuleChange, ...]:
        """The changes that nothing noticed."""
        return tuple(change for change in self.changes if not change.noticed_by)


def mutate(
    bundle: Bundle,
    cases: Sequence[OfficerCase],
    compile_: Compile,
    *,
    tests: FailingTests = lambda _: (),
    areas: Collection[str] | None = None,
) -> Mutation:
    """
    RuleChange each line of the rules in turn.

    Args:
        bundle: the rules.
        cases: what they must say; those that fail already notice nothing.
        compile_: makes an engine of them.
        tests: runs the Rego tests of a bundle; they are asked about what no case notices.
        areas: folders whose rules are changed; None for all.

    Raises:
        BundleInvalidError: a listed area has no module, or a module cannot be read.
    """
    listed = areas_of(bundle).listed
    _require_modules(bundle, listed)
    # What fails before anything is changed would notice every change, and so says nothing of any.
    failing = [failure.case for failure in run(compile_(bundle, rules_of(cases)), cases)] if cases else []
    holding = [case for case in cases if case not in failing]
    trial = Trial(bundle, holding, compile_, (lambda _: ()) if any(tests(bundle)) else tests)
    found = (
        change
        for name, module in modules(bundle).items()
        if not name.startswith(SERVER_ONLY) and (areas is None or _area(name) in areas)
        for change in _changes(trial, name, module)
    )
    return Mutation(len(listed), sum(not area.refuses for area in listed), tuple(found))


def module_of(area: Area) -> str:
    """The module of an area."""
    return f"context/{area.name}/{area.name}.rego"


def _area(name: str) -> str:
    return PurePosixPath(name).parent.name


def _require_modules(bundle: Bundle, listed: Sequence[Area]) -> None:
    for area in listed:
        if module_of(area) not in bundle.modules:
            raise BundleInvalidError(f"the area {area.name} is listed, and there is no {module_of(area)}")


def _changes(trial: Trial, name: str, module: Module) -> Iterator[RuleChange]:
    for edit in edits(module):
        try:
            noticed = trial.noticed(edit)
        except BundleInvalidError:
            # No rules any more: whoever made this change would hear of it from the compiler.
            continue
        yield _change(name, edit, noticed)


def _change(name: str, edit: RuleEdit, noticed: str) -> RuleChange:
    return RuleChange(name, edit.place.line, edit.place.column, _area(name), edit.rule, edit.what, noticed)
