"""
BM25 that says of the permitted chunks what an index of them alone would say.

score = sum over the question's terms of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length)),
idf = ln(1 + (N - n + 0.5) / (n + 0.5))  (Robertson and Zaragoza 2009; the idf of Lucene)

Rules held here: N, n and the mean length are those of the permitted part; a term's part is added in the same order whatever else is
indexed, so that sums are equal to the last bit; of a long question a bounded number of terms is read, and which of them count is
decided by the permitted part as well.
"""

import hashlib
import math

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from numpy.typing import NDArray

from adapters.knowledge.segment import MOST_TIMES, IndexSegment, PermittedSpans
from adapters.knowledge.words import asked, terms

K1: Final = 1.2
B: Final = 0.75
"""Lucene's defaults; on ObliQA no other pair was clearly better."""

CHARACTERS: Final = 4_000
"""Of a question so many are read."""

DISTINCT: Final = 256
"""Of its different terms so many are looked up, the first."""

COUNTED: Final = 32
"""Of those so many count, the rarest in what is permitted."""


class LexicalScores(NamedTuple):
    """BM25 of every permitted chunk."""

    scores: NDArray[np.float64]
    """In order of segments and their permitted rows."""

    ceiling: float
    """What no chunk can reach: every counted term, endlessly often."""


def key(term: str) -> int:
    """
    What a term is kept as: 63 bits of its hash.

    Two of a million terms are taken for one with a chance of one in 10^7; were they, the permitted part alone would still decide.
    """
    return _key(term)


def counted(text: str) -> tuple[int, bytes, bytes]:
    """Length of a text in terms, its different terms in ascending order of key, and how often each stands there."""
    found = terms(text)
    times = sorted(Counter(map(key, found)).items())
    keys = np.array([one for one, _ in times], np.int64)
    return len(found), keys.tobytes(), np.array([min(n, MOST_TIMES) for _, n in times], np.uint16).tobytes()


def scored(question: str, segments: Sequence[IndexSegment], spans: Sequence[PermittedSpans]) -> LexicalScores:
    """BM25 of every chunk that is permitted in the segments."""
    size = sum(span.size for span in spans)
    scores = np.zeros(size)
    chosen = _rarest(asked(question[:CHARACTERS])[:DISTINCT], segments, spans)
    if not chosen:
        return LexicalScores(scores, 0.0)
    pairs = list(zip(segments, spans, strict=True))
    mean = max(1, sum(_terms_in(segment, span) for segment, span in pairs)) / size
    weights = {term: math.log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in chosen}
    base = 0
    for segment, span in pairs:
        part = scores[base : base + span.size]
        for term, weight in weights.items():
            entries = segment.holding(term)
            places, into = span.within(segment.rows[entries])
            times = segment.times[entries][places].astype(np.float64)
            length = segment.lengths[segment.rows[entries][places]]
            part[into] += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * length / mean))
        base += span.size
    return LexicalScores(scores, sum(weights.values()) * (K1 + 1))


def _rarest(
    words: Sequence[str], segments: Sequence[IndexSegment], spans: Sequence[PermittedSpans]
) -> list[tuple[int, int]]:
    """Keys of the terms that count, in ascending order, each with the number of permitted chunks that it stands in."""
    found = []
    for term in sorted({key(word) for word in words}):
        n = sum(span.count(segment.rows[segment.holding(term)]) for segment, span in zip(segments, spans, strict=True))
        if n:
            found.append((n, term))
    return sorted((term, n) for n, term in sorted(found)[:COUNTED])


def _terms_in(segment: IndexSegment, span: PermittedSpans) -> int:
    before = segment.lengths_before
    return int((before[span.ends] - before[span.starts]).sum())


@lru_cache(200_000)
def _key(term: str) -> int:
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
