"""
Threads for work that must not hold the event loop.

Rules held here: there are so many threads and no more, so that what goes on after its request is over is bounded; a tenant has
one of them at a time, since threads share one interpreter and each makes all others slower; tenants take turns, so that one that
brings much waits behind itself; what nobody waits for any more and has not begun never begins.
"""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, TypeVar, cast

from gateway.concurrency.turns import Waiting

_T = TypeVar("_T")
_Job = tuple[str, "Future[Any]", Callable[[], Any]]
"""Whose it is, who waits for it, and what it does."""


class FairThreads:
    """Runs functions on some threads of its own, which the first function starts."""

    def __init__(self, count: int, name: str) -> None:
        """
        Args:
            count: of threads.
            name: of each, with a number.
        """
        self._count = count
        self._name = name
        self._jobs = Waiting[_Job]()
        self._served = set[str]()
        """Tenants that have a thread now."""

        self._changed = Condition()
        self._started = 0
        self._idle = 0

    @property
    def working(self) -> int:
        """Functions that run now, also those that nobody waits for any more."""
        return self._started - self._idle

    @property
    def waiting(self) -> int:
        """Functions that have not begun."""
        return len(self._jobs)

    def submit(self, tenant: str, act: Callable[[], _T]) -> "Future[_T]":
        """What *act* will give, once it is its tenant's turn and a thread is free."""
        future: Future[_T] = Future()
        with self._changed:
            self._jobs.put(tenant, (tenant, future, act))
            if self._idle < len(self._jobs) and self._started < self._count:
                self._start()
            self._changed.notify()
        return future

    def _start(self) -> None:
        # No thread keeps the process from ending: what still runs then has no request any more.
        Thread(target=self._run, name=f"{self._name}-{self._started}", daemon=True).start()
        self._started += 1

    def _run(self) -> None:
        while True:
            tenant, future, act = self._next()
            try:
                _work(future, act)
            finally:
                self._ended(tenant)

    def _next(self) -> _Job:
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: self._jobs.next(self._served) is not None)
            self._idle -= 1
            tenant = cast("str", self._jobs.next(self._served))
            self._served.add(tenant)
            return self._jobs.take(tenant)

    def _ended(self, tenant: str) -> None:
        with self._changed:
            self._served.discard(tenant)
            self._changed.notify()


def _work(future: "Future[Any]", act: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(act())
    except BaseException as error:  # noqa: BLE001 - whoever waits hears it, whatever it is
        future.set_exception(error)
