"""
Golden sets that are asked again after each change of the index, and once a day.

Rules held here: no request waits for it and none fails by it; a set that cannot be read or asked is counted and logged by the code
of what went wrong, and never takes an earlier figure for a new one; a baseline is written by people alone.
"""

import asyncio

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from gateway.errors import FieldInvalidError, GatewayError
from gateway.knowledge.quality.baseline import Movement, load, movement
from gateway.knowledge.quality.evaluation import GoldenResult, evaluate
from gateway.knowledge.quality.golden import ReadGolden, read_golden, unknown_documents
from gateway.knowledge.quality.verdict import verdict
from gateway.model.knowledge.quality import QualityTable
from gateway.observability.retrieval_quality import RetrievalQuality
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of
from gateway.ports.finding import Finder, Searchable

log = structlog.get_logger()

BASELINE: Final = ".baseline.json"
_REST: Final = 0.02
"""Seconds between two questions: a set of a thousand takes twenty seconds longer, and requests come in between."""


def golden_files(folder: Path) -> list[Path]:
    """The golden sets of a folder, by name."""
    return sorted(folder.glob("*.yaml"))


def baseline_file(golden: Path) -> Path:
    """Where the baseline of a golden set stands."""
    return golden.with_name(f"{golden.stem}{BASELINE}")


class QualityWatch:
    """Asks the golden sets of one folder."""

    def __init__(
        self,
        folder: Path,
        finder: Finder,
        bundle: Callable[[], Bundle],
        figures: RetrievalQuality,
        clock: Callable[[], datetime],
        *,
        hour: int,
        seconds: float,
    ) -> None:
        """
        Args:
            folder: of golden sets and their baselines.
            finder: to measure.
            bundle: gives the one that decides now.
            figures: to tell.
            clock: the time, UTC.
            hour: of the day in which they are asked whatever happens.
            seconds: between two looks at the index.
        """
        self._folder = folder
        self._finder = finder
        self._bundle = bundle
        self._figures = figures
        self._clock = clock
        self._hour = hour
        self._seconds = seconds
        self._asked: Searchable | None = None
        self._seen: Searchable | None = None
        self._day = ""
        for file in golden_files(folder):
            figures.expect(file.stem)

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await self.turn()
            await asyncio.sleep(self._seconds)

    async def turn(self) -> bool:
        """
        Look once, and survive it.

        Returns:
            Whether the golden sets were asked, with whatever success.
        """
        try:
            now = self._finder.searchable
            settled, self._seen = now == self._seen, now
            if not self._due(now, settled=settled):
                return False
            self._asked = now
            if self._clock().hour == self._hour:
                self._day = self._today()
            await self.ask()
        except Exception as error:  # noqa: BLE001 - a task that ends asks nothing ever after, and nobody hears of it
            self._failed("", error)
        return True

    def _due(self, now: Searchable, *, settled: bool) -> bool:
        # While documents are taken in the index changes all the time: what has stood still for a turn is measured.
        changed = settled and now != self._asked
        nightly = self._clock().hour == self._hour and self._today() != self._day
        return changed or nightly

    def _today(self) -> str:
        return self._clock().date().isoformat()

    async def ask(self) -> None:
        """Ask every golden set of the folder now."""
        bundle = self._bundle()
        table = (await asyncio.to_thread(registry_of, bundle)).quality
        for file in golden_files(self._folder):
            self._figures.expect(file.stem)
            try:
                golden = await asyncio.to_thread(_read, file, bundle, self._finder)
                await self._measure(file, golden, _required(table))
            except Exception as error:  # noqa: BLE001 - the other sets are asked all the same
                self._failed(file.stem, error)

    async def _measure(self, file: Path, golden: ReadGolden, table: QualityTable) -> None:
        measured = await evaluate(golden, self._finder, table.depth, rest=_REST)
        moved = await asyncio.to_thread(_moved, file, measured, table)
        told = verdict(measured, table, moved)
        self._figures.measured(
            golden.name,
            {str(name): value for name, value in measured.figures.items()},
            headroom=measured.headroom,
            drifted=len(told.drifted),
            at=self._clock().timestamp(),
        )
        if told.leaks:
            names = [one.id for one in measured.questions if one.leaked or one.refused_by_gate]
            log.error("golden_leak", golden=golden.name, questions=names[:20])
        elif told.poor or told.drifted:
            alarms = [line.figure for line in told.lines if line.standing == "alarm"]
            log.warning("golden_poor", golden=golden.name, alarms=alarms, drifted=list(told.drifted))

    def _failed(self, name: str, error: Exception) -> None:
        self._figures.failed()
        code = error.code if isinstance(error, GatewayError) else type(error).__name__
        log.warning("golden_not_asked", golden=name, kind=code)


def _required(table: QualityTable | None) -> QualityTable:
    if table is None:
        raise FieldInvalidError("the bundle has no table registry/quality", fields=[("registry/quality", "is missing")])
    return table


def _read(file: Path, bundle: Bundle, finder: Finder) -> ReadGolden:
    golden = read_golden(file, bundle)
    if isinstance(golden, ReadGolden):
        tenants = {one.subject.tenant for one in golden.askers.values()}
        wrong = unknown_documents(file, {tenant: frozenset(finder.documents(tenant)) for tenant in tenants})
        if not wrong:
            return golden
    else:
        wrong = golden
    raise FieldInvalidError(
        f"{file.name}:{wrong[0].line}: {wrong[0].message}", fields=[(wrong[0].entry, wrong[0].hint)]
    )


def _moved(file: Path, measured: GoldenResult, table: QualityTable) -> Movement | None:
    baseline = baseline_file(file)
    return movement(load(baseline), measured, table) if baseline.is_file() else None
