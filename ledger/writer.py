"""
Group commit: many requests, one writer, one transaction at a time.

While a transaction is under way the submissions that arrive wait and form the next one, so that a disk
flush serves all of them.  The queue is bounded and says so when it is full; nothing is ever dropped.
"""

import asyncio
import itertools

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ledger.errors import LedgerBusyError, LedgerError, LedgerUnavailableError
from ledger.lane import LaneWriter, Submission, Written
from ledger.store import LONGEST_RUN

_Waiting = tuple[Submission, asyncio.Future[list[Written]]]


class GroupCommitWriter:
    """Appends to a lane on behalf of any number of requests."""

    def __init__(
        self,
        lane: LaneWriter,
        *,
        queue_length: int = 256,
        group_size: int = 64,
        after_commit: Callable[[], None] = lambda: None,
    ) -> None:
        """
        Args:
            lane: where to write; used by this writer alone.
            queue_length: submissions that may wait.
            group_size: submissions that go into one transaction, at most.
            after_commit: called on the writer's thread after each transaction, once its waiters have their answers.
        """
        self._lane = lane
        self._queue_length = queue_length
        self._group_size = group_size
        self._after_commit = after_commit
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger-writer")

    async def append(self, submission: Submission) -> list[Written]:
        """
        Return once all the drafts of a submission are durable.

        Raises:
            LedgerBusyError: the queue is full; nothing was written.

            LedgerUnavailableError: the store did not make them durable.

            RecordInvalidError, DuplicateDecisionError: one of the drafts cannot be written.
        """
        if len(self._waiting) >= self._queue_length:
            msg = "too many records wait to be written"
            raise LedgerBusyError(msg)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[list[Written]] = loop.create_future()
        self._waiting.append((submission, done))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._drain())
        return await asyncio.shield(done)

    async def _drain(self) -> None:
        while self._waiting:
            group = self._next_group()
            del self._waiting[: len(group)]
            await self._commit(group)

    def _next_group(self) -> list[_Waiting]:
        """Those that come next, the first in any case, with no more records together than a run of a lane should have."""
        sizes = itertools.accumulate(len(one.drafts) for one, _ in self._waiting[: self._group_size])
        return self._waiting[: max(1, sum(size <= LONGEST_RUN for size in sizes))]

    async def _commit(self, group: list[_Waiting]) -> None:
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(self._thread, self._lane.commit, [s for s, _ in group])
        except LedgerError as error:
            answers = [error for _ in group]
        except Exception as error:  # noqa: BLE001 - whatever it was, every waiter must hear that nothing is durable
            unavailable = LedgerUnavailableError("the ledger's writer failed")
            unavailable.__cause__ = error
            answers = [unavailable for _ in group]
        for (_, done), answer in zip(group, answers, strict=True):
            if done.done():
                continue
            if isinstance(answer, LedgerError):
                done.set_exception(answer)
            else:
                done.set_result(answer)
        await loop.run_in_executor(self._thread, self._after_commit)

    @property
    def waiting(self) -> int:
        """Submissions not yet taken up."""
        return len(self._waiting)

    async def close(self) -> None:
        """Write what waits, then stop."""
        if self._task is not None:
            await self._task
        self._thread.shutdown()
