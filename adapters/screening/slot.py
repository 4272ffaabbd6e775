"""
A place for one worker: a process of its own, or a thread for short runs.

Each has an executor to itself (`concurrent.futures`, which carries jobs and answers), so that what kills one worker reaches no
other, and a job that is handed over begins at once.
"""

import asyncio
import contextlib
import multiprocessing
import time

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final, TypeVar

from adapters.screening.in_worker import Begin, TurnEnd, live_with_parent, take_turn
from adapters.screening.turns import Job
from gateway.errors import DetectorUnavailableError

_T = TypeVar("_T")

START_SECONDS: Final = 300.0
"""How long a worker may load for; on a slow machine it takes longer than a job may."""

AT_WORK: Final = 0.05
"""Part of a processor that a silent worker must have had to be waited for on."""


class Slot:
    """One worker, and the one that comes after it."""

    def __init__(self, warm: Callable[..., None], args: tuple[Any, ...], *, threads: bool) -> None:
        self._load = warm
        self._args = args
        self._threads = threads
        self._executor: Executor | None = None
        self._forgotten: list[int] = []
        self._used: float | None = None
        self._worked = 0.0
        self.starting: asyncio.Task[None] | None = None
        self.warm = False
        self.busy = False
        self.tenant = ""
        """Whose turn it is, or was last."""

        self.beginning = False
        """Whether that turn is the first of its job."""

        self.began = 0.0
        """When that turn began."""

        self.failed = False
        """Whether the last worker did not start."""

        self.failed_at = 0.0

    @property
    def cold(self) -> bool:
        """Nobody has tried to start it yet."""
        return self._executor is None and self.starting is None and not self.failed

    @property
    def free(self) -> bool:
        """A job may be handed over."""
        return self.warm and not self.busy

    @property
    def pid(self) -> int | None:
        """Of the worker's process, where it has one of its own."""
        return next(iter(getattr(self._executor, "_processes", None) or ()), None)

    def start(self, then: Callable[[], None]) -> "asyncio.Task[None]":
        """Start and warm a worker in the background; *then* is called when it is warm, and when it will not be."""
        self.failed = False
        self.starting = asyncio.get_running_loop().create_task(self._start(then))
        return self.starting

    async def _start(self, then: Callable[[], None]) -> None:
        try:
            executor = self._executor = self._made()
            future = _handed_over(executor, self._load, *self._args)
            await _ended(future, START_SECONDS)
            _answer(future)
        except (TimeoutError, DetectorUnavailableError, _RaisedError, OSError):
            self.kill()
            self.failed, self.failed_at = True, time.monotonic()
        except asyncio.CancelledError:
            self.kill()
            raise
        else:
            self.warm = self._executor is executor
        finally:
            self.starting = None
        then()

    def _made(self) -> Executor:
        if self._threads:
            return ThreadPoolExecutor(1, thread_name_prefix="detector")
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=context, initializer=live_with_parent)

    async def take_turn(self, job: Job, seconds: float, patience: float) -> TurnEnd:
        """
        One turn of a job in this worker.

        Args:
            job: what to do.
            seconds: how long the turn lasts.
            patience: processor seconds after which a turn without an end is given up; one that does not work, sooner.

        Raises:
            TimeoutError: there was no end; `worked` says how much was done.

            DetectorUnavailableError: the worker died.
        """
        if self._executor is None:
            raise DetectorUnavailableError("a screening worker died")
        begin = Begin(job.function, job.args) if job.home is None else None
        forgotten, self._forgotten = tuple(self._forgotten), []
        self._used, self._worked = self._cpu(), 0.0
        try:
            future = _handed_over(self._executor, take_turn, job.number, begin, seconds, forgotten)
            while not await _ended(future, patience) and self._is_at_work(patience):
                pass
            return _answer(future)
        except _RaisedError:  # not by the scan, whose errors are part of a turn: it could not be handed over
            return TurnEnd(0.0, failed="the job could not be handed to a worker")

    def worked(self) -> float | None:
        """Processor seconds of the worker since its turn began; None where the system does not tell."""
        now = self._cpu()
        return None if now is None or self._used is None else now - self._used

    def _is_at_work(self, patience: float) -> bool:
        """Whether a silent worker has done something of late, and may go on: a busy machine is no fault of the content."""
        worked, before = self.worked(), self._worked
        self._worked = worked or 0.0
        return worked is not None and before + patience * AT_WORK <= worked < patience

    def _cpu(self) -> float | None:
        if self.pid is None:
            return None
        # The clock of another process, as clock_getcpuclockid(3) makes its id on Linux.
        with contextlib.suppress(OSError, OverflowError, AttributeError):
            return time.clock_gettime((~self.pid << 3) | 2)
        return None

    def forget(self, job: Job) -> None:
        """Let the worker drop a job that it laid aside, when it next has a turn."""
        self._forgotten.append(job.number)

    def kill(self) -> None:
        """Leave the worker behind, whatever it does; a process ends, a thread is not heard any more."""
        executor, self._executor = self._executor, None
        self.warm = self.busy = False
        self._forgotten.clear()
        if executor is None:
            return
        processes = list((getattr(executor, "_processes", None) or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


class _RaisedError(Exception):
    """What was run in a worker raised something; what it was is not said, since messages hold what was read."""


def _handed_over(executor: Executor, function: Callable[..., _T], *args: object) -> "asyncio.Future[_T]":
    try:
        future = asyncio.wrap_future(executor.submit(function, *args))
    except RuntimeError as error:  # broken, or shut down
        raise DetectorUnavailableError("a screening worker died") from error
    # Nobody looks at the answer of a worker that was given up.
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return future


async def _ended(future: "asyncio.Future[Any]", seconds: float) -> bool:
    """Whether there is an answer, or was one within so many seconds."""
    await asyncio.wait({future}, timeout=seconds)
    return future.done()


def _answer(future: "asyncio.Future[_T]") -> _T:
    # Looked at and never awaited: one that the executor cancelled, or whose function raised a `BaseException`, would end the caller.
    if not future.done():
        raise TimeoutError
    if future.cancelled():
        raise DetectorUnavailableError("a screening worker died")
    if error := future.exception():
        raise DetectorUnavailableError("a screening worker died") if isinstance(error, RuntimeError) else _RaisedError
    return future.result()
