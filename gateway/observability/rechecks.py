"""
Sealed packs looked at a second time, in the background.

Rules held here: no request waits for it, and none fails by it; what the queue has no room for, or what the check fails on, is
counted and never silent; the log names the pack and how many items, never which.
"""

from queue import Full, Queue
from threading import Lock, Thread
from typing import Final

import structlog

from prometheus_client import CollectorRegistry, Counter

from gateway.model import Case, ContextPack
from gateway.observability.leakage import leaks

log = structlog.get_logger()

_MOST: Final = 256
"""Packs that may wait."""


class Rechecks:
    """Looks at packs on a thread of its own, which the first one starts."""

    def __init__(self, registry: CollectorRegistry, *, most: int = _MOST) -> None:
        """
        Args:
            registry: where its counters are.
            most: packs that may wait.
        """
        self._waiting: Queue[tuple[ContextPack, Case] | None] = Queue(most)
        self._thread: Thread | None = None
        self._starting = Lock()
        self._events = Counter(
            "jurisdiction_leakage_events",
            "Items in sealed packs that an independent check objects to.",
            registry=registry,
        )
        self._done = Counter(
            "ctxgate_jurisdiction_rechecks",
            "Sealed packs by whether they were checked again, missed for a full queue, or could not be checked.",
            ("result",),
            registry=registry,
        )
        # Before the first of its kind: from a series that begins with 1 no alert sees an increase.
        for result in ("checked", "missed", "failed"):
            self._done.labels(result)

    def offer(self, pack: ContextPack, case: Case) -> None:
        """Let a sealed pack be looked at when there is time; where too many wait it is counted as missed."""
        try:
            self._waiting.put_nowait((pack, case))
        except Full:
            self._done.labels("missed").inc()
            return
        with self._starting:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="rechecks", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while (waiting := self._waiting.get()) is not None:
            try:
                self._check(*waiting)
                self._done.labels("checked").inc()
            except Exception:  # noqa: BLE001 - whatever it is, it is counted, and the next pack is looked at
                self._done.labels("failed").inc()
            finally:
                self._waiting.task_done()

    def _check(self, pack: ContextPack, case: Case) -> None:
        document = pack.model_dump(mode="json", include={"sections"})
        found = leaks(document, case.request.jurisdictions, case.subject.jurisdictions)
        if found:
            self._events.inc(len(found))
            log.error("jurisdiction_leakage", pack_id=pack.id, trace_id=case.trace_id, items=len(found))

    def settle(self) -> None:
        """Wait until what was offered is looked at."""
        if self._thread is not None:
            self._waiting.join()

    def close(self) -> None:
        """Look at what waits, and end."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None
