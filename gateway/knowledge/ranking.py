"""
Which of the found chunks answer the question best, and how relevant each is.

    evidence = weight * (share - typical) / spread of words + weight * (cosine - typical) / spread of meaning
    relevance = 1 / (1 + exp(-(slope * evidence + intercept)))

where *share* is a chunk's BM25 in parts of what no chunk can reach for this question and this permitted part.

Rules held here: the relevance of a chunk says nothing of what else was found, so that a figure on record means the same in every
search (by the method `linear`; ranks, by their nature, are of a list); authority is not in it, as the stage `rank` adds that once.
"""

import math

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gateway.model.knowledge.retrieval import Fusion, Retrieval
from gateway.ports.knowledge import Reranker, SearchHit
from gateway.ports.packing import Likeness


class Scale(NamedTuple):
    """What is typical of a kind of evidence among the found chunks of a question."""

    typical: float
    spread: float

    def of(self, value: float) -> float:
        """How many spreads a value is above what is typical."""
        return (value - self.typical) / self.spread


SHARE: Final = Scale(0.13, 0.042)
COSINE: Final = Scale(0.305, 0.109)
"""Mean, and mean deviation within a question, over the chunks found for 500 development questions of ObliQA."""

SLOPE: Final = 1.9
INTERCEPT: Final = 0.5
"""Slope of a logistic regression on the same; its intercept was -2.0, at which 0.15 cut off a third of the answers in texts of another kind (PolicyQA)."""

ANSWER: Final = Scale(-2.0, 4.0)
"""Of a cross-encoder's log-odds: what is typical of the best 20, and the weight that did best on 300 questions of ObliQA."""


class Ranked(NamedTuple):
    """A chunk that was found."""

    id: int
    relevance: float
    """0 to 1."""


def rank_hits(
    question: str,
    hits: Sequence[SearchHit],
    texts: Mapping[int, str],
    settings: Retrieval,
    reranker: Reranker | None = None,
    *,
    likeness: Likeness | None = None,
    boosts: Mapping[int, float] | None = None,
    relevance_weight: float = 1.0,
) -> list[Ranked]:
    """
    The chunks that become items, the most relevant first.

    Args:
        question: what is asked.
        hits: what the index found.
        texts: of chunks by id; a hit without one is not there any more.
        settings: the table.
        reranker: the one that the table names; None for none.
        likeness: finds chunks that say the same; None to keep them.
        boosts: of the authority of each chunk's source, where it is known already.  They decide which chunks stay, so that the best
            source is not cut off before the stage `rank` adds them; they are in no relevance that this returns.
        relevance_weight: of the relevance beside a boost, that of `registry/budgets`.
    """
    found = [hit for hit in hits if hit.id in texts]
    ranked = _fused(found, settings.fusion)
    if not settings.reranking_enabled:
        return ranked[: settings.stage2_top_k]
    if likeness is not None:
        ranked = _each_once(ranked, texts, likeness, settings.dedup_threshold)
    if reranker is not None:
        evidence = _evidence(found, settings.fusion)
        ranked = _read_again(question, ranked[: settings.rerank_top_k], texts, evidence, reranker)
    relevant = [one for one in ranked if one.relevance >= settings.min_relevance_score]
    if boosts is not None:
        relevant.sort(
            key=lambda one: -(relevance_weight * one.relevance + (1 - relevance_weight) * boosts.get(one.id, 0))
        )
    return sorted(relevant[: settings.stage2_top_k], key=_order)


def _order(one: Ranked) -> tuple[float, int]:
    return (-one.relevance, one.id)


def _fused(hits: Sequence[SearchHit], fusion: Fusion) -> list[Ranked]:
    if fusion.method == "rrf":
        return _by_ranks(hits, fusion)
    evidence = _evidence(hits, fusion)
    return sorted((Ranked(one, _relevance(value)) for one, value in evidence.items()), key=_order)


def _evidence(hits: Sequence[SearchHit], fusion: Fusion) -> dict[int, float]:
    """How strong the evidence for each chunk is, in spreads of both kinds together."""
    highest = max((hit.lexical for hit in hits), default=0.0)
    weights = fusion.weights
    whole = weights.lexical + weights.cosine
    return {
        hit.id: (
            weights.lexical * SHARE.of(hit.lexical / (hit.ceiling or highest or 1.0))
            + weights.cosine * COSINE.of(hit.cosine)
        )
        / whole
        for hit in hits
    }


def _relevance(evidence: float) -> float:
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, SLOPE * evidence + INTERCEPT)))), 6)


def _by_ranks(hits: Sequence[SearchHit], fusion: Fusion) -> list[Ranked]:
    """Reciprocal ranks in parts of the highest sum that there can be."""
    weights, sums = fusion.weights, dict.fromkeys((hit.id for hit in hits), 0.0)
    for weight, ordered in (
        (weights.lexical, sorted((hit for hit in hits if hit.lexical > 0), key=lambda hit: (-hit.lexical, hit.id))),
        (weights.cosine, sorted(hits, key=lambda hit: (-hit.cosine, hit.id))),
    ):
        for place, hit in enumerate(ordered, start=1):
            sums[hit.id] += weight / (fusion.k + place)
    highest = (weights.lexical + weights.cosine) / (fusion.k + 1)
    return sorted((Ranked(one, round(value / highest, 6)) for one, value in sums.items()), key=_order)


def _each_once(
    ranked: Sequence[Ranked], texts: Mapping[int, str], likeness: Likeness, threshold: float
) -> list[Ranked]:
    """Less what nearly repeats a chunk that is more relevant."""
    repeats: set[int] = set()
    for first, second in likeness.alike([texts[one.id] for one in ranked], threshold):
        if min(first, second) not in repeats:
            repeats.add(max(first, second))
    return [one for place, one in enumerate(ranked) if place not in repeats]


def _read_again(
    question: str,
    ranked: Sequence[Ranked],
    texts: Mapping[int, str],
    evidence: Mapping[int, float],
    reranker: Reranker,
) -> list[Ranked]:
    """The same chunks by what a cross-encoder says as well: it alone loses on texts of another kind than it was trained on."""
    answers = reranker.score(question, [texts[one.id] for one in ranked])
    both = {one.id: evidence[one.id] + ANSWER.of(answer) for one, answer in zip(ranked, answers, strict=True)}
    return sorted((Ranked(one, _relevance(value)) for one, value in both.items()), key=_order)
