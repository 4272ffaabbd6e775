"""
The task that keeps the log up: sequences, signs, has witnesses cosign, pins and publishes, all the time.

Rules held here: any replica may do it, and losing a race hurts nobody; a failure stops no request that asks
for durability alone, is on show in readiness and metrics, and is tried again, whatever it was; what was set aside
is on record, and the log says of it the lane and the code of why, and never a text.
"""

import asyncio
import contextlib
import time

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

import structlog

from gateway.audit.witnesses import WitnessPanel
from gateway.errors import GatewayError, LogStoppedError, RecordError, RecordRefusedError
from ledger.errors import LedgerCorruptError, LedgerError
from ledger.export import write_log
from ledger.intake.refusing import Aside
from ledger.lane import Written
from ledger.pin import HeadPin, Position
from ledger.record import Lane
from ledger.sequencer import Sequencer
from ledger.store import Published, SetAside

log = structlog.get_logger()

_T = TypeVar("_T")

LATE: Final = 30.0
"""After so many seconds without success the gateway is not ready."""


class LogKeeper:
    """Brings one log up to date, again and again."""

    def __init__(
        self,
        sequencer: Sequencer,
        pin: HeadPin,
        *,
        position: Callable[[], Position | None],
        seconds: float,
        folder: Path | None = None,
        witnesses: WitnessPanel | None = None,
    ) -> None:
        """
        Args:
            sequencer: does the work, on a thread of its own.
            pin: where the newest checkpoint is pinned.
            position: the newest place of this process's lane.
            seconds: how long to wait between two rounds.
            folder: where the log is published as files.
            witnesses: who cosigns.
        """
        self._sequencer = sequencer
        self._pin = pin
        self._position = position
        self._seconds = seconds
        self._folder = folder
        self.witnesses = witnesses
        self.record_refusal: Callable[[SetAside], Awaitable[None]] | None = None
        """Records that something was set aside; set once there is somebody who can."""

        self._in_folder = 0
        self._round = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sequencer")
        self._published: Published | None = None
        self._witnessed: Published | None = None
        self.failures = 0
        self.last_success = time.monotonic()

    @property
    def published(self) -> Published | None:
        """The newest checkpoint that this process knows; the newest that enough witnesses saw, where there are any."""
        return self._witnessed or self._published

    @property
    def late(self) -> bool:
        """Whether no checkpoint has been signed for too long."""
        return time.monotonic() - self.last_success > LATE

    async def run(self) -> None:
        """Work until cancelled."""
        cosigning: asyncio.Task[None] | None = None
        while True:
            try:
                await self.round()
            except Exception as error:  # noqa: BLE001 - whatever somebody wrote into the store, this task goes on
                log.warning("log_not_kept_up", **_why(error), failures=self.failures)
            # A witness that is slow or down holds nobody up.
            if self.witnesses is not None and (cosigning is None or cosigning.done()):
                cosigning = asyncio.get_running_loop().create_task(self._cosign())
            await asyncio.sleep(self._seconds)

    async def round(self) -> Published | None:
        """
        Bring the log up to what is durable now, under a signed and pinned checkpoint.

        Raises:
            LedgerError, OSError: it could not be; what was done stays done.
        """
        async with self._round:
            try:
                published = await self._on_thread(self._one_round)
            except BaseException:
                self.failures += 1
                raise
            self._published, self.last_success = published, time.monotonic()
        await self._record_refusals()
        return published

    async def _record_refusals(self) -> None:
        if self.record_refusal is None:
            return
        for refusal in await self._on_thread(self._sequencer.aside.unrecorded):
            place = {"lane": refusal.lane, "epoch": refusal.epoch, "first": refusal.first, "next": refusal.next}
            log.warning("run_refused", **place, code=refusal.code)
            try:
                await self.record_refusal(refusal)
            except GatewayError as error:
                log.warning("refusal_not_recorded", **place, code=error.code)

    async def sequenced(self) -> None:
        """
        Put into the log what is durable now, without a checkpoint: enough for questions, which need no signature each.

        Raises:
            LedgerError: it could not be; what was done stays done.
        """
        async with self._round:
            await self._on_thread(self._sequencer.catch_up)

    def _one_round(self) -> Published | None:
        published = self._sequencer.run()
        if published is None:
            return None
        self._pin.write(published.note, self._position())
        if self._folder is not None and published != self._published:
            write_log(self._sequencer.store, self._folder, published, entries=False, since=self._in_folder)
            self._in_folder = published.size
        return published

    async def best(self) -> Published | None:
        """
        The newest checkpoint, brought up to date, with the cosignatures that could be had.

        Raises:
            LedgerError, OSError: the log could not be brought up to date.
        """
        published = await self.round()
        if published is None or self.witnesses is None:
            return published
        cosigned = await self.witnesses.cosigned(published)
        if self.witnesses.satisfied(cosigned.note):
            self._witnessed = cosigned
        return cosigned

    async def _cosign(self) -> None:
        with contextlib.suppress(LedgerError, OSError):
            await self.best()

    async def settled(self, written: Sequence[Written], *, witnessed: bool, seconds: float) -> None:
        """
        Return once records are under a checkpoint, and under enough cosignatures where that is asked for.

        Raises:
            RecordError: that took too long, so nothing may be released.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._wait(written[-1], witnessed=witnessed)
        except LedgerCorruptError as error:
            raise LogStoppedError("the log is not what was signed") from error
        except (TimeoutError, LedgerError, OSError) as error:
            raise RecordError("the records are not under a checkpoint with enough cosignatures in time") from error

    async def _wait(self, last: Written, *, witnessed: bool) -> None:
        lane, decision_id = last.record.lane, last.record.decision_id
        while True:
            await (self.best() if witnessed else self.round())
            _require_entering(self._sequencer.aside, [lane])
            covered = self._witnessed if witnessed else self._published
            index = await self._on_thread(lambda: self._sequencer.store.index_of(decision_id))
            if covered is not None and index is not None and index < covered.size:
                return
            await asyncio.sleep(0.05)

    async def require_entering(self, places: Sequence[Lane]) -> None:
        """
        See that records which were there before are in the log or enter it.

        Args:
            places: theirs.

        Raises:
            RecordRefusedError: one was set aside.

            LedgerError: the store did not answer.
        """
        aside = self._sequencer.aside
        await self._on_thread(aside.refresh)
        _require_entering(aside, places)

    async def _on_thread(self, act: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, act)

    def close(self) -> None:
        """Release the thread."""
        self._thread.shutdown()


def _require_entering(aside: Aside, places: Sequence[Lane]) -> None:
    refused = ((aside.lanes.get((one.id, one.epoch)), one.seq) for one in places)
    if any(refusal is not None and refusal.first <= seq for refusal, seq in refused):
        raise RecordRefusedError("the records were set aside and cannot enter the log")


def _why(error: Exception) -> dict[str, str]:
    """What a log may say of a failure: its kind, and of what is not what it should be the place and our code."""
    said = {"kind": type(error).__name__}
    return (
        said | {"where": error.where, "code": LogStoppedError.code} if isinstance(error, LedgerCorruptError) else said
    )
