"""
The policy bundle: Rego modules and data, as a directory or an archive in OPA's bundle layout.

Its revision is the SHA-256 over the sorted paths and bytes of what decides: `.rego` files that are not
tests, Cedar and its schema, `data.yaml` and `data.json`, the `schema.json` of each area, and `.manifest` without its revision.  Tests and cases travel
with it and are run before it decides, but are not part of it.
"""

import hashlib
import json
import re

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError, BundleTooCostlyError
from gateway.policy.supply.numbering import Numbering
from gateway.policy.supply.tables import TableError, read_json, read_yaml

_DEEPEST_REGO: Final = 12
"""Brackets within brackets of Rego, at most: regorus takes twice as long to compile with each more, on the event loop's lock."""

_BRACKETS: Final = re.compile(r'"(?:\\.|[^"\\\n])*"?|`[^`]*`?|#[^\n]*|([\[({])|([\])}])')
"""Brackets of Rego; what stands in texts and comments is passed over.  A text that does not end is taken as well, so that no
character is looked at from every quote before it."""

_MOST_FILES: Final = 2_000
_MOST_BYTES: Final = 8_000_000
"""Bytes of all files of a bundle, at most."""

_MOST_REGO: Final = 500_000
"""Bytes of one module, at most."""

_LONGEST_NAME: Final = 200
"""Characters of a file's name with its folders, at most."""

_LENGTH: Final = re.compile(rb"(\d{1,9}):")
_OTHER_LANGUAGES: Final = frozenset({".cedar", ".cedarschema"})


@dataclass(frozen=True, slots=True)
class Bundle:
    """Everything that decides, and nothing else."""

    revision: str
    """"sha256:" and the hash described above."""

    modules: dict[str, str]
    """Rego source by path."""

    data: dict[str, Any]
    """The tables, by the folders they lie in."""

    others: dict[str, str] = field(default_factory=dict)
    """Text of what is neither Rego nor a table, by path: Cedar and its schema, and the schemas of tables."""

    content: bytes = b""
    """What the revision is the hash of: for each file its name and its bytes, each with its length."""

    checks: dict[str, bytes] = field(default_factory=dict, compare=False)
    """Its Rego tests and cases, by path; empty where only the deciding files were kept."""

    numbering: Numbering = field(default=Numbering(), compare=False)
    """How new it is, where whoever built it said so; no part of what decides."""


def load_bundle(root: Path) -> Bundle:
    """
    Read a bundle directory.

    Raises:
        BundleInvalidError: a file is missing or cannot be read; the message names it.
    """
    return bundle_of(files_in(root))


def files_in(root: Path) -> dict[str, bytes]:
    """
    The files of a bundle directory that decide, with its cases and tests, by their paths within it.

    Raises:
        BundleInvalidError: it is no bundle directory.
    """
    if not (root / ".manifest").is_file():
        raise BundleInvalidError(f"{root} holds no .manifest, so it is not a policy bundle")
    found = {path.relative_to(root): path for path in sorted(root.rglob("*")) if path.is_file()}
    wanted = {name for name in found if _decides(PurePosixPath(name)) or _tells(PurePosixPath(name))}
    return {name.as_posix(): found[name].read_bytes() for name in sorted(wanted)}


def bundle_of(files: Mapping[str, bytes], *, kept: bool = False) -> Bundle:
    """
    A bundle from its files by name; those that do not decide are left out.

    Args:
        files: bytes by path within the bundle.
        kept: whether they come from the store of bundles that were taken in before, whose tables are read as they were then.

    Raises:
        BundleInvalidError: a file cannot be read, or is none that a bundle may have; the message names it.

        BundleTooCostlyError: there are too many, or too large ones.
    """
    _check_names(files)
    modules: dict[str, str] = {}
    data: dict[str, Any] = {}
    others: dict[str, str] = {}
    checks: dict[str, bytes] = {}
    content = bytearray()
    for name in sorted(files, key=PurePosixPath):
        if not _decides(PurePosixPath(name)):
            if _tells(PurePosixPath(name)):
                checks[name] = _rego(name, files[name]).encode() if name.endswith(".rego") else files[name]
            continue
        body = _manifest(files[name]) if name == ".manifest" else files[name]
        content += _entry(name, body)
        if name.endswith(".rego"):
            modules[name] = _rego(name, body)
        elif PurePosixPath(name).suffix in _OTHER_LANGUAGES or _is_schema(PurePosixPath(name)):
            others[name] = _text(name, body)
        elif PurePosixPath(name).stem == "data":
            _graft(data, PurePosixPath(name).parent.parts, read_table(name, body, kept=kept))
    if not modules:
        raise BundleInvalidError("the bundle holds no Rego")
    return Bundle(
        f"sha256:{hashlib.sha256(content).hexdigest()}",
        modules,
        data,
        others,
        bytes(content),
        checks,
        _numbering(files),
    )


