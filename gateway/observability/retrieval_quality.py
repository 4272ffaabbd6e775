"""
How well documents are found, as metrics: of the last time that the golden sets were asked.

Rules held here: nothing of a tenant, of a question or of a document; before the first measurement there is no figure, so that no
alert takes nothing for bad.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge

_FIGURES: Final = {
    "recall": "Share of what must be found that is.",
    "precision": "Share of what is found that must be.",
    "ndcg": "Normalised discounted cumulative gain.",
    "map": "Mean average precision.",
    "mrr": "Mean reciprocal rank.",
    "hit_rate": "Share of questions for which anything that must be found is.",
}


class RetrievalQuality:
    """The figures of golden sets, by set."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """
        Args:
            registry: where its metrics are.
        """
        self._figures = {
            name: Gauge(
                f"rag_golden_{name}" if name == "hit_rate" else f"rag_retrieval_{name}",
                text,
                ("set",),
                registry=registry,
            )
            for name, text in _FIGURES.items()
        }
        self._improvement = Gauge(
            "rag_reranker_improvement", "What the reranker adds to nDCG, as a share of it.", ("set",), registry=registry
        )
        self._headroom = Gauge(
            "rag_reranker_headroom", "The most that any reranker could add.", ("set",), registry=registry
        )
        self._drifted = Gauge(
            "rag_retrieval_drift",
            "Figures that fell further below the baseline than they may.",
            ("set",),
            registry=registry,
        )
        self._leaks = Counter(
            "rag_leakage", "Found and must not be, or found and refused by the gate.", ("set",), registry=registry
        )
        self._runs = Counter("rag_golden_runs", "Golden sets asked, by result.", ("result",), registry=registry)
        self._at = Gauge(
            "rag_golden_run_timestamp_seconds", "When one was last asked to its end.", ("set",), registry=registry
        )
        self._tuples = Gauge(
            "ctxgate_knowledge_label_tuples",
            "Combinations of labels of the tenant that has the most.",
            registry=registry,
        )
        # Before the first of its kind: from a series that begins with 1 no alert sees an increase.
        for result in ("measured", "failed"):
            self._runs.labels(result)

    def expect(self, name: str) -> None:
        """Tell of a golden set before it is asked for the first time, so that its first leak is an increase."""
        self._leaks.labels(name)

    def measured(
        self, name: str, figures: Mapping[str, float], *, headroom: float | None, drifted: int, at: float
    ) -> None:
        """
        Tell what a golden set came to.

        Args:
            name: of the set.
            figures: by name; what could not be measured is left out, and no longer told.
            headroom: the most that any reranker could add; None where nothing is reranked.
            drifted: figures that fell too far below the baseline.
            at: seconds since 1970.
        """
        for figure, gauge in self._figures.items():
            _tell(gauge, name, figures.get(figure))
        _tell(self._improvement, name, figures.get("reranker_improvement"))
        _tell(self._headroom, name, headroom)
        self._drifted.labels(name).set(drifted)
        self._leaks.labels(name).inc(figures.get("leaked", 0) + figures.get("refused_by_gate", 0))
        self._runs.labels("measured").inc()
        self._at.labels(name).set(at)

    def failed(self) -> None:
        """A golden set could not be asked to its end."""
        self._runs.labels("failed").inc()

    def label_tuples(self, count: int) -> None:
        """How many combinations of labels the tenant has that has the most."""
        self._tuples.set(count)


def _tell(gauge: Gauge, name: str, value: float | None) -> None:
    if value is not None:
        gauge.labels(name).set(value)
        return
    with suppress(KeyError):  # it may never have been told
        gauge.remove(name)
