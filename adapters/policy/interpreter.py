"""
Regorus' interpreter in a process of its own, for questions that are too long for the compiled program.

Rules held here: a question ends within its time, or the process is killed and the next one gets a new process; the process
ends with this one, since it waits for nothing but its pipe; what the engine says of an error comes back as words alone.
"""

import asyncio
import multiprocessing

from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from gateway.errors import PolicyLimitError, PolicyUnavailableError

_START_SECONDS: Final = 30.0
"""For the process to start and read the bundle; a busy machine needs longer than a question may take."""


class Interpreter:
    """Answers one question at a time; started when it is first asked."""

    def __init__(self, modules: Mapping[str, str], data: str, timeout_seconds: float) -> None:
        """
        Args:
            modules: the rules, by file.
            data: the tables, as JSON.
            timeout_seconds: for one question; also the longest that it waits for its turn.
        """
        self._bundle = list(modules.items()), data
        self._timeout = timeout_seconds
        self._turn = asyncio.Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

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
        asking = asyncio.ensure_future(asyncio.to_thread(self._ask, rule, text))
        # Whoever asked may go away; the pipe belongs to this question until it is answered, or its process killed.
        asking.add_done_callback(self._done)
        return await asyncio.shield(asking)

    def _done(self, asking: "asyncio.Future[str]") -> None:
        self._turn.release()
        if not asking.cancelled():
            # Where nobody waits for it any more, nobody need hear that it failed.
            asking.exception()

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
        self._process = None

    def _ask(self, rule: str, text: str) -> str:
        pipe = self._started()
        try:
            pipe.send((rule, text))
            if not pipe.poll(self._timeout):
                self.close()
                raise PolicyLimitError(f"policy needs longer than {self._timeout} s for this set of items")
            failed, answer = pipe.recv()
        except (EOFError, OSError) as error:
            self.close()
            raise PolicyUnavailableError("the policy engine's process ended") from error
        if failed:
            raise PolicyUnavailableError(f"the policy engine failed: {answer}")
        return str(answer)

    def _started(self) -> Connection:
        if self._process is not None and self._pipe is not None and self._process.is_alive():
            return self._pipe
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, *self._bundle), daemon=True, name="policy")
        self._pipe = ours
        self._process.start()
        # The end of the process is seen only where nobody else holds its end of the pipe.
        theirs.close()
        try:
            if ours.poll(_START_SECONDS) and ours.recv():
                return ours
        except (EOFError, OSError):
            pass
        self.close()
        raise PolicyUnavailableError("the policy engine's process does not start")


def serve(pipe: Connection, modules: list[tuple[str, str]], data: str) -> None:
    """Answer until the other end is closed."""
    import regorus  # noqa: PLC0415 - in the process that uses it

    engine = regorus.Engine()
    for name, rego in modules:
        engine.add_policy(name, rego)
    engine.add_data_json(data)
    pipe.send(True)
    while True:
        try:
            rule, text = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_answer(engine, rule, text))


def _answer(engine: Any, rule: str, text: str) -> tuple[bool, str]:  # noqa: ANN401 - regorus has no types
    try:
        engine.set_input_json(text)
        return False, str(engine.eval_rule_as_json(rule))
    except Exception as error:  # noqa: BLE001 - whatever it is, this process goes on and the question has no answer
        return True, str(error).partition("Stack backtrace")[0].strip()[:500]


