"""The policy engine that can be switched: one bundle decides, another may watch."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gateway.concurrency.apart import apart
from gateway.errors import PolicyError, RequestError
from gateway.model import PolicyVersion
from gateway.policy.entrypoints import REACH
from gateway.policy.shadows.watching import Watching
from gateway.ports.policy import Disagreement, PolicyEngine

FAILED = "failed"

Facts = Mapping[str, Any]
Tell = Callable[[Facts], Facts]
"""Facts as the shadow's own registry makes them; raises the `RequestError` with which it would refuse the request."""


def unchanged(facts: Facts) -> Facts:
    """Facts as they are, for a shadow with the same registry."""
    return facts


class SwitchingPolicyEngine:
    """
    A `gateway.ports.policy.PolicyEngine` whose bundle is swapped in one step.

    What is under way keeps the engine it was pinned to, so no request sees two revisions.  A shadow decides
    beside the active engine; only its disagreements count, and its failures hurt nobody.
    """

    def __init__(self, engine: PolicyEngine, require: Callable[[str], None] = lambda _: None) -> None:
        """
        Args:
            engine: what decides first.
            require: raises a `PolicyError` where the bundle of a revision may decide no more.
        """
        self._active = engine
        self._require = require
        self._shadow: tuple[PolicyEngine, Tell] | None = None
        self.counts: Counter[str] = Counter()
        """How often the shadow disagreed, by entrypoint; "failed" counts its failures."""

        self.watching = Watching()
        """What the present shadow has seen."""

    @property
    def version(self) -> PolicyVersion:
        return self._active.version

    @property
    def shadow(self) -> PolicyVersion | None:
        """The bundle that watches."""
        return self._shadow[0].version if self._shadow else None

    def pinned(self) -> PolicyEngine:
        self._require(self._active.version.revision)
        if self._shadow is None:
            return self._active
        return WatchedPolicyEngine(self._active, *self._shadow, self.counts, self.watching)

    def switch(self, engine: PolicyEngine) -> None:
        """Decide with another engine from now on; it no longer watches."""
        self._active = engine
        self.watch(None)

    def watch(self, engine: PolicyEngine | None, tell: Tell = unchanged, since: str | None = None) -> None:
        """
        Let an engine decide beside the active one, or nobody.

        Args:
            engine: the shadow.
            tell: says what it is asked in the place of other facts.
            since: when it begins.
        """
        self._shadow = None if engine is None else (engine, tell)
        self.counts.clear()
        self.watching = Watching(since)

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> Sequence[object]:
        return await self.pinned().evaluate(entrypoint, inputs)


class WatchedPolicyEngine:
    """One request's engine while a shadow watches; it keeps where they disagreed."""

    def __init__(
        self, active: PolicyEngine, shadow: PolicyEngine, tell: Tell, counts: Counter[str], watching: Watching
    ) -> None:
        self._active = active
        self._shadow = shadow
        self._tell = tell
        self._counts = counts
        self._watching = watching
        self._asked = False
        self.disagreements: list[Disagreement] = []

    @property
    def version(self) -> PolicyVersion:
        return self._active.version

    def pinned(self) -> PolicyEngine:
        return self

    async def evaluate(self, entrypoint: str, inputs: Sequence[Facts]) -> Sequence[object]:
        answers = await self._active.evaluate(entrypoint, inputs)
        if entrypoint == REACH.name:
            # What may be found is decided for thousands of labels at once; the shadow is asked about what was found.
            return answers
        self._watching.requests += not self._asked
        self._watching.questions += len(inputs)
        self._asked = True
        asked = await apart(lambda: [self._told(facts) for facts in inputs])
        others = await self._others(entrypoint, asked)
        for (facts, _), one, other in zip(asked, answers, others or (), strict=False):
            if one != other:
                self._counts[entrypoint] += 1
                codes = tuple(sorted(_codes(one) ^ _codes(other)))
                self._watching.disagreed(facts, codes)
                self.disagreements.append(Disagreement(self._shadow.version, entrypoint, facts, codes))
        return answers

    def _told(self, facts: Facts) -> tuple[Facts, object]:
        """What the shadow is asked, and its answer where its registry refuses the request before anybody asks."""
        try:
            return self._tell(facts), None
        except RequestError as refused:
            return facts, {"denials": [{"code": refused.code}]}

    async def _others(self, entrypoint: str, asked: Sequence[tuple[Facts, object]]) -> Sequence[object] | None:
        """What the shadow says; None where it fails or answers short."""
        inputs = [facts for facts, refusal in asked if refusal is None]
        try:
            answers = await self._shadow.evaluate(entrypoint, inputs) if inputs else ()
        except PolicyError:
            answers = None
        if answers is None or len(answers) != len(inputs):
            self._counts[FAILED] += 1
            return None
        said = iter(answers)
        return [next(said) if refusal is None else refusal for _, refusal in asked]


def disagreements(engine: PolicyEngine) -> Sequence[Disagreement]:
    """What a shadow decided otherwise since this engine was pinned; nothing where none watches."""
    return engine.disagreements if isinstance(engine, WatchedPolicyEngine) else ()


def _codes(answer: object) -> set[str]:
    denials = answer.get("denials") if isinstance(answer, dict) else None
    return {str(denial.get("code")) for denial in denials or () if isinstance(denial, dict)}
