"""
Warm workers for detectors: processes, or one thread of this process for short runs.

Rules held here: a call is bounded in time; workers that hang or die are left behind, killed and replaced;
either way the caller gets an error for what was not screened, never a pass.
"""

import asyncio
import multiprocessing

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from gateway.errors import DetectorTimeoutError, DetectorUnavailableError
from gateway.model import Finding
from gateway.model.content import Leaf

Item = Sequence[Leaf]
ScanFunction = Callable[..., list[list[Finding]]]


class WorkerPool:
    """Runs scan functions; shared by all detectors."""

    def __init__(
        self, *, workers: int, timeout_seconds: float, warm: Callable[..., None], args: tuple[Any, ...]
    ) -> None:
        """
        Args:
            workers: processes; 0 for one thread of this process.
            timeout_seconds: how long one call may take.
            warm: loads what the scan functions need; run in every worker before its first job.
            args: for *warm*.
        """
        self._workers = workers
        self._timeout = timeout_seconds
        self._warm = warm
        self._args = args
        self._pool = self._start()
        self._warming: asyncio.Task[None] | None = None

    def _start(self) -> Executor:
        if not self._workers:
            return ThreadPoolExecutor(1, thread_name_prefix="detector")
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=self._warm,
            initargs=self._args,
        )

    async def scan(self, function: ScanFunction, items: Sequence[Item], *args: object) -> list[list[Finding]]:
        """
        ``function(items, *args)``, spread over the workers; findings per item, in order.

        Raises:
            DetectorTimeoutError: it took too long.

            DetectorUnavailableError: a worker died, or the function failed.
        """
        await self._warm_again()
        pool = self._pool
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._timeout):
                shares = shared_out(items, max(1, self._workers))
                jobs = [loop.run_in_executor(pool, function, share, *args) for share in shares]
                found = await asyncio.gather(*jobs)
        except TimeoutError as error:
            self._replace(pool)
            raise DetectorTimeoutError(f"screening took longer than {self._timeout} s") from error
        except (BrokenProcessPool, RuntimeError) as error:
            self._replace(pool)
            raise DetectorUnavailableError("a screening worker died") from error
        except Exception as error:  # whatever a detector raises, the item was not screened
            raise DetectorUnavailableError("screening failed") from error
        return [one for share in found for one in share]

    async def ready(self) -> None:
        """
        Wait until the workers are warm.

        Raises:
            DetectorUnavailableError: they do not start.
        """
        loop = asyncio.get_running_loop()
        count = max(1, self._workers)
        try:
            await asyncio.gather(*(loop.run_in_executor(self._pool, self._warm, *self._args) for _ in range(count)))
        except Exception as error:
            raise DetectorUnavailableError("the screening workers do not start") from error

    async def _warm_again(self) -> None:
        """Wait for workers that took the place of others: on a slow machine they load for longer than a call may take."""
        if self._warming is None:
            return
        try:
            await asyncio.shield(self._warming)
        except DetectorUnavailableError:
            self._replace(self._pool)
            raise

    def _replace(self, pool: Executor) -> None:
        if self._pool is not pool:
            return
        self._pool = self._start()
        self._warming = asyncio.get_running_loop().create_task(self.ready())
        # Where nobody waits for it, nobody need hear that it failed: the next call finds out.
        self._warming.add_done_callback(lambda task: task.cancelled() or task.exception())
        processes = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()

    def close(self) -> None:
        """Stop the workers."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def shared_out(items: Sequence[Item], count: int) -> list[list[Item]]:
    """The items in order, in at most *count* runs of about the same amount of text."""
    target = sum(map(_size, items)) / count
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
    return 1 + sum(len(leaf.text) for leaf in item)
