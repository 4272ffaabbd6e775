"""What is counted of searches."""

from prometheus_client import CollectorRegistry

from gateway.observability.searches import Searches


def test_searches_are_counted():
    """
    Questions, searches by what came of them, combinations and differences are told, all from the first on.
    """
    registry = CollectorRegistry()
    seen = Searches(registry)
    assert registry.get_sample_value("ctxgate_reach_mismatches_total") == 0
    assert registry.get_sample_value("ctxgate_searches_total", {"released": "no"}) == 0
    seen.made(0.1, 7)
    seen.ruled(0)
    seen.ruled(3)
    seen.counted(12)
    seen.differed()
    assert registry.get_sample_value("ctxgate_reach_questions_total") == 7
    assert registry.get_sample_value("ctxgate_searches_total", {"released": "yes"}) == 1
    assert registry.get_sample_value("ctxgate_searches_total", {"released": "no"}) == 1
    assert registry.get_sample_value("ctxgate_label_tuples") == 12
    assert registry.get_sample_value("ctxgate_reach_mismatches_total") == 1
