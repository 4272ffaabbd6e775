"""Personal data found by Presidio in warm workers."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Final

from adapters.screening.costs import REFERENCE, Costs
from adapters.screening.presidio.engine import DETECTOR, FULL, PROFILES, steps
from adapters.screening.workers import WorkerPool
from gateway.model import Finding
from gateway.model.content import Leaf

RULES_VERSION: Final = "4"
"""Raised whenever our own recognizers, fields or context rules change."""


class PresidioDetector:
    """A `gateway.ports.Detector` for personal data."""

    reads_across = False

    def __init__(self, pool: WorkerPool, *, model: str, costs: Costs = REFERENCE) -> None:
        """
        Args:
            pool: where to scan.
            model: spaCy model for names; a package name or a folder.
            costs: what that takes on this machine.
        """
        self._pool = pool
        self._costs = costs
        self._model = model
        self._version = f"{version('presidio-analyzer')}+{model}+rules.{RULES_VERSION}"

    @property
    def name(self) -> str:
        return DETECTOR

    @property
    def version(self) -> str:
        return self._version

    def serves(self, screening: str) -> bool:
        return screening in PROFILES

    def cost(self, item: Sequence[Leaf], screening: str) -> float:
        return self._costs.personal_data(item, names=screening == FULL)

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str, tenant: str = "") -> list[list[Finding]]:
        return await self._pool.scan(steps, items, screening, self._model, tenant=tenant)
