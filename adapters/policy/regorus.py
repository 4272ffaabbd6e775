"""
Policy decisions in process, from the bundle compiled by regorus (the wheel `gordon-to-regorus`).

Rules held here: the machine is used on the thread that made it, the event loop's, a few milliseconds at a time; the program is
compiled once and given its data once; a question beyond the machine's fixed number of instructions goes to the interpreter, in a
process of its own and within a time, so that nothing a caller sends holds the loop for longer than those instructions take; an
answer that holds the engine's mark for an undefined value is no answer; a bundle that uses a construct on which the compiled
program is known to differ from OPA is refused (`gateway.policy.bundle`).
"""

import json

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any, Final

import regorus

from adapters.policy.interpreter import Interpreter
from adapters.policy.programs import compiled, first_lines, loaded, rule_of
from gateway.concurrency.slices import Slices
from gateway.errors import (
    BundleInvalidError,
    PolicyLimitError,
    PolicyMalformedError,
    PolicyUnavailableError,
    RegoTooDeepError,
    RegoUnreadableError,
)
from gateway.model import PolicyVersion
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import NAMES
from gateway.policy.rego.reader import read
from gateway.policy.rego.tree import Array, Expr, Module, Object, Query, Scalar, SetOf, SomeIn, Var
from gateway.ports.policy import PolicyEngine

_UNDEFINED: Final = '"<undefined>"'
"""What the engine writes, as JSON, where a value is undefined; a text of these very characters looks the same."""

