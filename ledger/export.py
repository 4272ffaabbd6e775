"""
A log as a folder of files that any verifier of c2sp.org/tlog-tiles reads, for export and for static serving.

Order: entries and tiles first, the checkpoint last, so that a reader never sees a checkpoint whose tiles are
not there.  Full tiles never change, so a folder that is kept up to date only gains files.
"""

import hashlib

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ledger.log import LogReader
from ledger.store import Published, Store
from ledger.tlog.note import Signer, sign
from ledger.tlog.tiles import WIDTH, TileName, path_of, widths

EXPORT_FORMAT: Final = "ctxgate-export/2"


def write_log(store: Store, folder: Path, published: Published, *, entries: bool = True, since: int = 0) -> None:
    """
    Write what a checkpoint covers, and the checkpoint.

    Args:
        store: the ledger.
        folder: where to; made if it is not there.
        published: the checkpoint.
        entries: whether to write the records too, or their hashes alone.
        since: the size of the tree that the folder holds already.

    Raises:
        LedgerCorruptError: the store lacks what the checkpoint covers.

        OSError: the folder cannot be written.
    """
    reader = LogReader(store)
    for name in _changed(since, published.size):
        levels = (name.level, None) if name.level == 0 and entries else (name.level,)
        for level in levels:
            tile = TileName(level, name.number, name.width)
            body = reader.tile(tile) if level is None else reader.hashes(name.level or 0, name.number, published.size)
            if body is not None:
                _position(folder / path_of(level, tile.number, tile.width), body)
    _position(folder / "checkpoint", published.note.encode())


@dataclass(slots=True)
class Manifest:
    """The list of what an export holds beside the log, which the log's key signs (`FORMAT.md`)."""

    origin: str
    size: int
    lines: list[str] = field(default_factory=list)

    def file(self, path: Path) -> None:
        """
        List a file.

        Raises:
            OSError: it cannot be read.
        """
        with path.open("rb") as file:
            self.lines.append(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()}")

    def folder(self, name: str, digests: Iterable[bytes]) -> None:
        """List a folder, by how many files it holds and one hash over theirs, in an order that whoever reads it knows."""
        whole, count = hashlib.sha256(), 0
        for digest in digests:
            whole.update(digest)
            count += 1
        self.lines.append(f"{name} {count} {whole.hexdigest()}")

    def signed(self, signer: Signer) -> str:
        """The list as a signed note."""
        head = [EXPORT_FORMAT, f"origin {self.origin}", f"size {self.size}"]
        return sign("".join(f"{line}\n" for line in [*head, *self.lines]), [signer])


def _changed(since: int, size: int) -> list[TileName]:
    """Tiles of a tree that a folder with a smaller tree lacks."""
    names = []
    for level, width in enumerate(widths(size)):
        span = WIDTH ** (level + 1)
        names += [TileName(level, number) for number in range(since // span, size // span)]
        names += [TileName(level, size // span, width)] if width else []
    return names


def _position(path: Path, body: bytes) -> None:
    """Write a file so that a reader sees all of it or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(body)
    draft.replace(path)
