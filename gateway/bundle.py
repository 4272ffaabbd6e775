"""
The policy bundle: Rego modules and data, as a directory in OPA's bundle layout.

Its revision is the SHA-256 over the sorted paths and bytes of what decides: `.rego` files that are not
tests, `data.yaml` and `data.json`, and `.manifest`.  Tests and cases are not part of it.
"""

import hashlib
import json

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from gateway.errors import BundleInvalidError

ENTRYPOINTS: Final = ("context/scope", "context/admit", "context/release", "context/pack")


@dataclass(frozen=True, slots=True)
class Bundle:
    """Everything that decides, and nothing else."""

    revision: str
    """"sha256:" and the hash described above."""

    modules: dict[str, str]
    """Rego source by path."""

    data: dict[str, Any]
    """The tables, by the folders they lie in."""


def load_bundle(root: Path) -> Bundle:
    """
    Read a bundle directory.

    Raises:
        BundleInvalidError: a file is missing or cannot be read; the message names it.
    """
    if not (root / ".manifest").is_file():
        raise BundleInvalidError(f"{root} holds no .manifest, so it is not a policy bundle")
    hashed = hashlib.sha256()
    modules: dict[str, str] = {}
    data: dict[str, Any] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not _decides(path):
            continue
        body = path.read_bytes()
        hashed.update(f"{len(name)}:{name}{len(body)}:".encode() + body)
        if path.suffix == ".rego":
            modules[name] = _text(name, body)
        elif path.stem == "data":
            _graft(data, path.relative_to(root).parent.parts, _table(name, body))
    if not modules:
        raise BundleInvalidError(f"{root} holds no Rego")
    return Bundle(f"sha256:{hashed.hexdigest()}", modules, data)


def _decides(path: Path) -> bool:
    if path.suffix == ".rego":
        return not path.name.endswith("_test.rego")
    return path.name in {"data.yaml", "data.json", ".manifest"}


def _text(name: str, body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise BundleInvalidError(f"{name} is not UTF-8") from error


def _table(name: str, body: bytes) -> dict[str, Any]:
    try:
        table = yaml.safe_load(body) if name.endswith(".yaml") else json.loads(body)
    except (yaml.YAMLError, ValueError) as error:
        raise BundleInvalidError(f"{name} cannot be read: {str(error)[:300]}") from error
    if not isinstance(table, dict):
        raise BundleInvalidError(f"{name} is not a table")
    return table


def _graft(data: dict[str, Any], folders: tuple[str, ...], table: dict[str, Any]) -> None:
    for folder in folders:
        data = data.setdefault(folder, {})
    data.update(table)
