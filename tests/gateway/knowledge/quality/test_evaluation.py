"""Measuring a finder with a golden set."""

from math import log2

import pytest

from gateway.knowledge.quality.evaluation import evaluate, gains_of
from gateway.model.knowledge.golden import Target
from gateway.ports.finding import FoundSection
from tests.support.golden import ToldFinder, told_set

A = {"id": "a", "question": "a?", "must_find": [{"document": "x", "section": "S"}, {"document": "y", "grade": 1}]}
B = {"id": "b", "question": "b?", "must_not_find": ["z"]}


def test_a_chunk_meets_one_target():
    """
    Chunks of one document take up one rank, but for those that meet another target of it; versions and sections count.
    """
    wanted = [
        Target(document="x", section="S"),
        Target(document="x", section="T", grade=1),
        Target(document="y", version="2"),
    ]
    found = [
        FoundSection("x", "1", ("Title", "Other")),
        FoundSection("x", "1", ("Title", "S")),
        FoundSection("x", "1", ("Title", "S", "Deeper")),
        FoundSection("y", "1"),
        FoundSection("q"),
        FoundSection("q"),
        FoundSection("x", "1", ("T",)),
        FoundSection("y", "2"),
    ]
    assert gains_of(found, wanted) == ([0, 2, 0, 0, 1, 2], {0: 1, 1: 4, 2: 5})


async def test_figures_of_a_set():
    """
    What must not be found alone counts for leaks and for no mean; what is missed is named.
    """
    finder = ToldFinder(
        {"a?": [FoundSection("q"), FoundSection("x", None, ("S",))], "b?": [FoundSection("q"), FoundSection("y")]}
    )
    measured = await evaluate(told_set(A, B), finder, 2)
    ndcg = (2 / log2(3)) / (2 + 1 / log2(3))
    assert measured.figures == pytest.approx(
        {
            "leaked": 0,
            "refused_by_gate": 0,
            "recall": 0.5,
            "precision": 0.5,
            "ndcg": ndcg,
            "map": 0.25,
            "mrr": 0.5,
            "hit_rate": 1,
        }
    )
    assert [one.missed for one in measured.questions] == [("y",), ()]
    assert measured.headroom is None
    assert finder.asked == 2


async def test_leaks_are_looked_for_everywhere():
    """
    What must not be found is a leak at any rank, before reranking too, once a question; what the gate refuses counts beside it.
    """
    many = [FoundSection(f"d{at}") for at in range(20)]
    first = {"b?": [*many, FoundSection("z", None, ("S",)), FoundSection("z", None, ("T",), admitted=False)]}
    finder = ToldFinder({"b?": [*many, FoundSection("z", None, ("T",), admitted=False)]}, first)
    measured = await evaluate(told_set(B), finder, 2)
    assert measured.figures == {"leaked": 1, "refused_by_gate": 1}
    assert measured.questions[0].leaked == ("z",)


async def test_what_the_reranker_adds():
    """
    Its improvement is nDCG with it less that without, as a share of that without; the headroom is what would be left of it.
    """
    one = {"id": "a", "question": "a?", "must_find": [{"document": "x"}]}
    best, first = {"a?": [FoundSection("x"), FoundSection("q")]}, {"a?": [FoundSection("q"), FoundSection("x")]}
    measured = await evaluate(told_set(one), ToldFinder(best, first), 8)
    assert measured.figures["reranker_improvement"] == pytest.approx((1 - 1 / log2(3)) / (1 / log2(3)))
    assert measured.headroom == pytest.approx(measured.figures["reranker_improvement"])
    worse = await evaluate(told_set(one), ToldFinder(first, best), 8)
    assert worse.figures["reranker_improvement"] < 0


async def test_nothing_is_kept_of_texts():
    """
    What comes of a question holds names and numbers, and no text.
    """
    finder = ToldFinder({"a?": [FoundSection("x", None, ("S",))]})
    assert "a?" not in repr(await evaluate(told_set(A), finder, 2))
