"""
Policy decisions in process, from the bundle compiled by regorus (the wheel `gordon-to-regorus`).

Rules held here: the machine is used on the thread that made it, the event loop's, a few milliseconds at a time; the program is compiled once and given its data once; an answer that holds the engine's
mark for an undefined value is no answer; a bundle that uses a construct on which the compiled program is
known to differ from OPA is refused (`gateway.policy.bundle`).
"""

import json
import re

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

import regorus

from gateway.concurrency.slices import Slices
from gateway.errors import BundleInvalidError, PolicyMalformedError, PolicyUnavailableError
from gateway.model import PolicyVersion
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import NAMES
from gateway.ports.policy import PolicyEngine

_UNDEFINED: Final = '"<undefined>"'
_PANIC: Final = "PanicException"

_slices: Final = Slices()
"""Of all engines of the process: a bundle and its shadow share one event loop."""


class RegorusPolicyEngine:
    """A `gateway.ports.PolicyEngine` in this process."""

    def __init__(self, bundle: Bundle, rules: Sequence[str] = NAMES) -> None:
        """
        Compile the bundle for the rules that will be asked for.

        Raises:
            BundleInvalidError: it does not compile.
        """
        data = json.dumps(bundle.data)
        try:
            program = regorus.Program.compile_from_modules(
                data, list(bundle.modules.items()), [_rule(name) for name in rules]
            )
            machine = regorus.Rvm()
            machine.load_program(program)
            machine.set_data_json(data)
        except RuntimeError as error:
            raise BundleInvalidError(f"the bundle does not compile: {_first_lines(error)}") from error
        self._machine: regorus.Rvm | None = machine
        self._version = PolicyVersion(
            revision=bundle.revision, engine="regorus", engine_version=version("gordon-to-regorus")
        )

    @property
    def version(self) -> PolicyVersion:
        return self._version

    def pinned(self) -> "PolicyEngine":
        return self

    async def close(self) -> None:
        """Let go of the machine, which must end on the thread that made it."""
        self._machine = None

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> list[object]:
        rule = _rule(entrypoint)
        # Items with the same labels get the same answer; policy is not told their ids.
        answers: dict[str, object] = {}

        def answer(facts: Mapping[str, Any]) -> object:
            text = json.dumps(facts)
            if text not in answers:
                answers[text] = self._evaluate_one(rule, text)
            return answers[text]

        return await _slices.each(inputs, answer)

    def query(self, rule: str, facts: object) -> object:
        """The value of a rule it was compiled for, given facts or their JSON; None where it is undefined."""
        answer = self._execute(_rule(rule), facts.decode() if isinstance(facts, bytes) else json.dumps(facts))
        return None if answer == _UNDEFINED else json.loads(answer)

    def _evaluate_one(self, rule: str, text: str) -> object:
        answer = self._execute(rule, text)
        if _UNDEFINED in answer:
            raise PolicyMalformedError(f"{rule} is undefined in part")
        return json.loads(answer)

    def _execute(self, rule: str, text: str) -> str:
        if self._machine is None:
            raise PolicyUnavailableError("the policy engine was closed")
        try:
            self._machine.set_input_json(text)
            return str(self._machine.execute_entry_point(rule))
        except BaseException as error:
            if not _is_of_the_engine(error):
                raise
            raise PolicyUnavailableError(f"the policy engine failed: {_first_lines(error)}") from error


def failing_tests(bundle: Bundle) -> list[str]:
    """
    The bundle's own Rego tests that do not hold, by file and name, on the engine's interpreter.

    As with OPA's runner a test holds if it is true; a test with a table of examples (`test_x[note] if { some note, …
    in {`) holds if it is true for every note that its table names.
    """
    tests = {name: text.decode() for name, text in bundle.checks.items() if name.endswith(".rego")}
    interpreter = regorus.Engine()
    try:
        for name, rego in (bundle.modules | tests).items():
            interpreter.add_policy(name, rego)
        interpreter.add_data_json(json.dumps(bundle.data))
    except BaseException as error:
        if not _is_of_the_engine(error):
            raise
        return [f"the tests do not compile: {_first_lines(error)}"]
    return [f"{name}: {test} fails" for name, rego in tests.items() for test in _failing(interpreter, rego)]


def _failing(interpreter: regorus.Engine, rego: str) -> Iterator[str]:
    package = re.search(r"^package (\S+)", rego, re.MULTILINE)
    for test, table, body in _bodies(rego):
        notes = set(re.findall(r'^\t\t"([^"\n]+)": ', body, re.MULTILINE)) if table else set()
        try:
            value = interpreter.eval_rule(f"data.{package.group(1) if package else ''}.{test}")
        except BaseException as error:
            if not _is_of_the_engine(error):
                raise
            value = None
        held = {note for note, true in value.items() if true is True} if isinstance(value, dict) else set()
        if value is not True and not (held and notes <= held and len(held) == len(value)):
            yield test


def _bodies(rego: str) -> Iterator[tuple[str, str, str]]:
    """Name, table and body of each test: up to the next line that begins with a bracket."""
    ends = [match.start() for match in re.finditer(r"^\}", rego, re.MULTILINE)]
    done = 0
    for head in re.finditer(r"^(test_\w+)(\[\w+\])?", rego, re.MULTILINE):
        place = bisect_left(ends, head.end())
        if head.start() >= done and place < len(ends):
            yield head.group(1), head.group(2) or "", rego[head.end() : ends[place]]
            done = ends[place]


def _rule(entrypoint: str) -> str:
    return "data." + entrypoint.replace("/", ".")


def _is_of_the_engine(error: BaseException) -> bool:
    """Its errors, and its panics, which are no `Exception` and which nothing above would take for a failed decision."""
    return isinstance(error, RuntimeError) or type(error).__name__ == _PANIC


def _first_lines(error: BaseException) -> str:
    """The engine's own words without the native stack it appends."""
    return str(error).partition("Stack backtrace")[0].strip()[:500]
