"""
The officers' cases: one input each, and what its area must say of it.

A case changes what it names in `cases.base.yaml` and says whether its area permits it, with which codes it refuses, warns
or sets aside, and, where that matters, what other rules of the area answer.  What an area refuses, every entrypoint that
asks the area must refuse too, unless an exception in force is named.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.areas import LIST, Area, Areas, areas_of
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.supply import tables
from gateway.policy.vetting.matrix import expanded, overlaid
from gateway.ports.policy import Queryable

BASE: Final = "context/cases.base.yaml"
NOTED: Final = {"warned": "warn", "set_aside": "set_aside"}
"""Parts of a file of cases that are allowed with something to say, and the rule that says it."""

_WORDS: Final = frozenset({"case", "change", "answers", "unknown"})

Compile = Callable[[Bundle, Sequence[str]], Queryable]
"""Compiles a bundle for the rules that will be asked for."""


@dataclass(frozen=True, slots=True)
class OfficerCase:
    """One input and what its area must say of it."""

    area: str
    name: str
    facts: dict[str, Any]
    permitted: bool | None
    """None where only the codes count."""

    codes: tuple[str, ...]
    """With which it is refused."""

    noted: Mapping[str, tuple[str, ...]]
    """Codes that other rules of the area give, such as `warn`, by rule."""

    answers: Mapping[str, Sequence[Any]]
    """What further rules of the area answer, in any order, by rule."""

    refuses: bool = True
    """Whether the area refuses at all; one that only warns has neither `permit` nor `deny`."""

    entrypoints: tuple[str, ...] = ()
    """Those that ask the area, such as `admit`."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the area that the case is about."""
        asked = ("permit", "deny") if self.refuses else ()
        return (*asked, *self.noted, *self.answers)


@dataclass(frozen=True, slots=True)
class Failure:
    """A case whose area says something else."""

    case: OfficerCase
    permitted: bool
    codes: tuple[str, ...]
    also: str = ""
    """What else is not as it should be."""

    def __str__(self) -> str:
        if self.also:
            return f"{self.case.area}: {self.case.name}: {self.also}."
        wanted = "allowed" if self.case.permitted else f"refused with {', '.join(self.case.codes) or 'no code'}"
        found = "allowed" if self.permitted else f"refused with {', '.join(self.codes) or 'no code'}"
        return f"{self.case.area}: {self.case.name}: should be {wanted}, is {found}."


def load_cases(root: Path) -> list[OfficerCase]:
    """
    All cases of a bundle folder.

    Raises:
        BundleInvalidError: a file of cases or the list of areas cannot be read; the message names it.
    """
    return read_cases(load_bundle(root))


def read_cases(bundle: Bundle) -> list[OfficerCase]:
    """
    The cases that a bundle brings, in the order of its list of areas.

    Raises:
        BundleInvalidError: a file of cases or the list of areas cannot be read; the message names it.
    """
    areas = areas_of(bundle)
    files = {PurePosixPath(name).parent.name: name for name in bundle.checks if name.endswith("/cases.yaml")}
    if strangers := files.keys() - {area.name for area in areas.listed}:
        raise BundleInvalidError(f"there are cases of {min(strangers)}, which is not in {LIST}")
    base = base_of(bundle) if files else {}
    # In the order of the list, which officers know, and not of the files.
    return [
        case
        for area in areas.listed
        if area.name in files
        for case in _cases(bundle, files[area.name], area, areas, base)
    ]


def base_of(bundle: Bundle) -> dict[str, Any]:
    """
    The input that every area permits.

    Raises:
        BundleInvalidError: the bundle brings none.
    """
    base: dict[str, Any] = read_yaml(bundle, BASE)
    return base


