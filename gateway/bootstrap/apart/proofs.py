"""
Proving what somebody brings, in a process of its own.

Rules held here: a bundle is read and settled where it can hold up nobody, within a time and an amount of memory; a process that needs
more is killed, and that is an error like any other; one runs at a time.
"""

import asyncio
import multiprocessing
import resource
import signal
import time

from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from adapters.policy.proving import ProofEngines
from gateway.errors import BundleInvalidError, InvariantInvalidError, ProofTooCostlyError
from gateway.policy.bundle import bundle_of
from gateway.workbench.desk.proved import CandidateProofs, proofs_off
from gateway.workbench.desk.review import Prove
from gateway.workbench.proving.documents import ExactDiff, InvariantProof

_LOOK: Final = 0.05
"""Seconds between two looks at how much memory a process has."""

_RESERVED: Final = 4_000_000_000
"""Bytes that the engine may reserve without using them."""

_MOST_BYTES: Final = 8_000_000
_CHECKS: Final = 8
"""Into how many checks of the solver the time is divided at least."""

_PROCESSES: Final = multiprocessing.get_context("forkserver")


def proposal_proofs(*, seconds: float, megabytes: int) -> Prove:
    """
    What tells a second officer of a proof.

    Args:
        seconds: that each proof may take, of the invariants and of what is decided otherwise; 0 for none.
        megabytes: of memory that its process may have.
    """
    if not seconds:
        return proofs_off
    process = ProofProcess(seconds=seconds, megabytes=megabytes)
    return CandidateProofs(process.prove, process.compare)


class ProofProcess:
    """Proves and compares bundles, one at a time."""

    def __init__(self, *, seconds: float, megabytes: int) -> None:
        """
        Args:
            seconds: that one may take.
            megabytes: of memory that its process may have.
        """
        self._seconds = seconds
        self._bytes = megabytes * 1_000_000
        self._turn = asyncio.Lock()

    async def prove(self, files: Mapping[str, bytes]) -> InvariantProof:
        """
        What holds of a bundle of these files for every input.

        Raises:
            BundleInvalidError: it cannot be read, or its invariants cannot.

            ProofTooCostlyError: it took more than it may.
        """
        return InvariantProof.model_validate_json(await self._asked((dict(files),)))

    async def compare(self, old: Mapping[str, bytes], new: Mapping[str, bytes]) -> ExactDiff:
        """
        All that two bundles of these files decide differently.

        Raises:
            BundleInvalidError: one cannot be read.

            ProofTooCostlyError: it took more than it may.
        """
        return ExactDiff.model_validate_json(await self._asked((dict(old), dict(new))))

    async def _asked(self, bundles: tuple[dict[str, bytes], ...]) -> bytes:
        async with self._turn:
            code, body = await asyncio.to_thread(self._run, bundles)
        if code == InvariantInvalidError.code:
            raise InvariantInvalidError(body.decode())
        if code == BundleInvalidError.code:
            raise BundleInvalidError(body.decode())
        return body

    def _run(self, bundles: tuple[dict[str, bytes], ...]) -> tuple[str, bytes]:
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        process = _PROCESSES.Process(target=_answer, args=(sender, bundles, self._seconds, self._bytes), daemon=True)
        try:
            process.start()
            sender.close()
            self._wait(receiver, process.pid)
            code, _, body = receiver.recv_bytes(_MOST_BYTES).partition(b"\n")
        except (EOFError, OSError) as error:
            raise ProofTooCostlyError("proving the bundle took more time or memory than it may") from error
        finally:
            if process.pid is not None:
                process.kill()
                process.join()
            receiver.close()
        if code.decode() == ProofTooCostlyError.code:
            raise ProofTooCostlyError(body.decode())
        return code.decode(), body

    def _wait(self, receiver: Connection, pid: int | None) -> None:
        ends = time.monotonic() + self._seconds
        while not receiver.poll(_LOOK):
            if time.monotonic() > ends:
                raise ProofTooCostlyError(f"the bundle was not proved within {self._seconds:g} s")
            if _resident(pid) > self._bytes:
                raise ProofTooCostlyError("proving the bundle took more memory than it may")


def _resident(pid: int | None) -> int:
    """Bytes of memory that a process has; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def _answer(answers: Connection, bundles: tuple[dict[str, bytes], ...], seconds: float, memory: int) -> None:
    """The process's own: bound it, prove, answer once."""
    # By the system as well, so that it ends in time where the gateway was killed and nobody waits for it.
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    resource.setrlimit(resource.RLIMIT_AS, (memory + _RESERVED, memory + _RESERVED))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    code, body = _settled(bundles, seconds / _CHECKS)
    answers.send_bytes(code.encode() + b"\n" + body)


def _settled(bundles: tuple[dict[str, bytes], ...], seconds: float) -> tuple[str, bytes]:
    """The code of an error, empty where there is none, and the document or what is wrong."""
    from gateway.workbench.proving.exact import exact_diff  # noqa: PLC0415 - the solver is loaded in the process that uses it
    from gateway.workbench.proving.prove import prove  # noqa: PLC0415 - as above

    engines = ProofEngines(with_opa=False).engines()
    try:
        read = [bundle_of(files) for files in bundles]
        body = (
            prove(read[0], engines, seconds=seconds).model_dump_json()
            if len(read) == 1
            else exact_diff(read[0], read[1], engines, seconds=seconds).model_dump_json()
        )
    except InvariantInvalidError as error:
        return error.code, error.detail.encode()
    except BundleInvalidError as error:
        return BundleInvalidError.code, error.detail.encode()
    except (MemoryError, RecursionError):
        return ProofTooCostlyError.code, b"proving the bundle took more memory or depth than it may"
    except Exception as error:  # noqa: BLE001 - of what cannot be settled nothing is said, whatever is wrong with it
        return BundleInvalidError.code, f"the bundle cannot be proved ({type(error).__name__})".encode()
    return "", body.encode()
