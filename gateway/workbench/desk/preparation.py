"""Making a kept bundle ready to decide, where that holds up nobody."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from gateway.policy.bundle import Bundle
from gateway.ports.policy import PolicyEngine


@dataclass(frozen=True, slots=True)
class Preparation:
    """What makes engines of bundles, and looks whether they may decide."""

    engine: Callable[[Bundle], Awaitable[PolicyEngine]]
    """Its engine, as it would decide; raises `BundleInvalidError` where it does not compile."""

    problem: Callable[[Bundle], Awaitable[str | None]]
    """The first reason why it may not decide; None where there is none."""
