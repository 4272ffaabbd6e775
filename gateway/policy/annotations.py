"""METADATA annotations of Rego files, read as OPA reads them: YAML in comments at column 1."""

import re

from dataclasses import dataclass
from typing import Any, Final

import yaml

_BLOCK: Final = re.compile(r"^# METADATA\n((?:#.*\n)+)(.*)", re.MULTILINE)
_EMITTED: Final = re.compile(r'"code":\s*"([A-Z]+(?:[-_][A-Z0-9]+)*)"')


@dataclass(frozen=True, slots=True)
class Annotation:
    """One METADATA block and the line it stands over."""

    fields: dict[str, Any]
    target: str
    line: int

    @property
    def code(self) -> str | None:
        """The code of the refusal or warning that it annotates."""
        return (self.fields.get("custom") or {}).get("code")

    @property
    def controls(self) -> list[str]:
        """Where the controls that it implements are described."""
        return [str(resource["ref"]) for resource in self.fields.get("related_resources") or []]


def annotations(rego: str) -> list[Annotation]:
    """
    Every METADATA block of a module, in order.

    Raises:
        yaml.YAMLError: a block is not YAML.
    """
    found = []
    for match in _BLOCK.finditer(rego):
        body = re.sub(r"^# ?", "", match.group(1), flags=re.MULTILINE)
        found.append(Annotation(yaml.safe_load(body), match.group(2), rego.count("\n", 0, match.start()) + 1))
    return found


def emitted_codes(rego: str) -> set[str]:
    """Codes that stand in the rules themselves."""
    return set(_EMITTED.findall(rego))
