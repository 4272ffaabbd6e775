"""
The policy bundle: Rego modules and data, as a directory or an archive in OPA's bundle layout.

Its revision is the SHA-256 over the sorted paths and bytes of what decides: `.rego` files that are not
tests, Cedar and its schema, `data.yaml` and `data.json`, and `.manifest` without its revision.  Tests and cases travel
with it and are run before it decides, but are not part of it.
"""

import hashlib
import json
import re

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

import yaml

from gateway.errors import BundleInvalidError

_DEEPEST: Final = 50
"""Levels of a table, at most."""

_DEEPEST_REGO: Final = 12
"""Brackets within brackets of Rego, at most: regorus takes twice as long to compile with each more, on the event loop's lock."""

_BRACKETS: Final = re.compile(r'"(?:\\.|[^"\\\n])*"?|`[^`]*`?|#[^\n]*|([\[({])|([\])}])')
"""Brackets of Rego; what stands in texts and comments is passed over.  A text that does not end is taken as well, so that no
character is looked at from every quote before it."""

_MOST_VALUES: Final = 500_000
"""Values of a table, at most."""

_LONGEST_HELD: Final = 64_000
"""Bytes of a text of YAML that is held parsed, at most."""

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
    """Text of policies in other languages, by path: Cedar and its schema."""

    content: bytes = b""
    """What the revision is the hash of: for each file its name and its bytes, each with its length."""

    checks: dict[str, bytes] = field(default_factory=dict, compare=False)
    """Its Rego tests and cases, by path; empty where only the deciding files were kept."""


def load_bundle(root: Path) -> Bundle:
    """
    Read a bundle directory.

    Raises:
        BundleInvalidError: a file is missing or cannot be read; the message names it.
    """
    if not (root / ".manifest").is_file():
        raise BundleInvalidError(f"{root} holds no .manifest, so it is not a policy bundle")
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    return bundle_of(files)


def bundle_of(files: Mapping[str, bytes]) -> Bundle:
    """
    A bundle from its files by name; those that do not decide are left out.

    Raises:
        BundleInvalidError: a file cannot be read; the message names it.
    """
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
        content += f"{len(name.encode())}:{name}{len(body)}:".encode() + body
        if name.endswith(".rego"):
            modules[name] = _rego(name, body)
        elif PurePosixPath(name).suffix in _OTHER_LANGUAGES:
            others[name] = _text(name, body)
        elif PurePosixPath(name).stem == "data":
            _graft(data, PurePosixPath(name).parent.parts, _table(name, body))
    if not modules:
        raise BundleInvalidError("the bundle holds no Rego")
    return Bundle(f"sha256:{hashlib.sha256(content).hexdigest()}", modules, data, others, bytes(content), checks)


def _manifest(body: bytes) -> bytes:
    """The manifest without the revision that an archive adds to it, so that both have the same hash."""
    fields = _table(".manifest", body)
    return json.dumps({name: value for name, value in fields.items() if name != "revision"}, sort_keys=True).encode()


def files_of(content: bytes) -> dict[str, bytes]:
    """
    The files in a bundle's content, by name.

    Raises:
        BundleInvalidError: the bytes are not a bundle's content.
    """
    files: dict[str, bytes] = {}
    rest = content
    while rest:
        name, rest = _sized(rest)
        files[_text("a name", name)], rest = _sized(rest)
    return files


def _sized(content: bytes) -> tuple[bytes, bytes]:
    match = re.match(rb"(\d{1,9}):", content)
    size = int(match.group(1)) if match else -1
    start = match.end() if match else 0
    if size < 0 or len(content) < start + size:
        raise BundleInvalidError("the stored bundle is damaged")
    return content[start : start + size], content[start + size :]


def _decides(path: PurePosixPath) -> bool:
    if path.suffix == ".rego":
        return not path.name.endswith("_test.rego")
    if path.suffix in _OTHER_LANGUAGES:
        return True
    return path.name in {"data.yaml", "data.json", ".manifest"}


def _tells(path: PurePosixPath) -> bool:
    """Whether a file says what the bundle must answer."""
    return path.name.endswith("_test.rego") or path.name in {"cases.yaml", "cases.base.yaml"}


