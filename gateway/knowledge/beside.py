"""
What stands beside a file of a folder and says what the file does not: `knowledge.yaml` at its root, a file of the same name in YAML,
or lines between `---` at the beginning of a text.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any, Final

from gateway.errors import FieldInvalidError, SyncFailedError
from gateway.policy.supply.tables import TableError, read_yaml

DEFAULTS: Final = "knowledge.yaml"
"""At the root: `defaults` for all files, and under `files` for patterns of places; the later goes before the earlier."""

_LONGEST_FRONT: Final = 65_536

_MEDIA_TYPES: Final = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".html": "text/html",
    ".htm": "text/html",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".csv": "text/csv",
    ".eml": "message/rfc822",
}


def media_type_of(place: str) -> str:
    """What a file is by its name; `application/octet-stream` where the name does not say."""
    return _MEDIA_TYPES.get(PurePosixPath(place).suffix.lower(), "application/octet-stream")


def sidecar_of(place: str, places: Collection[str]) -> str | None:
    """The file that says something of another one: `name.md.yaml`, or `name.yaml`."""
    beside = (f"{place}.yaml", PurePosixPath(place).with_suffix(".yaml").as_posix())
    return next((one for one in beside if one != place and one in places), None)


@dataclass(frozen=True, slots=True)
class DescribedFiles:
    """What `knowledge.yaml` says."""

    defaults: Mapping[str, Any]
    files: tuple[tuple[str, Mapping[str, Any]], ...]

    @classmethod
    def of(cls, body: bytes) -> "DescribedFiles":
        """
        Read it.

        Raises:
            SyncFailedError: it cannot be read; without it every file would be taken for something else.
        """
        try:
            table = read_yaml(body) or {}
        except (TableError, UnicodeDecodeError) as error:
            raise SyncFailedError(f"{DEFAULTS} cannot be read: {error}") from error
        if not isinstance(table, dict) or not table.keys() <= {"defaults", "files"}:
            raise SyncFailedError(f"{DEFAULTS} has `defaults` and `files`, and nothing else")
        defaults, files = table.get("defaults") or {}, table.get("files") or {}
        if not all(
            isinstance(one, dict) for one in (defaults, files, *(files.values() if isinstance(files, dict) else ()))
        ):
            raise SyncFailedError(f"in {DEFAULTS} `defaults` is a table, and `files` one of tables by pattern")
        return cls(defaults, tuple((str(pattern), said) for pattern, said in files.items()))

    def said_of(self, place: str, media_type: str, body: bytes, beside: bytes | None) -> tuple[dict[str, Any], bytes]:
        """
        All that is said of a file, and the file without what it says itself at its beginning.

        Raises:
            FieldInvalidError: what stands beside it, or at its beginning, is no table.
        """
        said = dict(self.defaults)
        for pattern, more in self.files:
            if fnmatchcase(place, pattern):
                said |= more
        front, rest = front_of(body) if media_type == "text/markdown" else (None, body)
        for words in (front, beside):
            if words is not None:
                said |= _table(words)
        return said, rest


def front_of(body: bytes) -> tuple[bytes | None, bytes]:
    """The lines between `---` at the beginning of a text, and what follows them; None where there are none."""
    if not body.startswith((b"---\n", b"---\r\n")):
        return None, body
    begin = body.index(b"\n") + 1
    end = body.find(b"\n---", begin - 1, begin + _LONGEST_FRONT)
    if end < 0:
        return None, body
    after = body.find(b"\n", end + 1)
    if body[end + 4 : after if after >= 0 else None].strip():
        return None, body
    return body[begin : end + 1], b"" if after < 0 else body[after + 1 :]


def _table(words: bytes) -> dict[str, Any]:
    try:
        table = read_yaml(words)
    except (TableError, UnicodeDecodeError) as error:
        raise FieldInvalidError("what is said of the file cannot be read", fields=[("metadata", str(error))]) from error
    if not isinstance(table, dict):
        raise FieldInvalidError("what is said of the file is no table", fields=[("metadata", "must be a table")])
    return {str(name): value for name, value in table.items()}
