"""Doing a thing again whenever a file of a folder changes."""

import time

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

_SECONDS: Final = 0.5
_SUFFIXES: Final = frozenset({".rego", ".yaml", ".json", ".cedar", ".cedarschema"})


def states(root: Path, pause: Callable[[float], None] = time.sleep) -> Iterator[dict[Path, tuple[int, int]]]:
    """
    What the files of a folder are at first, and again whenever one is written, added or removed.

    Args:
        root: the folder.
        pause: waits for so many seconds.
    """
    seen = _state(root)
    yield seen
    while True:
        pause(_SECONDS)
        if (now := _state(root)) != seen:
            seen = now
            yield seen


def _state(root: Path) -> dict[Path, tuple[int, int]]:
    found = {}
    for path in root.rglob("*"):
        if path.suffix in _SUFFIXES or path.name == ".manifest":
            try:
                status = path.stat()
            except OSError:  # it went between two looks
                continue
            found[path] = status.st_mtime_ns, status.st_size
    return found
