"""
Warm workers for detectors: processes, or one thread of this process for short runs.

Rules held here: a job's time is its own, in turns, and tenants take turns; while others ask too, no tenant has all workers, nor
the last processor; only the worker that hangs or dies is killed and replaced, and what it had laid aside of others begins anew elsewhere; nobody's wait ends by another's job; either way the
caller gets an error for what was not screened, never a pass.
"""

import asyncio
import itertools
import os
import time

from collections.abc import Callable, Sequence
from typing import Any, Final

from adapters.screening.in_worker import ScanFunction, TurnEnd
from adapters.screening.slot import Slot
from adapters.screening.turns import Job, Turns
from gateway.errors import DetectorTimeoutError, DetectorUnavailableError, GatewayError, ScreeningTooCostlyError
from gateway.model import Finding
from gateway.model.content import Leaf

Item = Sequence[Leaf]

TURN_SECONDS: Final = 0.02
"""How long a turn lasts: what a small job waits for at most, with the one step of a scan that is under way."""

KEPT_SECONDS: Final = 1.0
"""For how long after somebody asked one worker is kept from a tenant that has all the others."""

_PROCESSORS: Final = os.cpu_count() or 1

SHARE: Final = 1000
"""What is worth another worker: in characters, a value counting for 50 (`adapters.screening.costs`)."""

MOST_DEATHS: Final = 2
"""Workers that may die under a job.  One may have been killed for another reason; of two, the job was the cause."""

AGAIN_SECONDS: Final = 5.0
"""How long to wait before a worker that did not start is started again."""