_PANIC: Final = "PanicException"
_LIMIT: Final = "exceeded maximum instruction limit"
"""How the machine says that a question is too long for it; the wheel has no way to set how long it may be."""


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """For how long an engine works on what."""

    seconds: float = 5.0
    """For one question that the compiled program is too short for."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """An input as the engine is told it: a label of the same characters as its mark has another name there."""

    text: str
    stand_in: str

    @classmethod
    def of(cls, text: str) -> "_Asked":
        if _UNDEFINED not in text:
            return cls(text, "")
        stand_in = "<undefined~>"
        while stand_in in text:
            stand_in = stand_in.replace("~", "~~", 1)
        # Within JSON a quote before `<` opens a text, so that only texts of exactly these characters are renamed.
        return cls(text.replace(_UNDEFINED, f'"{stand_in}"'), stand_in)

    def answer(self, text: str) -> object:
        """An answer of the engine, with the labels as they were."""
        return json.loads(text.replace(self.stand_in, _UNDEFINED.strip('"')) if self.stand_in else text)


_TOO_LONG: Final = object()
"""In place of an answer, where the question is too long for the compiled program."""

_LONGEST: Final = 100_000
"""
Characters of a question for the compiled program, which answers on the event loop: one of 160,000 took it 56 to 200 ms to read,
and then was too long for it all the same (490 items of one document, `bench/bystanders.py`).
"""

_slices: Final = Slices()
"""Of all engines of the process: a bundle and its shadow share one event loop."""


class RegorusPolicyEngine:
    """A `gateway.ports.PolicyEngine` in this process."""

    def __init__(
        self,
        bundle: Bundle,
        rules: Sequence[str] = NAMES,
        limits: EngineLimits | None = None,
        *,
        program: bytes | None = None,
    ) -> None:
        """
        Compile the bundle for the rules that will be asked for.

        Args:
            bundle: what decides.
            rules: their paths, such as ``context/admit``.
            limits: for how long it works.
            program: what `program_of` made of the bundle for these rules, where that was done already.

        Raises:
            BundleInvalidError: it does not compile.
        """
        data = json.dumps(bundle.data)
        try:
            machine = regorus.Rvm()
            machine.load_program(compiled(bundle, data, rules) if program is None else loaded(program))
            machine.set_data_json(data)
        except RuntimeError as error:
            raise BundleInvalidError(f"the bundle does not compile: {first_lines(error)}") from error
        self._machine: regorus.Rvm | None = machine
        self._limits = limits or EngineLimits()
        self._interpreter = Interpreter(bundle.modules, data, self._limits.seconds)
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
        await self._interpreter.close()

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> list[object]:
        rule = rule_of(entrypoint)
        # Items with the same labels get the same answer; policy is not told their ids.
        answers: dict[str, object] = {}
        texts = await _slices.each(inputs, json.dumps)
        distinct = list(dict.fromkeys(texts))
        answered = await _slices.each(distinct, partial(self._answer, rule))
        for text, answer in zip(distinct, answered, strict=True):
            answers[text] = await self._interpreted(rule, text) if answer is _TOO_LONG else answer
        return [answers[text] for text in texts]

    def query(self, rule: str, facts: object) -> object:
        """
        The value of a rule it was compiled for, given facts or their JSON; None where it is undefined.

        Raises:
            PolicyLimitError: the question is too long for the compiled program.

            PolicyUnavailableError: the rule failed.
        """
        asked = _Asked.of(facts.decode() if isinstance(facts, bytes) else json.dumps(facts))
        answer = self._execute(rule_of(rule), asked.text)
        return None if answer == _UNDEFINED else asked.answer(answer)

    def _answer(self, rule: str, text: str) -> object:
        if len(text) > _LONGEST:
            return _TOO_LONG
        asked = _Asked.of(text)
        try:
            return _whole(rule, asked, self._execute(rule, asked.text))
        except PolicyLimitError:
            return _TOO_LONG

    async def _interpreted(self, rule: str, text: str) -> object:
        asked = _Asked.of(text)
        return _whole(rule, asked, await self._interpreter.execute(rule, asked.text))

    def _execute(self, rule: str, text: str) -> str:
        if self._machine is None:
            raise PolicyUnavailableError("the policy engine was closed")
        try:
            self._machine.set_input_json(text)
            return str(self._machine.execute_entry_point(rule))
        except BaseException as error:
            if not _is_of_the_engine(error):
                raise
            if _LIMIT in str(error):
                raise PolicyLimitError("this set of items is too much for the compiled policies") from error
            raise PolicyUnavailableError(f"the policy engine failed: {first_lines(error)}") from error


def failing_tests(bundle: Bundle) -> list[str]:
    """
    The bundle's own Rego tests that do not hold, by file and name, on the engine's interpreter.

    As with OPA's runner a test holds if it is true; a test with a table of examples (`test_x[note] if { some note, …
    in {`) holds if it is true for every note that its table names.
    """
    return list(each_failing_test(bundle))


def each_failing_test(bundle: Bundle) -> Iterator[str]:
    """The same, one after the other, for whoever needs only the first."""
    tests = {name: text.decode() for name, text in bundle.checks.items() if name.endswith(".rego")}
    interpreter = regorus.Engine()
    try:
        for name, rego in (bundle.modules | tests).items():
            interpreter.add_policy(name, rego)
        interpreter.add_data_json(json.dumps(bundle.data))
        read_tests = {name: read(name, rego) for name, rego in tests.items()}
    except BaseException as error:
        if isinstance(error, RegoUnreadableError | RegoTooDeepError):
            yield f"the tests cannot be read: {error}"
            return
        if not _is_of_the_engine(error):
            raise
        yield f"the tests do not compile: {first_lines(error)}"
        return
    for name, module in read_tests.items():
        yield from (f"{name}: {test} fails" for test in _failing(interpreter, module))


def _failing(interpreter: regorus.Engine, module: Module) -> Iterator[str]:
    for test, notes in _tests(module).items():
        try:
            value = interpreter.eval_rule(f"data.{module.package}.{test}")
        except BaseException as error:
            if not _is_of_the_engine(error):
                raise
            value = None
        held = {note for note, true in value.items() if true is True} if isinstance(value, dict) else set()
        if value is not True and not (held and notes <= held and len(held) == len(value)):
            yield test


def _tests(module: Module) -> dict[str, set[Any]]:
    """The tests of a module, each with the notes of its examples, where they are written out."""
    found: dict[str, set[Any]] = {}
    for rule in module.rules:
        if rule.name.startswith("test_"):
            notes = found.setdefault(rule.name, set())
            for key in rule.path:
                notes |= {note for body in rule.bodies for note in _notes(body.query, key)}
    return found


def _notes(query: Query, key: Expr) -> Iterator[Any]:
    """What a variable goes through in the table of a test."""
    for statement in query.statements:
        what = statement.what
        if not isinstance(what, SomeIn) or not isinstance(key, Var):
            continue
        table = what.within
        if isinstance(table, Object) and isinstance(what.key, Var) and what.key.name == key.name:
            yield from (name.value for name, _ in table.fields if isinstance(name, Scalar))
        elif isinstance(table, SetOf | Array) and isinstance(what.value, Var) and what.value.name == key.name:
            yield from (one.value for one in table.members if isinstance(one, Scalar))


def _is_of_the_engine(error: BaseException) -> bool:
    """Its errors, and its panics, which are no `Exception` and which nothing above would take for a failed decision."""
    return isinstance(error, RuntimeError) or type(error).__name__ == _PANIC


def _whole(rule: str, asked: _Asked, answer: str) -> object:
    if _UNDEFINED in answer:
        raise PolicyMalformedError(f"{rule} is undefined in part")
    return asked.answer(answer)
