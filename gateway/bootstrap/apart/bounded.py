"""
One call in a process of its own, within a time, a share of the processor and an amount of memory.

Rules held here: a process that needs more is killed, and that is an error like any other; one runs at a time; no thread, connection
or key of this process is copied into it.
"""

import asyncio
import multiprocessing
import resource
import signal
import time

from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from gateway.errors import BundleTooCostlyError

_LOOK: Final = 0.02
"""Seconds between two looks at how much memory a process has."""

_RESERVED: Final = 4_000_000_000
"""Bytes that the engine may reserve without using them."""

_MOST_BYTES: Final = 64_000_000
"""Of an answer."""

# A server that has the engine loaded and nothing else.
_PROCESSES: Final = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["gateway.bootstrap.apart.trial", "gateway.bootstrap.apart.preparing"])


class BoundedProcess:
    """Calls functions elsewhere, one at a time."""

    def __init__(self, what: str, *, seconds: float, megabytes: int) -> None:
        """
        Args:
            what: is done, in the words of an error: "trying the bundle".
            seconds: that one call may take.
            megabytes: of memory that its process may have.
        """
        self._what = what
        self._seconds = seconds
        self._bytes = megabytes * 1_000_000
        self._turn = asyncio.Lock()

    async def call(self, function: Callable[..., bytes], *arguments: Any) -> bytes:  # noqa: ANN401 - whatever it takes
        """
        What a function of a module answers.

        Raises:
            BundleTooCostlyError: it took more than it may, or ended without an answer.
        """
        async with self._turn:
            return await asyncio.to_thread(self._run, function, arguments)

    def _run(self, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        bounds = (self._seconds, self._bytes)
        process = _PROCESSES.Process(target=_answer, args=(sender, bounds, function, arguments), daemon=True)
        try:
            process.start()
            sender.close()
            self._wait(receiver, process.pid)
            return receiver.recv_bytes(_MOST_BYTES)
        except (EOFError, OSError) as error:
            raise BundleTooCostlyError(f"{self._what} took more time or memory than it may") from error
        finally:
            if process.pid is not None:
                process.kill()
                process.join()
            receiver.close()

    def _wait(self, receiver: Connection, pid: int | None) -> None:
        ends = time.monotonic() + self._seconds
        while not receiver.poll(_LOOK):
            if time.monotonic() > ends:
                raise BundleTooCostlyError(f"{self._what} was not done within {self._seconds:g} s")
            # What it has, not what it may address: the engine reserves much more than it uses.
            if _resident(pid) > self._bytes:
                raise BundleTooCostlyError(f"{self._what} took more memory than it may")


def _resident(pid: int | None) -> int:
    """Bytes of memory that a process has; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _answer(
    answers: Connection, bounds: tuple[float, int], function: Callable[..., bytes], arguments: tuple[Any, ...]
) -> None:
    """The process's own: bound it, call, answer once."""
    seconds, memory = bounds
    # By the system as well, so that it ends in time where the gateway was killed and nobody waits for it.
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (memory + _RESERVED, memory + _RESERVED))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers.send_bytes(function(*arguments))
