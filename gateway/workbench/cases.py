"""
The officers' cases, and whether they would notice a missing condition.

A case changes what it names in `cases.base.yaml` and says whether its area permits it, and with which
codes it refuses.  Mutation: each condition of each `permit` is dropped in turn; a case must then fail.
"""

import re

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle, load_bundle
from gateway.ports.policy import Queryable

Compile = Callable[[Bundle, Sequence[str]], Queryable]
"""Compiles a bundle for the rules that will be asked for."""


@dataclass(frozen=True, slots=True)
class Case:
    """One input and what its area must say of it."""

    area: str
    name: str
    facts: dict[str, Any]
    permitted: bool | None
    """None where only the codes count."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A case whose area says something else."""

    case: Case
    permitted: bool
    codes: tuple[str, ...]

    def __str__(self) -> str:
        wanted = "allowed" if self.case.permitted else f"refused with {', '.join(self.case.codes) or 'no code'}"
        found = "allowed" if self.permitted else f"refused with {', '.join(self.codes) or 'no code'}"
        return f"{self.case.area}: {self.case.name}: should be {wanted}, is {found}."


@dataclass(frozen=True, slots=True)
class Survivor:
    """A condition that no case would miss."""

    area: str
    condition: str


def load_cases(root: Path) -> list[Case]:
    """
    All cases of a bundle folder.

    Raises:
        BundleInvalidError: a file of cases cannot be read; the message names it.
    """
    return read_cases(load_bundle(root).checks)


def read_cases(files: Mapping[str, bytes]) -> list[Case]:
    """
    The cases among a bundle's files, by path.

    Raises:
        BundleInvalidError: a file of cases cannot be read; the message names it.
    """
    base = _read("context/cases.base.yaml", files)
    found: list[Case] = []
    for name in sorted(name for name in files if PurePosixPath(name).name == "cases.yaml"):
        document = _read(name, files)
        area = PurePosixPath(name).parent.name
        try:
            found += [_case(area, base, case, permitted=True) for case in document["allowed"]]
            found += [_case(area, base, case, permitted=False) for case in document["refused"]]
            codes = tuple(sorted(document["nothing_known"]["codes"]))
        except (KeyError, TypeError) as error:
            raise BundleInvalidError(f"{name} lacks a part of a case: {error}") from error
        found.append(Case(area, "nothing known", {}, permitted=None if not codes else False, codes=codes))
    return found


def _case(area: str, base: object, case: dict[str, Any], *, permitted: bool) -> Case:
    codes = () if permitted else tuple(sorted(case["codes"]))
    return Case(area, case["case"], merged(base, case["change"]), permitted, codes)


def _read(name: str, files: Mapping[str, bytes]) -> Any:  # noqa: ANN401 - YAML
    try:
        return yaml.safe_load(files[name])
    except (KeyError, yaml.YAMLError) as error:
        raise BundleInvalidError(f"{name} cannot be read") from error


def merged(base: Any, change: Any) -> Any:  # noqa: ANN401 - any JSON
    """*base* with what *change* names (RFC 7386, but null stays null)."""
    if not isinstance(change, dict) or not isinstance(base, dict):
        return change
    return {**base, **{name: merged(base.get(name), value) for name, value in change.items()}}


def rules_of(cases: Sequence[Case]) -> list[str]:
    """The rules that running the cases asks for."""
    return sorted({f"context/{case.area}/{rule}" for case in cases for rule in ("permit", "deny")})


def run(engine: Queryable, cases: Sequence[Case]) -> list[Failure]:
    """The cases that fail."""
    return [failure for case in cases if (failure := _run_one(engine, case))]


def _run_one(engine: Queryable, case: Case) -> Failure | None:
    permitted = engine.query(f"context/{case.area}/permit", case.facts) is True
    refusals = engine.query(f"context/{case.area}/deny", case.facts)
    codes = tuple(sorted(refusal["code"] for refusal in refusals)) if isinstance(refusals, list) else ()
    right = codes == case.codes and case.permitted in {None, permitted}
    return None if right else Failure(case, permitted, codes)


def mutate(bundle: Bundle, cases: Sequence[Case], compile_: Compile) -> tuple[int, list[Survivor]]:
    """
    Drop each condition of each `permit` in turn.

    Returns:
        How many conditions were dropped, and those that no case missed.
    """
    count, survivors = 0, []
    for area, condition, mutant in mutants(bundle):
        count += 1
        concerned = [case for case in cases if case.area == area]
        if not run(compile_(mutant, rules_of(concerned)), concerned):
            survivors.append(Survivor(area, condition))
    return count, survivors


def mutants(bundle: Bundle) -> Iterator[tuple[str, str, Bundle]]:
    """Each bundle that lacks one condition: the area, the condition, the bundle."""
    for name, rego in sorted(bundle.modules.items()):
        permit = re.search(r"^permit if \{\n((?:\t.*\n)+)\}", rego, re.MULTILINE)
        if permit is None:
            continue
        conditions = permit.group(1).splitlines()
        for dropped in conditions:
            rest = "\n".join(line for line in conditions if line != dropped) or "\ttrue"
            text = rego.replace(permit.group(0), f"permit if {{\n{rest}\n}}")
            area = Path(name).parent.name
            yield area, dropped.strip(), replace(bundle, modules={**bundle.modules, name: text})