def _check_names(files: Mapping[str, bytes]) -> None:
    if len(files) > _MOST_FILES or sum(map(len, files.values())) > _MOST_BYTES:
        raise BundleTooCostlyError(f"a bundle has at most {_MOST_FILES} files, and {_MOST_BYTES} bytes in all")
    for name in files:
        parts = name.split("/")
        if {"", ".", ".."} & {*parts} or len(name) > _LONGEST_NAME or not name.isprintable() or "\\" in name:
            raise BundleInvalidError(f"{name[:_LONGEST_NAME]!r} is no name that a file of a bundle may have")


def _numbering(files: Mapping[str, bytes]) -> Numbering:
    fields = read_table(".manifest", files.get(".manifest", b"{}"))
    try:
        return Numbering.model_validate({name: fields[name] for name in Numbering.model_fields if name in fields})
    except ValidationError as error:
        raise BundleInvalidError(".manifest: `serial` is a whole number, and `expires` a time of RFC 3339") from error


def _manifest(body: bytes) -> bytes:
    """The manifest without what an archive adds to it, so that both have the same hash."""
    fields = read_table(".manifest", body)
    added = {"revision", *Numbering.model_fields}
    return json.dumps({name: value for name, value in fields.items() if name not in added}, sort_keys=True).encode()


def _entry(name: str, body: bytes) -> bytes:
    return f"{len(name.encode())}:{name}{len(body)}:".encode() + body


def content_of(files: Mapping[str, bytes]) -> bytes:
    """Files as one content, in order of their names: what `files_of` reads."""
    return b"".join(_entry(name, files[name]) for name in sorted(files))


def files_of(content: bytes) -> dict[str, bytes]:
    """
    The files in a bundle's content, by name.

    Raises:
        BundleInvalidError: the bytes are not a bundle's content.
    """
    files: dict[str, bytes] = {}
    at = 0
    while at < len(content):
        name, at = _sized(content, at)
        files[_text("a name", name)], at = _sized(content, at)
    return files


def _sized(content: bytes, at: int) -> tuple[bytes, int]:
    """The bytes whose length stands at a place, and the place after them."""
    match = _LENGTH.match(content, at)
    end = match.end() + int(match.group(1)) if match else -1
    if match is None or end > len(content):
        raise BundleInvalidError("the stored bundle is damaged")
    return content[match.end() : end], end


def _decides(path: PurePosixPath) -> bool:
    if path.suffix == ".rego":
        return not path.name.endswith("_test.rego")
    if path.suffix in _OTHER_LANGUAGES or _is_schema(path):
        return True
    return path.name in {"data.yaml", "data.json", ".manifest"}


def _is_schema(path: PurePosixPath) -> bool:
    """Whether a file says what the tables beside it may say: `context/<area>/schema.json`."""
    return path.name == "schema.json" and path.parts[0] == "context"


def _tells(path: PurePosixPath) -> bool:
    """Whether a file says what the bundle must answer."""
    return path.name.endswith("_test.rego") or path.name in {"cases.yaml", "cases.base.yaml", "invariants.yaml"}


def _text(name: str, body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise BundleInvalidError(f"{name} is not UTF-8") from error


def _rego(name: str, body: bytes) -> str:
    if len(body) > _MOST_REGO:
        raise BundleTooCostlyError(f"{name} has more than {_MOST_REGO} bytes")
    text, depth = _text(name, body), 0
    for found in _BRACKETS.finditer(text):
        depth = depth + 1 if found[1] else max(0, depth - 1) if found[2] else depth
        if depth > _DEEPEST_REGO:
            raise BundleInvalidError(f"{name} has brackets nested more than {_DEEPEST_REGO} deep")
    return text


def read_table(name: str, body: bytes, *, kept: bool = False) -> dict[str, Any]:
    """
    A table of a bundle, YAML or JSON by its name.

    Raises:
        BundleInvalidError: it cannot be read, or is none; the message names the file, and where in it.
    """
    try:
        table = read_yaml(body, kept=kept) if name.endswith(".yaml") else read_json(body, kept=kept)
    except TableError as error:
        raise BundleInvalidError(f"{name} cannot be read: {error}") from error
    if not isinstance(table, dict):
        raise BundleInvalidError(f"{name} is not a table")
    return table


def _graft(data: dict[str, Any], folders: tuple[str, ...], table: dict[str, Any]) -> None:
    for folder in folders:
        data = data.setdefault(folder, {})
        if not isinstance(data, dict):
            raise BundleInvalidError(f"a table names {'/'.join(folders)} and is no table there")
    # Of two files with one entry a reader sees both, and OPA takes neither.
    if twice := sorted(table.keys() & data.keys()):
        raise BundleInvalidError(f"the entry {'/'.join((*folders, twice[0]))} stands in two files")
    data.update(table)
