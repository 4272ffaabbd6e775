"""
Work whose time grows with its input, apart from the event loop.

Rules held here: what is small is done at once, since a hop to a thread costs more than it; what is large, or whose size nobody
told, is done on a thread, where a deadline does not wait for it.  A thread gives up the interpreter every few milliseconds, but not
within one call into C: those are bounded by the limits on a request (docs/operations.md).
"""

import asyncio
import time

from collections.abc import Callable, Iterable
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from gateway.concurrency.threads import FairThreads

_T = TypeVar("_T")

SMALL: Final = 50_000
"""Up to so many bytes a request's stages run on the event loop: each takes less than 10 ms, most less than 1 ms."""

_LONG: Final = 0.1
"""Seconds that nothing small should take."""

THREADS: Final = 4
"""So many tenants at once; more would not do more at a time, since they share one interpreter."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is worked on, as far as those who share the processor need to know."""

    tenant: str = ""
    size: int = SMALL + 1
    """About how many bytes."""


load: ContextVar[Load] = ContextVar("load", default=Load())  # noqa: B039 - frozen
"""Of the request at hand; large until its size is told."""

threads: Final = FairThreads(THREADS, "apart")
"""Of this process."""


def weigh(tenant: str, size: int) -> None:
    """Tell how large the request at hand is, in bytes, and whose it is."""
    load.set(Load(tenant, size))


def weigh_also(values: Iterable[object]) -> None:
    """Tell that these JSON values have joined the request at hand."""
    now = load.get()
    load.set(Load(now.tenant, now.size + _about(values)))


def _about(values: Iterable[object]) -> int:
    """About how many bytes JSON values have; beyond what is small it is not counted on."""
    pending, size = list(values), 0
    while pending and size <= SMALL:
        value = pending.pop()
        size += 8 + (len(value) if isinstance(value, str | list | dict) else 0)
        if isinstance(value, list | dict):
            pending += value.values() if isinstance(value, dict) else value
    return size


async def apart(act: Callable[[], _T], *, size: int = 0) -> _T:
    """What *act* gives: on a thread where the request at hand is large, or this one thing is, in bytes; else at once."""
    now = load.get()
    if max(now.size, size) <= SMALL:
        began = time.monotonic()
        done = act()
        if time.monotonic() - began > _LONG:
            # What was small and took long all the same may have outlasted a deadline, which is heard two rounds of the loop later.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return done
    # Whoever gives up waiting cancels the future: what runs goes on to its end, and keeps its thread until then.
    return await asyncio.wrap_future(threads.submit(now.tenant, partial(copy_context().run, act)))
