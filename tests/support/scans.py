"""
Scan functions that do not look at anything, for tests of the workers that run them: slow, deadly, failing, telling.

They run in processes of their own, so what they did they tell by files; none waits for a time, but for a file.
"""

import os
import time

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

from gateway.model.content import Leaf


def no_models() -> None:
    """Workers of these tests load no detectors."""


def not_there() -> None:
    """A model that is missing."""
    raise OSError("no such model")


def until(sign: Path) -> None:
    """Wait for a file."""
    while not sign.exists():
        time.sleep(0.005)


def texts(items: Sequence[Sequence[Leaf]]) -> list[Any]:
    """One finding's worth for every item: the texts it was asked about."""
    return [[leaf.text for leaf in item] for item in items]


def stepping(
    items: Sequence[Sequence[Leaf]], log: Path, name: str, steps: int, gate: tuple[int, Path, Path] | None = None
) -> Generator[None, None, list[Any]]:
    """Writes its name at every step; at the step of its gate it says that it is there and waits for the other file."""
    for step in range(steps):
        if gate is not None and step == gate[0]:
            gate[1].touch()
            until(gate[2])
        with log.open("a") as lines:
            lines.write(f"{name}\n")
        yield
    return texts(items)


def hanging(items: Sequence[Sequence[Leaf]], begun: Path, ended: Path) -> list[Any]:
    """Sleeps for longer than any test."""
    begun.touch()
    time.sleep(600)
    ended.touch()
    return texts(items)


def spinning(items: Sequence[Sequence[Leaf]]) -> list[Any]:
    """Works, in one step, for longer than any test."""
    while True:
        sum(range(1000))


def spinning_in_steps(items: Sequence[Sequence[Leaf]]) -> Iterator[None]:
    """Works for longer than any test, with pauses."""
    while True:
        sum(range(1_000_000))
        yield


def deadly(items: Sequence[Sequence[Leaf]], deaths: Path) -> list[Any]:
    """Ends its worker, and counts how often."""
    with deaths.open("a") as lines:
        lines.write("died\n")
    os._exit(1)


def failing(items: Sequence[Sequence[Leaf]]) -> list[Any]:
    """Raises what it read."""
    raise KeyError(items[0][0].text)


def leaving(items: Sequence[Sequence[Leaf]]) -> list[Any]:
    """Raises what is no `Exception`."""
    raise SystemExit(items[0][0].text)
