"""The policy engine that can be switched: one bundle decides, another may watch."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gateway.errors import PolicyError
from gateway.model import PolicyVersion
from gateway.ports.policy import Disagreement, PolicyEngine

FAILED = "failed"


class SwitchingPolicyEngine:
    """
    A `gateway.ports.policy.PolicyEngine` whose bundle is swapped in one step.

    What is under way keeps the engine it was pinned to, so no request sees two revisions.  A shadow decides
    beside the active engine; only its disagreements count, and its failures hurt nobody.
    """

    def __init__(self, engine: PolicyEngine) -> None:
        self._active = engine
        self._shadow: PolicyEngine | None = None
        self.counts: Counter[str] = Counter()
        """How often the shadow disagreed, by entrypoint; "failed" counts its failures."""

    @property
    def version(self) -> PolicyVersion:
        return self._active.version

    @property
    def shadow(self) -> PolicyVersion | None:
        """The bundle that watches."""
        return self._shadow.version if self._shadow else None

    def pinned(self) -> PolicyEngine:
        return self._active if self._shadow is None else WatchedPolicyEngine(self._active, self._shadow, self.counts)

    def switch(self, engine: PolicyEngine) -> None:
        """Decide with another engine from now on; it no longer watches."""
        self._active = engine
        self.watch(None)

    def watch(self, engine: PolicyEngine | None) -> None:
        """Let an engine decide beside the active one, or nobody."""
        self._shadow = engine
        self.counts.clear()

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> Sequence[object]:
        return await self.pinned().evaluate(entrypoint, inputs)


class WatchedPolicyEngine:
    """One request's engine while a shadow watches; it keeps where they disagreed."""

    def __init__(self, active: PolicyEngine, shadow: PolicyEngine, counts: Counter[str]) -> None:
        self._active = active
        self._shadow = shadow
        self._counts = counts
        self.disagreements: list[Disagreement] = []

    @property
    def version(self) -> PolicyVersion:
        return self._active.version

    def pinned(self) -> PolicyEngine:
        return self

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> Sequence[object]:
        answers = await self._active.evaluate(entrypoint, inputs)
        others = await self._others(entrypoint, inputs)
        for facts, one, other in zip(inputs, answers, others or (), strict=False):
            if one != other:
                self._counts[entrypoint] += 1
                codes = tuple(sorted(_codes(one) ^ _codes(other)))
                self.disagreements.append(Disagreement(self._shadow.version, entrypoint, facts, codes))
        return answers

    async def _others(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> Sequence[object] | None:
        """What the shadow says; None where it fails or answers short."""
        try:
            others = await self._shadow.evaluate(entrypoint, inputs)
        except PolicyError:
            others = ()
        if len(others) != len(inputs):
            self._counts[FAILED] += 1
            return None
        return others


def disagreements(engine: PolicyEngine) -> Sequence[Disagreement]:
    """What a shadow decided otherwise since this engine was pinned; nothing where none watches."""
    return engine.disagreements if isinstance(engine, WatchedPolicyEngine) else ()


def _codes(answer: object) -> set[str]:
    denials = answer.get("denials") if isinstance(answer, dict) else None
    return {str(denial.get("code")) for denial in denials or () if isinstance(denial, dict)}
