"""
Whose job is next: start-time fair queueing (Goyal, Vin and Cheng, 1996), where every turn weighs the same.

Rules held here: of tenants that wait, the one that was served least goes first, so one that comes anew waits for turns under
way and not for the queue of another; a tenant that was away gets nothing for it; within a tenant, jobs go round.
"""

import asyncio
import itertools

from dataclasses import dataclass, field
from typing import Any, Final

from adapters.screening.in_worker import ScanFunction
from gateway.model import Finding

_REMEMBERED: Final = 1024
"""Tenants whose turns are counted before those that are not ahead of others are forgotten."""


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

    def take(self, worker: object) -> Job | None:
        """The next job that a worker can do, if there is one; its tenant has had a turn then."""
        able = (job for job in self._waiting if job.home is None or job.home is worker)
        job = min(able, key=lambda one: (self._start(one.tenant), one.place), default=None)
        if job is not None:
            self._waiting.remove(job)
            self._now = max(self._now, self._start(job.tenant))
            self._due[job.tenant] = self._now + 1
            if len(self._due) > _REMEMBERED:
                self._due = {tenant: due for tenant, due in self._due.items() if due > self._now}
        return job

    def clear(self) -> list[Job]:
        """Take out all."""
        jobs, self._waiting = self._waiting, []
        return jobs

    def _start(self, tenant: str) -> int:
        return max(self._now, self._due.get(tenant, 0))
