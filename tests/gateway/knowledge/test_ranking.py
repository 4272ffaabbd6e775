"""Ranking: what is relevant comes first, each thing once, and a figure means the same in every search."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.packing.rensa import MinHashLikeness
from gateway.knowledge.ranking import rank_hits
from gateway.model.knowledge.retrieval import Retrieval
from gateway.ports.knowledge import SearchHit
from tests.support.weights import RETRIEVAL as SHIPPED

STRONG, FAIR, WEAK = SearchHit(1, 20.0, 0.7, 50.0), SearchHit(2, 10.0, 0.5, 50.0), SearchHit(3, 0.0, 0.1, 50.0)
TEXTS = {n: f"text {n} of its own kind, number {n} among others" for n in range(100)}
hits = st.builds(
    SearchHit, id=st.integers(0, 99), lexical=st.floats(0, 40), cosine=st.floats(-1, 1), ceiling=st.just(50.0)
)
found = st.lists(hits, max_size=40, unique_by=lambda hit: hit.id)


def table(**changed):
    return Retrieval.model_validate({**SHIPPED, **changed})


def rrf(**changed):
    return table(fusion={"method": "rrf", "k": 60, "weights": {"lexical": 1, "cosine": 1}}, **changed)


class ByLength:
    """A `gateway.ports.knowledge.Reranker` that likes long texts."""

    name = "length"

    def __init__(self):
        self.read = []

    def score(self, question, texts):
        self.read.append(list(texts))
        return [float(len(text)) for text in texts]


def test_the_most_relevant_comes_first():
    """
    More evidence, more relevance; too little, and it is none.
    """
    ranked = rank_hits("q", [WEAK, FAIR, STRONG], TEXTS, table())
    assert [one.id for one in ranked] == [1, 2]
    assert ranked[0].relevance > 0.9
    assert 0.15 < ranked[1].relevance < ranked[0].relevance


@given(found, st.data())
def test_a_relevance_says_nothing_of_what_else_was_found(several, data):
    """
    A chunk alone has the relevance that it has among any others.
    """
    settings = table(stage2_top_k=20, min_relevance_score=0)
    together = {one.id: one.relevance for one in rank_hits("q", several, TEXTS, settings)}
    for hit in data.draw(st.lists(st.sampled_from(several), max_size=5)) if several else []:
        if hit.id in together:
            assert rank_hits("q", [hit], TEXTS, settings) == [(hit.id, together[hit.id])]


@given(found, st.sampled_from([table(), rrf(), table(reranking_enabled=False)]), st.randoms())
def test_the_order_is_one(several, settings, chance):
    """
    However the index gives them, the same chunks come in the same order, best first, with figures from 0 to 1, no more than stage 2 has.
    """
    ranked = rank_hits("q", several, TEXTS, settings)
    mixed = list(several)
    chance.shuffle(mixed)
    assert rank_hits("q", mixed, TEXTS, settings) == ranked
    assert len(ranked) <= settings.stage2_top_k
    assert [one.relevance for one in ranked] == sorted((one.relevance for one in ranked), reverse=True)
    assert all(0 <= one.relevance <= 1 for one in ranked)


def test_ranks_may_count_instead():
    """
    By reciprocal ranks what is first in both lists has 1.
    """
    ranked = rank_hits("q", [FAIR, STRONG, WEAK], TEXTS, rrf())
    assert [one.id for one in ranked] == [1, 2, 3]
    assert ranked[0].relevance == 1
    assert ranked[2].relevance == pytest.approx((1 / 63) / (2 / 61), abs=1e-6)


def test_what_says_the_same_comes_once():
    """
    Of two chunks with nearly the same words the more relevant stays.
    """
    same = {**TEXTS, 1: "a b c d e f g h", 2: "a b c d e f g h", 3: "x y z"}
    strong = [STRONG, FAIR, SearchHit(3, 10.0, 0.6, 50.0)]
    ranked = rank_hits("q", strong, same, table(), likeness=MinHashLikeness())
    assert [one.id for one in ranked] == [1, 3]
    kept = rank_hits("q", strong, same, table(reranking_enabled=False), likeness=MinHashLikeness())
    assert [one.id for one in kept] == [1, 3, 2]


def test_what_is_gone_is_left_out():
    """
    A hit whose chunk may not be found any more becomes nothing.
    """
    assert [one.id for one in rank_hits("q", [STRONG, FAIR], {2: "text"}, table())] == [2]
    assert rank_hits("q", [], {}, table()) == []


def test_a_cross_encoder_reads_the_best_and_has_a_say():
    """
    It reads so many as the table says, and its score changes the order.
    """
    reader = ByLength()
    texts = {1: "short", 2: "a very much longer text", 3: "never read"}
    ranked = rank_hits("q", [STRONG, FAIR, WEAK], texts, table(rerank_top_k=2, stage2_top_k=2), reader)
    assert [one.id for one in ranked] == [2, 1]
    assert reader.read == [["short", "a very much longer text"]]


def test_authority_decides_who_stays_and_is_in_no_figure():
    """
    A source of more authority is not cut off before its boost counts; the relevance that goes on record is without it.
    """
    others = [SearchHit(n, 10.0, 0.5, 50.0) for n in range(10, 18)]
    last = SearchHit(50, 9.0, 0.5, 50.0)
    plain = rank_hits("q", [*others, last], TEXTS, table())
    assert 50 not in {one.id for one in plain}
    boosted = rank_hits("q", [*others, last], TEXTS, table(), boosts={50: 0.4}, relevance_weight=0.6)
    assert boosted[-1] == rank_hits("q", [last], TEXTS, table())[0]


def test_an_index_that_knows_no_ceiling_is_ranked_by_its_best():
    """
    Where the highest BM25 is not known, the best of the hits stands in for it.
    """
    ranked = rank_hits("q", [SearchHit(1, 4.0, 0.5), SearchHit(2, 1.0, 0.5)], TEXTS, table())
    assert [one.id for one in ranked] == [1, 2]
