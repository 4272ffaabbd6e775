"""Figures of one ranked answer, against sums by hand and against scikit-learn."""

import math

import numpy as np
import pytest

from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from gateway.knowledge.quality import metrics

GAINS = [2.0, 0.0, 3.0, 0.0, 1.0]
WANTED = [3.0, 2.0, 1.0, 2.0]


def test_figures_by_hand():
    """
    Of four targets the first, third and fifth rank hold one: every figure is what a sum on paper gives.
    """
    assert metrics.recall(GAINS, WANTED, 3) == 2 / 4
    assert metrics.recall(GAINS, WANTED, 8) == 3 / 4
    assert metrics.precision(GAINS, 3) == 2 / 3
    assert metrics.precision(GAINS, 8) == 3 / 8
    assert metrics.average_precision(GAINS, WANTED, 8) == pytest.approx((1 / 1 + 2 / 3 + 3 / 5) / 4)
    assert metrics.reciprocal_rank(GAINS, 8) == 1
    assert metrics.reciprocal_rank([0, 0, 1], 8) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank([0, 0, 1], 2) == 0
    assert (metrics.hit([0, 0, 1], 2), metrics.hit([0, 0, 1], 3)) == (0, 1)
    dcg = 2 / math.log2(2) + 3 / math.log2(4) + 1 / math.log2(6)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 2 / math.log2(4) + 1 / math.log2(5)
    assert metrics.ndcg(GAINS, WANTED, 8) == pytest.approx(dcg / best)


def test_nothing_found():
    """
    Of an empty answer every figure is 0.
    """
    assert [
        metrics.recall([], WANTED, 8),
        metrics.precision([], 8),
        metrics.average_precision([], WANTED, 8),
        metrics.reciprocal_rank([], 8),
        metrics.ndcg([], WANTED, 8),
        metrics.hit([], 8),
    ] == [0] * 6


@given(st.lists(st.integers(0, 3), min_size=2, max_size=20).filter(any), st.integers(1, 12), st.randoms())
def test_ndcg_is_that_of_another(grades, depth, draw):
    """
    For any grades in any order nDCG is what scikit-learn gives for them.
    """
    order = list(range(len(grades)))
    draw.shuffle(order)
    scores = np.zeros(len(grades))
    for rank, at in enumerate(order):
        scores[at] = len(order) - rank
    expected = ndcg_score([grades], [scores], k=depth)
    wanted = [float(one) for one in grades if one]
    assert metrics.ndcg([float(grades[at]) for at in order], wanted, depth) == pytest.approx(expected)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0]), max_size=20), st.integers(1, 12), st.integers(0, 3))
def test_figures_are_shares(gains, depth, more):
    """
    Every figure is from 0 to 1, and all of what is wanted first is 1 for the ranks.
    """
    wanted = [one for one in gains if one] + [1.0] * (more + 1)
    for value in (
        metrics.recall(gains, wanted, depth),
        metrics.precision(gains, depth),
        metrics.average_precision(gains, wanted, depth),
        metrics.reciprocal_rank(gains, depth),
        metrics.ndcg(gains, wanted, depth),
    ):
        assert 0 <= value <= 1 + 1e-12
    best = sorted(wanted, reverse=True)
    assert metrics.ndcg(best, wanted, depth) == pytest.approx(1)
