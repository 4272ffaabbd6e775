"""
Whose job is next: start-time fair queueing (Goyal, Vin and Cheng, 1996), where a turn weighs the processor time that it took.

Rules held here: of tenants that wait, the one that was served least goes first, so one that comes anew waits for turns under
way and not for the queue of another, and many small jobs for no more than one large one; a tenant that was away gets nothing
for it; within a tenant, jobs go round.
"""

import asyncio
import itertools
import math
import time

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.screening.in_worker import ScanFunction
from gateway.model import Finding

_REMEMBERED: Final = 1024
"""Tenants whose turns are counted before those that are not ahead of others are forgotten."""


STANDS_BACK_SECONDS: Final = 0.1
"""How long a job of many turns waits for small ones of others at most, wherever there is no processor for both."""


@dataclass(slots=True, eq=False)
class Job:
    """One part of what a caller asks."""

    number: int
    tenant: str
    function: ScanFunction
    args: tuple[Any, ...]
    answer: "asyncio.Future[list[list[Finding]]]"
    home: object | None = None
    """The worker that laid it aside; None for one that no worker has begun."""

    laid_aside: float = 0.0
    """When it was, last; by the monotonic clock."""

    seconds: float = 0.0
    """Processor time that it has used."""

    deaths: int = 0
    """Workers that died under it."""

    place: int = field(default=0, init=False)


class Turns:
    """Jobs that wait, and whose turn it is."""

    def __init__(self) -> None:
        self._waiting: list[Job] = []
        self._places = itertools.count()
        self._now = 0
        self._due: dict[str, int] = {}
        """When a tenant's next turn begins, in milliseconds of processor time."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, job: Job) -> None:
        """Let a job wait, behind those of its tenant."""
        job.place = next(self._places)
        self._waiting.append(job)

    def remove(self, job: Job) -> bool:
        """Take a job out; False where it does not wait."""
        if job not in self._waiting:
            return False
        self._waiting.remove(job)
        return True

    def take(self, worker: object, passed_over: str | None = None, begun: Collection[str] = ()) -> Job | None:
        """
        The next job that a worker can do, if there is one.

        Args:
            worker: which.
            passed_over: a tenant that gets none.
            begun: tenants whose jobs are in their first turn: behind those of another, one of many turns stands back for a while.
        """
        able = (
            job
            for job in self._waiting
            if job.home in {None, worker} and job.tenant != passed_over and not _stands_back(job, begun)
        )
        job = min(able, key=lambda one: (self._start(one.tenant), one.place), default=None)
        if job is not None:
            self._waiting.remove(job)
            self._now = self._start(job.tenant)
        return job

    def took(self, tenant: str, seconds: float) -> None:
        """A turn of a tenant is over, which used so much processor time; to hand it over took part of a millisecond too."""
        self._due[tenant] = self._start(tenant) + math.ceil(seconds * 1000)
        if len(self._due) > _REMEMBERED:
            self._due = {one: due for one, due in self._due.items() if due > self._now}

    def clear(self) -> list[Job]:
        """Take out all."""
        jobs, self._waiting = self._waiting, []
        return jobs

    def _start(self, tenant: str) -> int:
        return max(self._now, self._due.get(tenant, 0))


def _stands_back(job: Job, begun: Collection[str]) -> bool:
    waits = time.monotonic() - job.laid_aside
    return job.home is not None and waits < STANDS_BACK_SECONDS and any(tenant != job.tenant for tenant in begun)
