"""
Bundles compiled by regorus: for the questions that will be asked, here or in another process.

Rule held here: a program that was read in part is none.
"""

import json

from collections.abc import Sequence
from typing import Any

import regorus

from gateway.errors import BundleInvalidError
from gateway.policy.areas import ENTRY
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import LATER, NAMES


def program_of(bundle: Bundle, rules: Sequence[str] = NAMES) -> bytes:
    """
    A bundle compiled for the rules that will be asked for, as bytes, so that another thread or process may do it.

    Raises:
        BundleInvalidError: it does not compile.
    """
    try:
        program: bytes = compiled(bundle, json.dumps(bundle.data), rules).serialize_binary()
    except RuntimeError as error:
        raise BundleInvalidError(f"the bundle does not compile: {first_lines(error)}") from error
    return program


def compiled(bundle: Bundle, data: str, rules: Sequence[str]) -> Any:  # noqa: ANN401 - the wheel has no types
    """
    The program of a bundle and its tables as JSON.

    Raises:
        RuntimeError: it does not compile.
    """
    names = [rule_of(name) for name in rules if _answers(bundle, name)]
    return regorus.Program.compile_from_modules(data, list(bundle.modules.items()), names)


def loaded(program: bytes) -> Any:  # noqa: ANN401 - as above
    """
    What `program_of` made.

    Raises:
        RuntimeError, BundleInvalidError: it is none, or not whole.
    """
    found, in_part = regorus.Program.deserialize_binary(program)
    if in_part:
        raise BundleInvalidError("the compiled bundle was read in part")
    return found


def rule_of(entrypoint: str) -> str:
    """The rule that answers a question, as the engine names it."""
    return "data." + entrypoint.replace("/", ".")


def first_lines(error: BaseException) -> str:
    """The engine's own words without the native stack it appends."""
    return str(error).partition("Stack backtrace")[0].strip()[:500]


def _answers(bundle: Bundle, name: str) -> bool:
    """Whether a bundle has a rule for a question that bundles from before do not answer; of others the compiler says it."""
    return name not in LATER or f"\n{name.rpartition('/')[2]} := " in bundle.modules.get(ENTRY, "")
