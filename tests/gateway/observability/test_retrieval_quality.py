"""How well documents are found, as metrics."""

import pytest
import yaml

from prometheus_client import CollectorRegistry, generate_latest

from gateway.observability.retrieval_quality import RetrievalQuality
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.settings import HOME

TABLE = registry_of(load_bundle(HOME / "policies")).quality


def value(registry, name, **labels):
    return registry.get_sample_value(name, labels)


def test_no_figure_before_the_first_measurement():
    """
    Before a set was asked there is no figure that an alert could take for a bad one, and its leaks begin with 0.
    """
    registry = CollectorRegistry()
    quality = RetrievalQuality(registry)
    quality.expect("bank")
    assert value(registry, "rag_leakage_total", set="bank") == 0
    assert value(registry, "rag_retrieval_recall", set="bank") is None
    assert value(registry, "rag_golden_runs_total", result="failed") == 0


def test_what_was_measured():
    """
    Figures are those of the last time, leaks add up, and a reranker that is gone leaves no figure behind.
    """
    registry = CollectorRegistry()
    quality = RetrievalQuality(registry)
    figures = {"recall": 0.5, "hit_rate": 0.6, "reranker_improvement": 0.2, "leaked": 1, "refused_by_gate": 2}
    quality.measured("bank", figures, headroom=0.4, drifted=2, at=7.0)
    quality.measured("bank", {"recall": 0.7, "leaked": 1, "refused_by_gate": 0}, headroom=None, drifted=0, at=8.0)
    quality.failed()
    assert value(registry, "rag_retrieval_recall", set="bank") == 0.7
    assert value(registry, "rag_golden_hit_rate", set="bank") is None
    assert value(registry, "rag_reranker_improvement", set="bank") is None
    assert value(registry, "rag_leakage_total", set="bank") == 4
    assert value(registry, "rag_retrieval_drift", set="bank") == 0
    assert value(registry, "rag_golden_run_timestamp_seconds", set="bank") == 8
    assert value(registry, "rag_golden_runs_total", result="measured") == 2
    quality.label_tuples(12)
    assert value(registry, "ctxgate_knowledge_label_tuples") == 12
    assert b"rag_retrieval_recall" in generate_latest(registry)


@pytest.mark.parametrize(
    ("alert", "figure", "expression"),
    [
        ("GoldenRecallLow", "recall", "rag_retrieval_recall < {}"),
        ("GoldenHitRateLow", "hit_rate", "rag_golden_hit_rate < {}"),
        ("GoldenRankingPoor", "ndcg", "rag_retrieval_ndcg < {}"),
        ("GoldenRankingPoor", "mrr", "rag_retrieval_mrr < {}"),
        ("RerankerFailing", "reranker_improvement", "rag_reranker_improvement < {0} and rag_reranker_headroom >= {0}"),
        ("KnowledgeLabelTuples", None, "ctxgate_knowledge_label_tuples > {}"),
    ],
)
def test_alerts_have_the_numbers_of_the_bundle(alert, figure, expression):
    """
    An alert goes off where `ctxgate kb eval` would end with a failure.
    """
    groups = yaml.safe_load((HOME / "ops/alerts.yml").read_text())["groups"]
    [rule] = [one for group in groups for one in group["rules"] if one.get("alert") == alert]
    number = TABLE.label_tuples if figure is None else TABLE.thresholds[figure].alarm
    assert expression.format(f"{number:g}" if figure else number) in rule["expr"]
