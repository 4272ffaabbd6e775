"""
What runs inside a worker: jobs a turn at a time, and an end together with the process that started it.

A scan function that is a generator offers a pause wherever it yields.  When a turn is over the job stays where it is, with
all that it has read, and the worker does another's turn before it goes on.

Rules held here: whatever a scan raises stays here but for the name of its type, since messages hold what was read; a worker
never outlives the gateway, however that ended.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time

from collections.abc import Callable, Generator
from multiprocessing.connection import wait
from typing import Any, Final, NamedTuple

from gateway.model import Finding

Steps = Generator[None, None, list[list[Finding]]]
"""A scan that can be laid aside wherever it yields; it returns the findings of every item, in order."""

ScanFunction = Callable[..., list[list[Finding]] | Steps]

_PR_SET_PDEATHSIG: Final = 1
"""Of `prctl(2)`: which signal the kernel sends when the thread that started this process is gone."""

_held: dict[int, Steps] = {}
"""Jobs laid aside, by their number."""


class Begin(NamedTuple):
    """A job that this worker has not begun."""

    function: ScanFunction
    args: tuple[Any, ...]


class TurnEnd(NamedTuple):
    """What came of one turn."""

    seconds: float
    """Processor time that it took."""

    done: bool = True
    answer: list[list[Finding]] | None = None
    failed: str = ""
    """Name of the type of what was raised, if anything was."""


def take_turn(number: int, begin: Begin | None, seconds: float, forgotten: tuple[int, ...]) -> TurnEnd:
    """
    Begin a job, or go on with it, until it is done or the turn is over.

    Args:
        number: of the job.
        begin: the job; None for one laid aside here.
        seconds: how long the turn lasts; it ends at the next yield after that.
        forgotten: jobs laid aside here that nobody waits for any more.
    """
    for other in forgotten:
        _held.pop(other, None)
    used = time.thread_time()
    try:
        work = _held.pop(number) if begin is None else _steps(begin.function(*begin.args))
        answer = _advanced(work, time.monotonic() + seconds)
    except BaseException as error:  # noqa: BLE001 - whatever a detector raises, the gateway only has to know that it did
        return TurnEnd(time.thread_time() - used, failed=type(error).__name__)
    used = time.thread_time() - used
    if answer is None:
        _held[number] = work
        return TurnEnd(used, done=False)
    return TurnEnd(used, answer=answer)


def _steps(made: list[list[Finding]] | Steps) -> Steps:
    """A scan, which may have found all at once."""
    if isinstance(made, Generator):
        return (yield from made)
    return made


def _advanced(work: Steps, until: float) -> list[list[Finding]] | None:
    """The answer, or None where the time was over before."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        if time.monotonic() >= until:
            return None


def finished(work: Steps) -> list[list[Finding]]:
    """What a scan finds, without pauses."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def live_with_parent() -> None:
    """
    End this process when the one that started it ends, by whatever it ends.

    On Linux the kernel sees to it, also while a C extension holds the interpreter; elsewhere a thread does, which waits for
    the parent's end of a pipe to close.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    # The gateway ends its workers itself, once what is under way is answered; a Ctrl-C reaches the whole group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True, name="parent").start()
    # The parent may have died before any of this was in place.
    if not parent.is_alive():
        os._exit(1)


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
