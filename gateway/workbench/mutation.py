"""
Whether the officers' cases would notice a missing condition.

Each condition of each area's `permit`, and each area that an entrypoint asks, is dropped in turn; a case must then fail.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gateway.errors import BundleInvalidError
from gateway.policy.annotations import conditions, with_conditions
from gateway.policy.areas import ENTRY, Area, areas_of, deciding_rule
from gateway.policy.bundle import Bundle
from gateway.workbench.cases import Compile, OfficerCase, any_fails, rules_of


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bundle that lacks one condition."""

    where: str
    """The area, or the entrypoint, whose condition it is."""

    areas: frozenset[str]
    """Whose cases should notice."""

    condition: str
    bundle: Bundle


@dataclass(frozen=True, slots=True)
class Survivor:
    """A condition that no case would miss."""

    area: str
    """Or the entrypoint."""

    condition: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """What dropping each condition in turn came to."""

    areas: int
    """How many areas were looked at: all that the list has."""

    silent: int
    """How many of them only warn, so that there is no condition to drop."""

    conditions: int
    survivors: tuple[Survivor, ...]


def mutate(bundle: Bundle, cases: Sequence[OfficerCase], compile_: Compile) -> Mutation:
    """
    Drop each condition in turn.

    Raises:
        BundleInvalidError: a checklist cannot be read, so that nothing is known of its conditions.
    """
    listed = areas_of(bundle).listed
    dropped, survivors = 0, []
    for mutant in mutants(bundle):
        dropped += 1
        concerned = [case for case in cases if case.area in mutant.areas]
        # Of an area that an entrypoint asks no more, its own cases first: one of them notices.
        concerned.sort(key=lambda case: case.area not in mutant.condition)
        if not concerned or not any_fails(compile_(mutant.bundle, rules_of(concerned)), concerned):
            survivors.append(Survivor(mutant.where, mutant.condition))
    return Mutation(len(listed), sum(not area.refuses for area in listed), dropped, tuple(survivors))


def mutants(bundle: Bundle) -> Iterator[Mutant]:
    """
    Each bundle that lacks one condition of an area or one area of an entrypoint.

    Raises:
        BundleInvalidError: a listed area has no module, or its checklist cannot be read; the message names it.
    """
    areas = areas_of(bundle)
    for area in areas.listed:
        if area.refuses:
            yield from _without_each(bundle, module_of(area), "permit", area.name, frozenset({area.name}))
    for entrypoint in areas.entrypoints():
        asked = frozenset(area.name for area in areas.asked_by(entrypoint))
        yield from _without_each(bundle, ENTRY, deciding_rule(entrypoint), entrypoint, asked)


def module_of(area: Area) -> str:
    """The module of an area."""
    return f"context/{area.name}/{area.name}.rego"


def _without_each(bundle: Bundle, name: str, rule: str, where: str, concerned: frozenset[str]) -> Iterator[Mutant]:
    if name not in bundle.modules:
        raise BundleInvalidError(f"the area {where} is listed, and there is no {name}")
    rego = bundle.modules[name]
    try:
        stated = conditions(rego, rule)
    except BundleInvalidError as error:
        raise BundleInvalidError(f"{name}: {error}") from error
    for index, dropped in enumerate(stated):
        text = with_conditions(rego, [*stated[:index], *stated[index + 1 :]], rule)
        yield Mutant(where, concerned, dropped, replace(bundle, modules={**bundle.modules, name: text}))
