"""
A bundle made ready to decide, with the event loop free meanwhile.

Rules held here: a bundle is checked and compiled in a process of its own, since the compiler keeps the interpreter to itself for as
long as it takes, and checks take seconds; what comes back is the compiled program, which the loop's own thread loads.
"""

import json

from collections.abc import Sequence

from adapters.policy.cedar import without_rego_entitlement
from adapters.policy.programs import program_of
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.apart.bounded import BoundedProcess
from gateway.bootstrap.policies import around, engine_limits
from gateway.errors import BundleInvalidError
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import NAMES
from gateway.ports.policy import PolicyEngine
from gateway.settings import Settings
from gateway.workbench.checks import check
from gateway.workbench.desk.preparation import Preparation

_LONGEST_TOLD = 1_000


def preparation(settings: Settings) -> Preparation:
    """What the lifecycle of bundles makes them ready with."""
    apart = BundlePreparation(settings)
    return Preparation(apart.engine, apart.problem)


class BundlePreparation:
    """Makes engines of bundles, as the settings ask for them."""

    def __init__(self, settings: Settings) -> None:
        """
        Args:
            settings: which engine decides, and what a bundle may cost.
        """
        self._settings = settings
        seconds, megabytes = settings.policies_trial_seconds, settings.policies_trial_megabytes
        self._process = BoundedProcess("preparing the bundle", seconds=seconds, megabytes=megabytes)

    async def engine(self, bundle: Bundle) -> PolicyEngine:
        """
        The engine of a bundle, as it would decide.

        Raises:
            BundleInvalidError: it does not compile, or costs too much.
        """
        own = self._compiled_one(bundle)
        problem, _, program = (await self._process.call(prepared, own, NAMES)).partition(b"\n")
        if problem:
            raise BundleInvalidError(json.loads(problem))
        engine = RegorusPolicyEngine(own, limits=engine_limits(self._settings), program=program)
        return around(self._settings, engine, bundle)

    async def problem(self, bundle: Bundle) -> str | None:
        """
        The first reason why a bundle may not decide; None where there is none.

        Raises:
            BundleTooCostlyError: looking took more than it may.
        """
        return json.loads(await self._process.call(checked, bundle)) or None

    def _compiled_one(self, bundle: Bundle) -> Bundle:
        return without_rego_entitlement(bundle) if self._settings.entitlement_engine == "cedar" else bundle


def prepared(bundle: Bundle, rules: Sequence[str]) -> bytes:
    """In a process of its own: why a bundle does not compile, as JSON, or nothing; a line break; and the compiled program."""
    try:
        return b"\n" + program_of(bundle, rules)
    except BundleInvalidError as error:
        return json.dumps(error.detail[:_LONGEST_TOLD]).encode()


def checked(bundle: Bundle) -> bytes:
    """In a process of its own: the first problem of a bundle, as JSON; an empty text where there is none."""
    problems = check(bundle)
    return json.dumps(str(problems[0])[:_LONGEST_TOLD] if problems else "").encode()
