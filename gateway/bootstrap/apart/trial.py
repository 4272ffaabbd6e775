"""
Trying a bundle that somebody brings, in a process of its own.

Rules held here: its tables are read, its rules compiled and its cases and tests run where they can hold up nobody, within a time,
a share of the processor and an amount of memory; a process that needs more is killed, and that is a refusal like any other; one
trial runs at a time; whatever goes wrong in it, the bundle may not decide.
"""

import json

from collections.abc import Mapping
from typing import Final

from adapters.policy.regorus import RegorusPolicyEngine, failing_tests
from gateway.bootstrap.apart.bounded import BoundedProcess
from gateway.errors import BundleInvalidError, BundleTooCostlyError, RegoTooDeepError, RegoUnreadableError
from gateway.policy.bundle import bundle_of
from gateway.workbench.case_tests import with_base_input
from gateway.workbench.cases import read_cases, rules_of, run
from gateway.workbench.checks import check
from gateway.workbench.desk.tried import TrialProblem, Tried, found_in_case, found_in_tests
from gateway.workbench.proving.invariants import invariants_of

_REFUSED: Final = {kind.code: kind for kind in (BundleTooCostlyError, RegoTooDeepError, RegoUnreadableError)}
_MOST_TOLD: Final = 50
_LONGEST_TOLD: Final = 1_000


class BundleTrial:
    """Tries bundles, one at a time."""

    def __init__(self, *, seconds: float, megabytes: int) -> None:
        """
        Args:
            seconds: that a trial may take.
            megabytes: of memory that its process may have.
        """
        self._process = BoundedProcess("trying the bundle", seconds=seconds, megabytes=megabytes)

    async def __call__(self, files: Mapping[str, bytes]) -> Tried:
        """
        Why a bundle of these files may not decide: its checks, then its cases and Rego tests; no problems where it may.

        Raises:
            BundleInvalidError: it cannot be read.

            BundleTooCostlyError: it took more than it may.
        """
        kind, why, tried = json.loads(await self._process.call(_tried, dict(files)))
        if kind:
            raise _REFUSED.get(kind, BundleInvalidError)(why)
        return Tried.model_validate(tried)


def _tried(files: Mapping[str, bytes]) -> bytes:
    """In a process of its own: what came of a trial, as JSON."""
    kind, why, tried = verdict(files)
    return json.dumps([kind, why[:_LONGEST_TOLD], _short(tried).model_dump(mode="json")]).encode()


def _short(tried: Tried) -> Tried:
    problems = tuple(
        TrialProblem(where=one.where[:_LONGEST_TOLD], message=one.message[:_LONGEST_TOLD])
        for one in tried.problems[:_MOST_TOLD]
    )
    return tried.model_copy(update={"problems": problems})


def verdict(files: Mapping[str, bytes]) -> tuple[str, str, Tried]:
    """The code of the error with which a bundle of these files is refused, empty where there is none, its detail, and what came of it."""
    try:
        return "", "", trial_of(files)
    except BundleInvalidError as error:
        return error.code, error.detail, Tried()
    except MemoryError:
        return BundleTooCostlyError.code, "trying the bundle took more memory than it may", Tried()
    except Exception as error:  # noqa: BLE001 - what cannot be tried may not decide, whatever is wrong with it
        return BundleInvalidError.code, f"the bundle cannot be tried ({type(error).__name__})", Tried()


def trial_of(files: Mapping[str, bytes]) -> Tried:
    """
    Why a bundle of these files may not decide, each problem at its place; no problems where it may.

    Raises:
        BundleInvalidError: it cannot be read, or does not compile.
    """
    bundle = bundle_of(files)
    if wrong := check(bundle):
        return Tried(problems=tuple(TrialProblem(where=one.where, message=str(one)) for one in wrong))
    invariants_of(bundle)
    cases = read_cases(bundle)
    if not cases:
        return Tried(problems=(TrialProblem(where="cases.yaml", message="the candidate brings no cases"),))
    failures = run(RegorusPolicyEngine(bundle, rules_of(cases)), cases)
    problems = [found_in_case(one.case.area, one.case.name, str(one), files) for one in failures]
    problems += found_in_tests(failing_tests(with_base_input(bundle)), files)
    tests = sum(name.endswith(".rego") for name in bundle.checks)
    return Tried(problems=tuple(problems), cases=len(cases) - len(failures), tests=tests)
