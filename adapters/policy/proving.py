"""The engines that a proof is tried on: the embedded one, and OPA where it is on the PATH."""

import json
import shutil
import subprocess

from collections.abc import Sequence
from contextlib import ExitStack
from importlib.metadata import version
from typing import Any, Final, Self

import regorus

from adapters.policy.opa_process import OpaProcesses
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.policy.bundle import Bundle
from gateway.workbench.proving.engines import Engines

_UNDEFINED: Final = '"<undefined>"'
_MOST_FUNCTIONS: Final = 200


class Builtins:
    """Asks the embedded engine what a builtin gives."""

    def __init__(self) -> None:
        self._machines: dict[tuple[str, int], Any] = {}

    def __call__(self, function: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The value of a builtin of known values; nothing where it is undefined, or the engine has none of this name."""
        try:
            machine = self._machine(function, len(arguments))
            machine.set_input_json(json.dumps(arguments))
            answer = machine.execute_entry_point("data.asked.value")
        except BaseException as error:
            # Its panics are no `Exception`.
            if not isinstance(error, RuntimeError) and type(error).__name__ != "PanicException":
                raise
            return ()
        return () if answer == _UNDEFINED else (json.loads(answer),)

    def _machine(self, function: str, count: int) -> Any:  # noqa: ANN401 - the wheel has no types
        key = (function, count)
        if key not in self._machines:
            arguments = ", ".join(f"input[{place}]" for place in range(count))
            module = f"package asked\n\nvalue := {function}({arguments})\n"
            program = regorus.Program.compile_from_modules("{}", [("asked.rego", module)], ["data.asked.value"])
            machine = regorus.Rvm()
            machine.load_program(program)
            machine.set_data_json("{}")
            if len(self._machines) >= _MOST_FUNCTIONS:
                self._machines.clear()
            self._machines[key] = machine
        return self._machines[key]


class ProofEngines:
    """The engines at hand; servers that were started end with it."""

    def __init__(self, *, with_opa: bool) -> None:
        """
        Args:
            with_opa: whether OPA decides as well, where it is on the PATH.
        """
        self._stack = ExitStack()
        self._with_opa = with_opa
        self._bundles: dict[str, Bundle] = {}
        self._servers: OpaProcesses | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    def engines(self) -> Engines:
        """All of them."""
        other = _opa_version() if self._with_opa else None
        embedded = f"regorus {version('gordon-to-regorus')}"
        return Engines(
            ground=Builtins(),
            embedded=embedded,
            compile_=RegorusPolicyEngine,
            other=other,
            compile_other=self._opa if other else None,
        )

    def _opa(self, bundle: Bundle, rules: Sequence[str]) -> "_Opa":
        if self._servers is None:
            self._servers = self._stack.enter_context(OpaProcesses(self._bundles.__getitem__))
        self._bundles[bundle.revision] = bundle
        return _Opa(self._servers, bundle.revision)


class _Opa:
    """One bundle on OPA."""

    def __init__(self, servers: OpaProcesses, revision: str) -> None:
        self._servers = servers
        self._revision = revision

    def query(self, rule: str, facts: object) -> object:
        """The value of a rule; None where it is undefined."""
        return self._servers.ask(self._revision, rule, [json.dumps(facts).encode()])[0]


def _opa_version() -> str | None:
    binary = shutil.which("opa")
    if binary is None:
        return None
    said = subprocess.run([binary, "version"], capture_output=True, text=True, check=False, timeout=20).stdout  # noqa: S603 - a tool from the PATH
    first = said.partition("\n")[0].removeprefix("Version:").strip()
    return f"opa {first or 'of an unknown version'}"
