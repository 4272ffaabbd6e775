"""How far a long command is: on a terminal alone, and never among what it prints."""

import sys

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from rich.progress import Progress

from gateway.cli.output import errors
from ledger.store import Store, StoredRow


@contextmanager
def progress_bar(label: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """
    A bar on stderr, which is gone when the work is done; nothing where stderr is no terminal.

    Args:
        label: what is done.
        total: how many steps there are; None where nobody knows.

    Returns:
        What is called after a step, or with a number of steps.
    """
    with Progress(console=errors, transient=True, disable=not sys.stderr.isatty()) as shown:
        task = shown.add_task(label, total=total)

        def advance(steps: int = 1) -> None:
            shown.advance(task, steps)

        yield advance


class _Watched:
    """A store that tells how many entries were read of it."""

    def __init__(self, store: Store, advance: Callable[[int], None]) -> None:
        self._store = store
        self._advance = advance

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the store has
        return getattr(self._store, name)

    def scan(self, start: int = 0) -> Iterator[StoredRow]:
        for row in self._store.scan(start):
            self._advance(1)
            yield row

    def entries(self, start: int, end: int) -> list[bytes]:
        self._advance(end - start)
        return self._store.entries(start, end)


def watched(store: Store, advance: Callable[[int], None]) -> Store:
    """The store, with *advance* called for the entries that are read of it, one after the other or many together."""
    return cast("Store", _Watched(store, advance))
