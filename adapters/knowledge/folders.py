"""Folders that documents are taken from."""

import os

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gateway.errors import DocumentTooLargeError, SyncFailedError
from gateway.ports.documents import Origin, PlacedFile

MOST_FILES: Final = 100_000
"""Of one folder or repository."""


class DocumentFolder:
    """`gateway.ports.documents.FileTree` of a folder; links and hidden files are passed over."""

    def __init__(self, root: Path) -> None:
        """
        Raises:
            SyncFailedError: there is no such folder.
        """
        self._root = root.resolve()
        if not self._root.is_dir():
            raise SyncFailedError("there is no such folder")
        self.origin = Origin("folder", self._root.as_posix())

    def files(self) -> list[PlacedFile]:
        found: list[PlacedFile] = []
        try:
            for one in self._walk():
                found.append(one)
                if len(found) > MOST_FILES:
                    raise SyncFailedError(f"the folder holds more than {MOST_FILES} files")
        except OSError as error:
            raise SyncFailedError("the folder cannot be read to its end") from error
        return sorted(found, key=lambda one: one.place)

    def read(self, place: str, most: int) -> bytes:
        try:
            # What was no link when it was listed may be one now.
            descriptor = os.open(self._root / place, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                body = file.read(most + 1)
        except OSError as error:
            raise SyncFailedError(f"{place} cannot be read") from error
        if len(body) > most:
            raise DocumentTooLargeError(f"{place} is larger than {most} bytes")
        return body

    def _walk(self) -> Iterator[PlacedFile]:
        for above, folders, names in os.walk(self._root, onerror=_raise):
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for name in names:
                path = Path(above, name)
                if not name.startswith(".") and path.is_file() and not path.is_symlink():
                    yield PlacedFile(path.relative_to(self._root).as_posix(), path.stat().st_size)


def _raise(error: OSError) -> None:
    raise error
