"""
Searches of documents: what it costs to tell what may be found, how many find something that is released, and whether gate and
search agree.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Searches:
    """Counts the searches of this process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """
        Args:
            registry: where its counters are.
        """
        self._seconds = Histogram(
            "ctxgate_reach_seconds", "Telling what a requester may find.", buckets=_SECONDS, registry=registry
        )
        self._asked = Counter("ctxgate_reach_questions", "Questions to policy of what may be found.", registry=registry)
        self._tuples = Gauge(
            "ctxgate_label_tuples",
            "Combinations of labels of the tenant with the most, as seen last.",
            registry=registry,
        )
        self._mismatches = Counter(
            "ctxgate_reach_mismatches", "Requests in which gate and search differed (GW-711).", registry=registry
        )
        self._searches = Counter(
            "ctxgate_searches",
            "Searches of documents, by whether something that they found was released.",
            ("released",),
            registry=registry,
        )
        for released in ("yes", "no"):
            self._searches.labels(released)

    def made(self, seconds: float, decided: int) -> None:
        """What may be found was told in so many seconds, with so many questions."""
        self._seconds.observe(seconds)
        self._asked.inc(decided)

    def ruled(self, released: int) -> None:
        """Of what one search found so much was released."""
        self._searches.labels("yes" if released else "no").inc()

    def counted(self, tuples: int) -> None:
        """A tenant has so many combinations of labels."""
        self._tuples.set(tuples)

    def differed(self) -> None:
        """The gate refused what a search was allowed to find, or an index found what it was not asked for."""
        self._mismatches.inc()
