"""
Injected instructions, found by the rules and decoders of promptbadger.

Its own score combines the rules that fire on a text (noisy-OR, 0 to 100); it is passed on as 0 to 1 with
each of them, and policy decides what it means.
"""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Final

from promptbadger import Scanner

from adapters.workers import WorkerPool
from gateway.model import Finding
from gateway.ports import Leaf

DETECTOR: Final = "promptbadger"
SCREENING: Final = "injection"
SHORTEST: Final = 12
"""Characters; no instruction fits in less."""


class PromptbadgerDetector:
    """A `gateway.ports.Detector` for injected instructions."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._version = version("promptbadger")

    @property
    def name(self) -> str:
        return DETECTOR

    @property
    def version(self) -> str:
        return self._version

    def serves(self, screening: str) -> bool:
        return screening == SCREENING

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str) -> list[list[Finding]]:
        return await self._pool.scan(scan, items)


@cache
def scanner() -> Scanner:
    """The rules, compiled once."""
    return Scanner()


def scan(items: Sequence[Sequence[Leaf]]) -> list[list[Finding]]:
    """Findings for every item, in order."""
    return [[finding for leaf in item for finding in _scan_leaf(leaf)] for item in items]


def _scan_leaf(leaf: Leaf) -> list[Finding]:
    if len(leaf.text) < SHORTEST:
        return []
    result = scanner().scan_context(leaf.text)
    return [
        Finding(
            kind="injection",
            type=detection.rule_id,
            score=result.score / 100,
            start=detection.span[0],
            end=detection.span[1],
            detector=DETECTOR,
            via=detection.view,
            path=leaf.path,
        )
        for detection in result.detections
    ]