def _cases(bundle: Bundle, name: str, area: Area, areas: Areas, base: object) -> list[OfficerCase]:
    document = document_of(bundle, name)
    try:
        _check_words(name, document, area)
        rules = [rule for part, rule in NOTED.items() if part in document]
        parts = [("allowed", True), ("refused", False), *((part, True) for part in NOTED)]
        found = [
            _case(area, base, case, part, rules, permitted=permitted)
            for part, permitted in parts
            for case in document.get(part) or ()
        ]
        codes = tuple(sorted(document["nothing_known"]["codes"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise BundleInvalidError(f"{name} lacks a part of a case: {error}") from error
    # Of every area, though nobody writes its facts: where nothing is known, an area must refuse.
    nothing = OfficerCase(
        area.name, "nothing known", {}, None if not codes else False, codes, {}, {}, refuses=area.refuses
    )
    asking = tuple(areas.asking(area))
    return [replace(case, entrypoints=asking) for case in (*found, nothing)]


def _check_words(name: str, document: Mapping[str, Any], area: Area) -> None:
    """
    Raises:
        BundleInvalidError: a part, or a word of a case, is misspelt, so that the case would say nothing.
    """
    needed = {"area", "allowed", "nothing_known"} | ({"refused"} if area.refuses else set())
    if missing := needed - document.keys():
        raise BundleInvalidError(f"{name} has no `{min(missing)}`")
    if document["area"] != area.name:
        raise BundleInvalidError(f"{name} says that it is about {document['area']}")
    if unknown := document.keys() - needed - {*NOTED}:
        raise BundleInvalidError(f"{name}: `{min(map(str, unknown))}` is no part of the cases of this area")
    for part in ("allowed", "refused", *NOTED):
        for case in document.get(part) or ():
            if unknown := case.keys() - _WORDS - ({"codes"} if part != "allowed" else set()):
                raise BundleInvalidError(
                    f"{name}: {case.get('case')}: `{min(map(str, unknown))}` is no word of such a case"
                )


def _case(
    area: Area, base: object, case: dict[str, Any], part: str, rules: Sequence[str], *, permitted: bool
) -> OfficerCase:
    codes = tuple(sorted(case["codes"])) if part != "allowed" else ()
    # What is allowed says nothing beside; what is refused may say more, which is not what the case is about.
    noted = {rule: codes if NOTED.get(part) == rule else () for rule in rules if permitted}
    return OfficerCase(
        area=area.name,
        name=case["case"],
        facts=merged(base, case["change"]),
        permitted=permitted if area.refuses else None,
        codes=() if permitted else codes,
        noted=noted,
        answers=dict(case.get("answers", {})),
        refuses=area.refuses,
    )


def read_yaml(bundle: Bundle, name: str) -> Any:  # noqa: ANN401 - YAML
    """
    A file that a bundle brings beside what decides.

    Raises:
        BundleInvalidError: it is missing or not YAML.
    """
    try:
        return tables.read_yaml(bundle.checks[name])
    except KeyError as error:
        raise BundleInvalidError(f"{name} cannot be read") from error
    except tables.TableError as error:
        raise BundleInvalidError(f"{name} cannot be read: {error}") from error


def document_of(bundle: Bundle, name: str) -> dict[str, Any]:
    """
    A file of cases that a bundle brings, with each cell of a matrix as a case of its own.

    Raises:
        BundleInvalidError: it is missing, not YAML, or no file of cases.
    """
    document = read_yaml(bundle, name)
    if not isinstance(document, dict):
        raise BundleInvalidError(f"{name} holds no cases")
    try:
        return expanded(document)
    except BundleInvalidError as error:
        raise BundleInvalidError(f"{name}: {error.detail}") from error


merged = overlaid
"""The input of a case: the base with what the case changes."""


def rules_of(cases: Sequence[OfficerCase]) -> list[str]:
    """The rules that running the cases asks for."""
    # An engine is compiled for the rules that it is told of, and answers for no others.
    own = {f"context/{case.area}/{rule}" for case in cases for rule in case.rules}
    return sorted(own | {f"context/{entrypoint}" for case in cases for entrypoint in case.entrypoints})


def run(engine: Queryable, cases: Sequence[OfficerCase]) -> list[Failure]:
    """The cases that fail."""
    return [failure for case in cases if (failure := _run_one(engine, case))]


def any_fails(engine: Queryable, cases: Sequence[OfficerCase]) -> bool:
    """Whether any case fails; those after the first that does are not run."""
    return any(_run_one(engine, case) for case in cases)


def first_failing(engine: Queryable, cases: Sequence[OfficerCase]) -> str:
    """The area and name of the first case that fails; empty where all hold."""
    return next((f"{case.area}: {case.name}" for case in cases if _run_one(engine, case)), "")


def _run_one(engine: Queryable, case: OfficerCase) -> Failure | None:
    permitted = True
    codes: tuple[str, ...] = ()
    if case.refuses:
        permitted = engine.query(f"context/{case.area}/permit", case.facts) is True
        codes = _codes(engine.query(f"context/{case.area}/deny", case.facts))
        if codes != case.codes or case.permitted not in {None, permitted}:
            return Failure(case, permitted, codes)
    also = _said_otherwise(engine, case) or _let_through(engine, case)
    return Failure(case, permitted, codes, also) if also else None


def _said_otherwise(engine: Queryable, case: OfficerCase) -> str:
    """What another rule of the area says that it should not; empty where all is well."""
    for rule, wanted in case.noted.items():
        found = _codes(engine.query(f"context/{case.area}/{rule}", case.facts))
        if found != wanted:
            return f"`{rule}` should say {', '.join(wanted) or 'nothing'}, and says {', '.join(found) or 'nothing'}"
    for rule, expected in case.answers.items():
        answer = engine.query(f"context/{case.area}/{rule}", case.facts)
        if not isinstance(answer, list) or not _same(answer, expected):
            return f"`{rule}` should be {list(expected)}, and is {answer}"
    return ""


def _same(answer: Sequence[Any], expected: Sequence[Any]) -> bool:
    """Whether two lists hold the same, in any order."""
    return len(answer) == len(expected) and all(one in expected for one in answer)


def _let_through(engine: Queryable, case: OfficerCase) -> str:
    """Which entrypoint permits what its area refuses, or keeps its warnings to itself; empty where none does."""
    # Where an area is asked alone, nothing says what becomes of its answer.
    if not case.entrypoints:
        return ""
    if warned := set(case.noted.get("warn", ())):
        pack: Any = engine.query(f"context/{case.entrypoints[0]}", case.facts)
        if not warned <= {warning["code"] for warning in pack["warnings"]}:
            return f"`{case.entrypoints[0]}` does not warn with {', '.join(sorted(warned))}"
    if case.permitted is not False:
        return ""
    for entrypoint in case.entrypoints:
        answer: Any = engine.query(f"context/{entrypoint}", case.facts)
        if not isinstance(answer, dict):
            return f"`{entrypoint}` gives no answer"
        if answer.get("exceptions"):
            continue
        told = {denial["code"] for denial in answer["denials"]}
        if permits(answer) or not set(case.codes) <= told:
            return f"`{entrypoint}` does not refuse it with {', '.join(case.codes)}"
    return ""


def permits(answer: Mapping[str, Any]) -> bool:
    """Whether an entrypoint's answer lets something through; what is quarantined is let through to review."""
    return answer["outcome"] != "denied" if "outcome" in answer else answer["allow"] is True


def _codes(refusals: object) -> tuple[str, ...]:
    return tuple(sorted(refusal["code"] for refusal in refusals)) if isinstance(refusals, list) else ()
