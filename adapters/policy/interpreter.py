"""
Regorus' interpreter in a process of its own, for questions that are too long for the compiled program.

Rules held here: a question ends within its time, or the process is killed and the next question gets a new one; whoever asks
may go away, and the answer is still read before another question is put; the process ends with this one, since it waits for
nothing but its pipe; it is told a bundle and inputs, and no secret of this process.
"""

import asyncio
import contextlib
import json
import sys
import weakref

from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.errors import PolicyLimitError, PolicyUnavailableError

_START_SECONDS: Final = 30.0
"""For the process to start and read the bundle; a busy machine needs longer than a question may take."""

_LINE_BYTES: Final = 2**28
"""Longest answer: more than a thousand items can make of one."""


class Interpreter:
    """Answers one question at a time; started when it is first asked."""

    def __init__(self, modules: Mapping[str, str], data: str, timeout_seconds: float) -> None:
        """
        Args:
            modules: the rules, by file.
            data: the tables, as JSON.
            timeout_seconds: for one question; also the longest that it waits for its turn.
        """
        self._bundle = {"modules": dict(modules), "data": data}
        self._timeout = timeout_seconds
        self._turn = asyncio.Lock()
        self._process: Process | None = None

    async def execute(self, rule: str, text: str) -> str:
        """
        The value of a rule as JSON, for an input as JSON.

        Raises:
            PolicyLimitError: it took longer than it may, and would again.

            PolicyUnavailableError: other questions took all the time, the process died, or the rule failed.
        """
        try:
            async with asyncio.timeout(self._timeout):
                await self._turn.acquire()
        except TimeoutError as error:
            raise PolicyUnavailableError("the policy engine is busy with other questions of this size") from error
        asking = asyncio.ensure_future(self._ask(rule, text))
        asking.add_done_callback(self._asked)
        return await asyncio.shield(asking)

    def _asked(self, asking: "asyncio.Future[str]") -> None:
        self._turn.release()
        if not asking.cancelled():
            # Where nobody waits for it any more, nobody need hear that it failed.
            asking.exception()

    async def close(self) -> None:
        """End the process, whatever it does, and wait until it is gone."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)
            await process.wait()

    async def _ask(self, rule: str, text: str) -> str:
        process = await self._started()
        try:
            async with asyncio.timeout(self._timeout):
                failed, answer = await _told(process, [rule, text])
        except TimeoutError as error:
            await self.close()
            raise PolicyLimitError(f"policy needs longer than {self._timeout} s for this set of items") from error
        except (OSError, ValueError) as error:
            await self.close()
            raise PolicyUnavailableError("the policy engine's process ended") from error
        if failed:
            raise PolicyUnavailableError(f"the policy engine failed: {answer}")
        return str(answer)

    async def _started(self) -> Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        # Its surroundings are empty: what is secret here is none of its business.
        command = (sys.executable, "-I", "-m", "adapters.policy.interpreter")
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env={}, limit=_LINE_BYTES)
        self._process = process
        # A bundle that no longer decides is let go by nobody but the garbage collector.
        weakref.finalize(self, _end, process)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await _told(process, self._bundle)
        except (TimeoutError, OSError, ValueError) as error:
            await self.close()
            raise PolicyUnavailableError("the policy engine's process does not start") from error
        return process


def _end(process: Process) -> None:
    """Kill it, and let go of its pipe."""
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def _told(process: Process, line: object) -> tuple[bool, str]:
    """
    What the process answers to a line: whether it failed, and the value or why.

    Raises:
        OSError, ValueError: it ended.
    """
    if process.stdin is None or process.stdout is None:
        raise ValueError("no pipe")
    process.stdin.write(json.dumps(line).encode() + b"\n")
    await process.stdin.drain()
    failed, answer = json.loads(await process.stdout.readline())
    return failed, answer


def serve(lines: Iterator[str]) -> Iterator[str]:
    """Answers to a bundle and then to questions, each a line of JSON."""
    import regorus  # noqa: PLC0415 - in the process that uses it alone

    bundle = json.loads(next(lines))
    engine = regorus.Engine()
    for name, rego in bundle["modules"].items():
        engine.add_policy(name, rego)
    engine.add_data_json(bundle["data"])
    yield json.dumps([False, ""])
    for line in lines:
        yield json.dumps(_answer(engine, *json.loads(line)))


def _answer(engine: Any, rule: str, text: str) -> tuple[bool, str]:  # noqa: ANN401 - regorus has no types
    try:
        engine.set_input_json(text)
        return False, str(engine.eval_rule_as_json(rule))
    except BaseException as error:  # noqa: BLE001 - its panics too: the question has no answer, and the process goes on
        return True, str(error).partition("Stack backtrace")[0].strip()[:500]


if __name__ == "__main__":
    for told in serve(iter(sys.stdin.readline, "")):
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
