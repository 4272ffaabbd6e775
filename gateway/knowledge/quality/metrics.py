"""
Figures of one ranked answer, all from 0 to 1.

An answer is its *gains*: the grade of what stands at each rank, best rank first, 0 for what was not asked for.  What should have
been found is *wanted*: the grade of each target.  Formulas: Manning, Raghavan and Schütze, Introduction to Information Retrieval
(2008), chapter 8, for precision, recall and average precision; Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR
techniques, TOIS 20(4), 2002, for nDCG, with the grade as gain and the logarithm of rank + 1, as trec_eval's `ndcg_cut`; Voorhees,
The TREC-8 question answering track report (1999), for the reciprocal rank.
"""

from collections.abc import Sequence
from math import log2

Gains = Sequence[float]


def recall(gains: Gains, wanted: Gains, depth: int) -> float:
    """Share of the targets that stand among the first *depth*."""
    return _hits(gains, depth) / len(wanted)


def precision(gains: Gains, depth: int) -> float:
    """Share of the first *depth* ranks that hold a target; a rank that is empty holds none."""
    return _hits(gains, depth) / depth


def average_precision(gains: Gains, wanted: Gains, depth: int) -> float:
    """Mean of the precision at each target's rank; a target that is not among the first *depth* counts as 0."""
    total, found = 0.0, 0
    for rank, gain in enumerate(gains[:depth], 1):
        if gain > 0:
            found += 1
            total += found / rank
    return total / len(wanted)


def reciprocal_rank(gains: Gains, depth: int) -> float:
    """One over the rank of the first target; 0 where none is among the first *depth*."""
    return next((1 / rank for rank, gain in enumerate(gains[:depth], 1) if gain > 0), 0.0)


def ndcg(gains: Gains, wanted: Gains, depth: int) -> float:
    """Discounted cumulative gain as a share of the best that the targets allow."""
    return _dcg(gains, depth) / _dcg(sorted(wanted, reverse=True), depth)


def hit(gains: Gains, depth: int) -> float:
    """1 where any target is among the first *depth*."""
    return float(_hits(gains, depth) > 0)


def _hits(gains: Gains, depth: int) -> int:
    return sum(gain > 0 for gain in gains[:depth])


def _dcg(gains: Gains, depth: int) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:depth], 1))