class WorkerPool:
    """Runs scan functions; shared by all detectors."""

    def __init__(
        self,
        *,
        workers: int,
        timeout_seconds: float,
        warm: Callable[..., None],
        args: tuple[Any, ...],
        turn_seconds: float = TURN_SECONDS,
    ) -> None:
        """
        Args:
            workers: processes; 0 for one thread of this process.
            timeout_seconds: processor time that one job may take, and how long a worker may be silent.
            warm: loads what the scan functions need; run in every worker before its first job.
            args: for *warm*.
            turn_seconds: after how long a job is laid aside for others, at its next pause.
        """
        self._timeout = timeout_seconds
        self._turn_seconds = turn_seconds
        self._slots = [Slot(warm, args, threads=not workers) for _ in range(max(1, workers))]
        self._turns = Turns()
        self._asked: dict[str, float] = {}
        """When each tenant asked last, of those that did so lately."""

        self._numbers = itertools.count()
        self._under_way: set[asyncio.Task[None]] = set()
        self._closed = False
        self.replaced = 0
        """Workers that were killed or died, since the start."""

    @property
    def waiting(self) -> int:
        """Jobs that wait for their turn."""
        return len(self._turns)

    @property
    def usable(self) -> int:
        """Workers that are warm."""
        return sum(slot.warm for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [pid for slot in self._slots if (pid := slot.pid) is not None]

    async def scan(
        self, function: ScanFunction, items: Sequence[Item], *args: object, tenant: str = ""
    ) -> list[list[Finding]]:
        """
        ``function(items, *args)``, spread over the workers; findings per item, in order.

        Args:
            function: a function of its module, best a generator that yields between steps of some milliseconds.
            items: what to scan.
            args: for the function, after the items.
            tenant: whose items they are; tenants take turns.

        Raises:
            ScreeningTooCostlyError: it takes longer than a job may, or is what workers die of.

            DetectorTimeoutError: a worker was silent for too long and had not been at work.

            DetectorUnavailableError: the function failed, or there is no worker.
        """
        if self._closed:
            raise DetectorUnavailableError("the screening workers are stopped")
        self._start_cold()
        if all(slot.failed for slot in self._slots):
            raise DetectorUnavailableError("the screening workers do not start")
        loop = asyncio.get_running_loop()
        shares = shared_out(items, len(self._slots))
        jobs = [Job(next(self._numbers), tenant, function, (share, *args), loop.create_future()) for share in shares]
        for job in jobs:
            self._turns.add(job)
        self._ask(tenant)
        self._dispatch()
        try:
            found = await asyncio.gather(*(job.answer for job in jobs))
        finally:
            # Of a call that one part of failed, or whose caller left, the rest would hold workers for nobody.
            self._withdraw(jobs)
        return [one for share in found for one in share]

    async def ready(self) -> None:
        """
        Wait until the workers are warm.

        Raises:
            DetectorUnavailableError: they do not start.
        """
        self._start_cold()
        while tasks := [slot.starting for slot in self._slots if slot.starting is not None]:
            await asyncio.wait(tasks)
        if any(slot.failed for slot in self._slots):
            raise DetectorUnavailableError("the screening workers do not start")

    def _start_cold(self) -> None:
        for slot in self._slots:
            if slot.cold or (slot.failed and time.monotonic() - slot.failed_at > AGAIN_SECONDS):
                self._start(slot)

    def _start(self, slot: Slot) -> None:
        self._follow(slot.start(self._warmed))

    def _warmed(self) -> None:
        """A worker is warm, or did not start: the others go on meanwhile, and without any nobody waits for nothing."""
        if all(slot.failed for slot in self._slots):
            self._refuse_waiting("the screening workers do not start")
        self._dispatch()

    def _refuse_waiting(self, why: str) -> None:
        for job in self._turns.clear():
            _fail(job, DetectorUnavailableError(why))

    def _dispatch(self) -> None:
        if self._closed:
            self._refuse_waiting("the screening workers are stopped")
        # The longest idle first: jobs that were laid aside in a worker would wait there for as long as another has work.
        for slot in sorted(self._slots, key=lambda one: one.began):
            if slot.free and (job := self._turns.take(slot, self._kept_from(), self._begun())):
                slot.busy, slot.tenant, slot.began = True, job.tenant, time.monotonic()
                slot.beginning = job.home is None
                self._follow(asyncio.get_running_loop().create_task(self._take_turn(slot, job)))

    def _kept_from(self) -> str | None:
        """The tenant that has all workers but one, for which that one is not, since others ask too."""
        served = [slot.tenant for slot in self._slots if slot.busy]
        if len(served) < len(self._slots) - 1 or len(set(served)) != 1:
            return None
        asked = [at for tenant, at in self._asked.items() if tenant != served[0]]
        return served[0] if asked and time.monotonic() - max(asked) < KEPT_SECONDS else None

    def _begun(self) -> set[str]:
        """Tenants for whose jobs of the first turn the last processor is left: the event loop needs one too."""
        busy = [slot for slot in self._slots if slot.busy]
        return {slot.tenant for slot in busy if slot.beginning} if len(busy) >= _PROCESSORS - 1 else set()

    def _ask(self, tenant: str) -> None:
        now = time.monotonic()
        self._asked = {one: at for one, at in self._asked.items() if now - at < KEPT_SECONDS} | {tenant: now}

    def _follow(self, task: "asyncio.Task[None]") -> None:
        # The loop holds tasks weakly: without this one might be gone before it ends.
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _take_turn(self, slot: Slot, job: Job) -> None:
        try:
            turn = await slot.take_turn(job, self._turn_seconds, self._timeout)
        except TimeoutError:
            worked = slot.worked()
            self._turns.took(job.tenant, self._timeout)
            self._replace(slot)
            _fail(job, self._silent(worked))
        except DetectorUnavailableError:
            self._turns.took(job.tenant, self._timeout)
            self._replace(slot)
            self._died(job)
        except asyncio.CancelledError:
            # The loop ends; what the worker does now nobody would hear of.
            slot.kill()
            raise
        else:
            slot.busy = False
            self._took(slot, job, turn)
        self._dispatch()

    def _took(self, slot: Slot, job: Job, turn: TurnEnd) -> None:
        job.seconds += turn.seconds
        self._turns.took(job.tenant, turn.seconds)
        if turn.failed:
            _fail(job, DetectorUnavailableError(f"screening failed: {turn.failed}"))
        elif turn.done:
            if not job.answer.done():
                job.answer.set_result(turn.answer or [])
        elif job.answer.done():
            slot.forget(job)
        elif job.seconds > self._timeout:
            slot.forget(job)
            _fail(job, self._too_long())
        else:
            job.home, job.laid_aside = slot, time.monotonic()
            self._turns.add(job)

    def _died(self, job: Job) -> None:
        job.deaths += 1
        if job.deaths >= MOST_DEATHS:
            _fail(job, ScreeningTooCostlyError("screening workers die of this content"))
        elif not job.answer.done():
            self._begin_anew(job)

    def _replace(self, slot: Slot) -> None:
        slot.kill()
        self.replaced += not self._closed
        for job in self._turns.clear():
            if job.home is slot:
                self._begin_anew(job)
            else:
                self._turns.add(job)
        if not self._closed:
            self._start(slot)

    def _begin_anew(self, job: Job) -> None:
        job.home, job.seconds = None, 0.0
        self._turns.add(job)

    def _silent(self, worked: float | None) -> GatewayError:
        """What to say of a turn without an end; one at work all the while will be so again."""
        if worked is None or worked >= self._timeout:
            return self._too_long()
        return DetectorTimeoutError(f"a screening worker did not answer within {self._timeout} s")

    def _too_long(self) -> ScreeningTooCostlyError:
        return ScreeningTooCostlyError(f"screening takes more than {self._timeout} s of a processor")

    def _withdraw(self, jobs: Sequence[Job]) -> None:
        """Nobody waits for these any more."""
        for job in jobs:
            job.answer.cancel()
            if self._turns.remove(job) and isinstance(job.home, Slot):
                job.home.forget(job)

    def close(self) -> None:
        """Stop the workers; who still waits is told."""
        self._closed = True
        self._refuse_waiting("the screening workers are stopped")
        for slot in self._slots:
            slot.kill()


def _fail(job: Job, error: Exception) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


def shared_out(items: Sequence[Item], count: int) -> list[list[Item]]:
    """The items in order, in at most *count* runs of about the same amount of text, of which none is too small to be worth it."""
    target = max(SHARE, sum(map(_size, items)) / count)
    shares: list[list[Item]] = [[]]
    filled = 0
    for item in items:
        if shares[-1] and filled >= target and len(shares) < count:
            shares.append([])
            filled = 0
        shares[-1].append(item)
        filled += _size(item)
    return shares


def _size(item: Item) -> int:
    return sum(50 + len(leaf.text) for leaf in item)