def _text(name: str, body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise BundleInvalidError(f"{name} is not UTF-8") from error


def _rego(name: str, body: bytes) -> str:
    text, depth = _text(name, body), 0
    for found in _BRACKETS.finditer(text):
        depth = depth + 1 if found[1] else max(0, depth - 1) if found[2] else depth
        if depth > _DEEPEST_REGO:
            raise BundleInvalidError(f"{name} has brackets nested more than {_DEEPEST_REGO} deep")
    return text


def _table(name: str, body: bytes) -> dict[str, Any]:
    try:
        table = parsed(body, _EachOnce) if name.endswith(".yaml") else json.loads(body, object_pairs_hook=_distinct)
        _check_values(table)
    except (yaml.YAMLError, ValueError) as error:
        raise BundleInvalidError(f"{name} cannot be read: {str(error)[:300]}") from error
    except RecursionError as error:
        raise BundleInvalidError(f"{name} is nested too deeply") from error
    if not isinstance(table, dict):
        raise BundleInvalidError(f"{name} is not a table")
    return table


def parsed(body: bytes, loader: type[yaml.SafeLoader] = yaml.SafeLoader) -> Any:  # noqa: ANN401 - YAML
    """
    What a text of YAML says, for the caller alone to change.

    It is parsed once: of a bundle that is read anew, all files but one or two are as they were, and parsing them is most of what
    reading and checking it costs.

    Raises:
        yaml.YAMLError, RecursionError: it is not YAML, or nested too deeply.
    """
    return deepcopy(_held(body, loader)) if len(body) <= _LONGEST_HELD else _parse(body, loader)  # type: ignore[arg-type] # a class


def _parse(body: bytes, loader: type[yaml.SafeLoader]) -> object:
    return yaml.load(body, loader)  # noqa: S506 - a safe loader


_held = lru_cache(maxsize=256)(_parse)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key stands twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key stands twice")
    return members


def _check_values(table: object) -> None:
    """
    Refuse what JSON does not have, which OPA would be told in another way or not at all.

    Raises:
        ValueError: a value is a date, bytes or a set, or is nested too deeply, such as in itself; or there are too many.
    """
    waiting, count = [(table, 1)], 0
    while waiting:
        value, level = waiting.pop()
        count += 1
        # Counted as they are written out: an alias of YAML is one value here and stands for as many as what it names.
        if level > _DEEPEST or count > _MOST_VALUES:
            raise ValueError("it is nested too deeply, or holds too many values")
        if isinstance(value, dict):
            _check_keys(list(value))
            waiting += [(member, level + 1) for member in value.values()]
        elif isinstance(value, list):
            waiting += [(member, level + 1) for member in value]
        elif not (value is None or isinstance(value, str | int | float)):
            raise ValueError(f"a value is a {type(value).__name__}; write it in quotes")


def _check_keys(keys: list[object]) -> None:
    if not all(isinstance(key, str) or type(key) is int for key in keys):
        raise ValueError("a key is neither text nor a whole number; write it in quotes")
    if len({str(key) for key in keys}) < len(keys):
        raise ValueError("a key stands twice, as text and as a number")


class _EachOnce(yaml.SafeLoader):
    """YAML in which no key stands twice: of two entries a reader sees both, and the last alone would decide."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        names = [self.construct_object(key, deep=True) for key, _ in node.value]
        for place, name in enumerate(names):
            if name in names[:place]:
                msg = f"the key {name} stands twice"
                raise yaml.constructor.ConstructorError(None, None, msg, node.value[place][0].start_mark)
        return super().construct_mapping(node, deep)


def _graft(data: dict[str, Any], folders: tuple[str, ...], table: dict[str, Any]) -> None:
    for folder in folders:
        data = data.setdefault(folder, {})
        if not isinstance(data, dict):
            raise BundleInvalidError(f"a table names {'/'.join(folders)} and is no table there")
    # Of two files with one entry a reader sees both, and OPA takes neither.
    if twice := sorted(table.keys() & data.keys()):
        raise BundleInvalidError(f"the entry {'/'.join((*folders, twice[0]))} stands in two files")
    data.update(table)
