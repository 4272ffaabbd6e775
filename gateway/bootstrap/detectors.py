"""What looks at content: detectors, the workers that they share, and the guard."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx

from adapters.screening.costs import Costs
from adapters.screening.injection.guard import GuardDetector
from adapters.screening.workers import WorkerPool
from gateway.ports.screening import Detector
from gateway.settings import Settings


def detectors_of(settings: Settings, pool: WorkerPool) -> tuple[Detector, ...]:
    """The detectors of this gateway, which share its workers."""
    from adapters.screening.injection.detector import InjectionDetector  # noqa: PLC0415 - takes seconds
    from adapters.screening.presidio import PresidioDetector  # noqa: PLC0415 - takes seconds

    costs = Costs(settings.screening_speed)
    return (
        PresidioDetector(pool, model=settings.spacy_model, costs=costs),
        InjectionDetector(pool, encoder=settings.injection_encoder, costs=costs),
    )


def detector_versions(settings: Settings) -> dict[str, str]:
    """Versions of this gateway's detectors by name, without workers to detect with; the model elsewhere is not asked."""
    pool = WorkerPool(workers=0, timeout_seconds=settings.detector_timeout_seconds, warm=lambda: None, args=())
    try:
        return {detector.name: detector.version for detector in detectors_of(settings, pool)}
    finally:
        pool.close()


def guards_of(settings: Settings, client: httpx.AsyncClient) -> tuple[Detector, ...]:
    """The model elsewhere that is asked as well, where there is one."""
    if settings.injection_guard_url is None:
        return ()
    token = settings.injection_guard_token
    return (
        GuardDetector(
            client,
            settings.injection_guard_url,
            token=token.get_secret_value() if token else None,
            timeout_seconds=settings.detector_timeout_seconds,
        ),
    )


async def screening_workers(settings: Settings, stack: AsyncExitStack) -> WorkerPool:
    """Warm workers, until the stack ends."""
    from adapters.screening.warm import warm_up  # noqa: PLC0415 - takes seconds

    pool = WorkerPool(
        workers=settings.detector_workers,
        timeout_seconds=settings.detector_timeout_seconds,
        warm=warm_up,
        args=(settings.spacy_model, settings.injection_encoder),
    )
    stack.callback(pool.close)
    await pool.ready()
    return pool


@asynccontextmanager
async def screening(settings: Settings) -> AsyncIterator[tuple[Detector, ...]]:
    """The detectors alone, for texts that no request brings."""
    async with AsyncExitStack() as stack:
        yield detectors_of(settings, await screening_workers(settings, stack))
