"""
Trying a bundle that somebody brings, in a process of its own.

Rules held here: its tables are read, its rules compiled and its cases and tests run where they can hold up nobody, within a time,
a share of the processor and an amount of memory; a process that needs more is killed, and that is a refusal like any other; one
trial runs at a time; whatever goes wrong in it, the bundle may not decide.
"""

import asyncio
import json
import multiprocessing
import resource
import signal
import time

from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from adapters.policy.regorus import RegorusPolicyEngine, failing_tests
from gateway.errors import BundleInvalidError, BundleTooCostlyError
from gateway.policy.bundle import bundle_of
from gateway.workbench.case_tests import with_base_input
from gateway.workbench.cases import read_cases, rules_of, run
from gateway.workbench.checks import check

_LOOK: Final = 0.02
"""Seconds between two looks at how much memory a trial has."""

_RESERVED: Final = 4_000_000_000
"""Bytes that the engine may reserve without using them."""

_MOST_TOLD: Final = 50
_LONGEST_TOLD: Final = 1_000
_MOST_BYTES: Final = 1_000_000

# A server that has the engine loaded and nothing else: no thread, connection or key of this process is copied into a trial.
_PROCESSES: Final = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])


class BundleTrial:
    """Tries bundles, one at a time."""

    def __init__(self, *, seconds: float, megabytes: int) -> None:
        """
        Args:
            seconds: that a trial may take.
            megabytes: of memory that its process may have.
        """
        self._seconds = seconds
        self._bytes = megabytes * 1_000_000
        self._turn = asyncio.Lock()

    async def __call__(self, files: Mapping[str, bytes]) -> Sequence[str]:
        """
        Why a bundle of these files may not decide: its checks, then its cases and Rego tests; none where it may.

        Raises:
            BundleInvalidError: it cannot be read.

            BundleTooCostlyError: it took more than it may.
        """
        async with self._turn:
            return await asyncio.to_thread(self._run, dict(files))

    def _wait(self, receiver: Connection, pid: int | None) -> None:
        ends = time.monotonic() + self._seconds
        while not receiver.poll(_LOOK):
            if time.monotonic() > ends:
                raise BundleTooCostlyError(f"the bundle was not tried within {self._seconds:g} s")
            # What it has, not what it may address: the engine reserves much more than it uses.
            if _resident(pid) > self._bytes:
                raise BundleTooCostlyError("trying the bundle took more memory than it may")

    def _run(self, files: dict[str, bytes]) -> Sequence[str]:
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        trial = _PROCESSES.Process(target=_try, args=(sender, files, self._seconds, self._bytes), daemon=True)
        try:
            trial.start()
            sender.close()
            self._wait(receiver, trial.pid)
            kind, told = json.loads(receiver.recv_bytes(_MOST_BYTES))
        except (EOFError, OSError) as error:
            raise BundleTooCostlyError("trying the bundle took more time or memory than it may") from error
        finally:
            if trial.pid is not None:
                trial.kill()
                trial.join()
            receiver.close()
        if kind == BundleTooCostlyError.code:
            raise BundleTooCostlyError(told[0])
        if kind == BundleInvalidError.code:
            raise BundleInvalidError(told[0])
        return tuple(told)


def _resident(pid: int | None) -> int:
    """Bytes of memory that a process has; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _try(answers: Connection, files: Mapping[str, bytes], seconds: float, memory: int) -> None:
    """The process's own: bound it, try, answer once."""
    # By the system as well, so that it ends in time where the gateway was killed and nobody waits for it.
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (memory + _RESERVED, memory + _RESERVED))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kind, told = verdict(files)
    answers.send_bytes(json.dumps([kind, [text[:_LONGEST_TOLD] for text in told[:_MOST_TOLD]]]).encode())


def verdict(files: Mapping[str, bytes]) -> tuple[str, Sequence[str]]:
    """The code of the error with which a bundle of these files is refused, empty where there is none, and why it may not decide."""
    try:
        return "", problems_of(files)
    except BundleInvalidError as error:
        return error.code, [error.detail]
    except MemoryError:
        return BundleTooCostlyError.code, ["trying the bundle took more memory than it may"]
    except Exception as error:  # noqa: BLE001 - what cannot be tried may not decide, whatever is wrong with it
        return BundleInvalidError.code, [f"the bundle cannot be tried ({type(error).__name__})"]


def problems_of(files: Mapping[str, bytes]) -> list[str]:
    """
    Why a bundle of these files may not decide; none where it may.

    Raises:
        BundleInvalidError: it cannot be read, or does not compile.
    """
    bundle = bundle_of(files)
    if wrong := check(bundle):
        return [str(problem) for problem in wrong]
    cases = read_cases(bundle)
    if not cases:
        return ["the candidate brings no cases"]
    engine = RegorusPolicyEngine(bundle, rules_of(cases))
    return [*map(str, run(engine, cases)), *failing_tests(with_base_input(bundle))]
