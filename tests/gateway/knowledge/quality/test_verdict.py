"""Whether what was measured is good enough."""

import pytest

from gateway.knowledge.quality.verdict import verdict
from gateway.model.knowledge.quality import QualityTable
from tests.support.golden import result_of, table

TABLE = table()


def standings(told):
    return {line.figure: line.standing for line in told.lines}


@pytest.mark.parametrize(
    ("figures", "figure", "standing", "leaks", "poor"),
    [
        ({}, "recall", "reached", False, False),
        ({"recall": 0.8}, "recall", "below target", False, False),
        ({"recall": 0.7}, "recall", "below target", False, False),
        ({"recall": 0.69}, "recall", "alarm", False, True),
        ({"hit_rate": 0.69}, "hit_rate", "alarm", False, True),
        ({"leaked": ("x",)}, "leaked", "alarm", True, False),
        ({"refused": 1}, "refused_by_gate", "alarm", True, False),
        ({}, "reranker_improvement", "not measured", False, False),
        ({"ndcg": 0.9, "unranked": 0.7}, "reranker_improvement", "reached", False, False),
        ({"ndcg": 0.72, "unranked": 0.7}, "reranker_improvement", "alarm", False, True),
        ({"ndcg": 0.96, "unranked": 0.95}, "reranker_improvement", "no room", False, False),
        ({"ndcg": 0.94, "unranked": 0.95}, "reranker_improvement", "alarm", False, True),
    ],
)
def test_standing(figures, figure, standing, leaks, poor):
    """
    A figure at its alarm is none, one beyond it is; anything that must not be found is a leak and no poor figure.
    """
    told = verdict(result_of(**figures), TABLE)
    assert (standings(told)[figure], told.leaks, told.poor) == (standing, leaks, poor)


def test_thresholds_of_the_source():
    """
    SearchHit rate and reranker stand as the blueprint's 13.1 has them, and nothing that leaks is tolerated by any table.
    """
    found = {name: (one.target, one.alarm) for name, one in TABLE.thresholds.items()}
    assert (found["hit_rate"], found["reranker_improvement"]) == ((0.85, 0.7), (0.2, 0.1))
    for change in ({"leaked": {"target": 0, "alarm": 1}}, {"recall": {"target": 1, "alarm": 0}}):
        with pytest.raises(ValueError, match=r"leaked|must not be found"):
            QualityTable.model_validate({**TABLE.model_dump(), "thresholds": change})
