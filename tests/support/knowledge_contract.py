"""
What every `KnowledgeIndex` promises, as tests that a class inherits; with an exact index of a few lines to compare with.

A class of tests gives two fixtures: `index`, an empty index made with `EMBEDDER` and `words`, and `another`, which makes a
further empty one.  `length` is the chunk length that its BM25 compares with: None for the mean of the permitted chunks.
"""

import math
import random
import re
import zlib

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

import numpy as np
import pytest

from adapters.knowledge.servers.bags import K1, MOST_TERMS, B, mark, reading, revision_of, sum_after
from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Ids, Indexed, KnowledgeIndex, SearchHit, Vector

VOCABULARY = [f"{a}{b}" for a in ("limit", "desk", "swap", "breach", "rate", "risk") for b in "abcdefghij"]
DIMENSIONS = 16


def words(text: str) -> Sequence[str]:
    """A simple analyser: words in lower case, of any script."""
    return re.findall(r"\w+", text.lower())


class HashedEmbedder:
    """A bag of words thrown into a few dimensions: alike texts are near, and it needs no weights."""

    name = "hashed-test"
    dimensions = DIMENSIONS

    def embed(self, text: str) -> Vector:
        vector = np.full(DIMENSIONS, 1e-3, dtype=np.float32)
        for word in words(text):
            seed = zlib.crc32(word.encode("utf-8", "surrogatepass"))
            vector[seed % DIMENSIONS] += 1 - 2 * (seed >> 8 & 1) + (seed >> 9 & 7) / 16
        return vector / np.linalg.norm(vector)


EMBEDDER = HashedEmbedder()


def permitted_ids(ids: Iterable[int]) -> Ids:
    """Ids as the port wants them: sorted, each once."""
    return np.array(sorted(set(ids)), dtype=np.int64)


class ExactIndex:
    """The port, by reading all that is permitted; what it answers depends on nothing else because nothing else is read."""

    def __init__(self, length: float | None = None) -> None:
        """
        Args:
            length: of a chunk, in terms, that BM25 compares with; None for the mean of the permitted ones.
        """
        self._chunks: dict[int, Indexed] = {}
        self._length = length
        self._total = 0

    @property
    def revision(self) -> str:
        return revision_of(EMBEDDER.name, len(self._chunks), self._total)

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        out = {*gone, *(chunk.id for chunk in added)} & self._chunks.keys()
        marks = [mark(one, self._chunks.pop(one).tuple_id) for one in out]
        self._chunks |= {chunk.id: chunk for chunk in added}
        self._total = sum_after(self._total, marks, [mark(one.id, one.tuple_id) for one in added])

    def ids(self) -> Ids:
        return permitted_ids(self._chunks)

    def search(self, question: str, permitted: Ids, most: int) -> list[SearchHit]:
        allowed = set(permitted.tolist())
        chunks = [chunk for chunk in self._chunks.values() if chunk.tuple_id in allowed]
        vector = EMBEDDER.embed(question)
        near = {chunk.id: float(EMBEDDER.embed(reading(chunk)) @ vector) for chunk in chunks}
        scores = self._scores(question, chunks)
        found = {*_best(scores, most), *_best(near, most)}
        return [SearchHit(one, scores.get(one, 0.0), near[one]) for one in found]

    def _scores(self, question: str, chunks: Sequence[Indexed]) -> dict[int, float]:
        bags = {chunk.id: Counter(words(reading(chunk))) for chunk in chunks}
        lengths = {one: bag.total() for one, bag in bags.items()}
        usual = self._length or (sum(lengths.values()) / len(bags) if bags else 1) or 1
        scores: dict[int, float] = {}
        for term in list(dict.fromkeys(words(question)))[:MOST_TERMS]:
            holding = {one: bag[term] for one, bag in bags.items() if term in bag}
            weight = math.log(1 + (len(bags) - len(holding) + 0.5) / (len(holding) + 0.5))
            for one, times in holding.items():
                norm = K1 * (1 - B + B * lengths[one] / usual)
                scores[one] = scores.get(one, 0.0) + weight * times * (K1 + 1) / (times + norm)
        return scores

    def close(self) -> None:
        """Nothing is held."""


def _best(scores: dict[int, float], most: int) -> list[int]:
    return sorted(scores, key=lambda one: (-scores[one], one))[:most]


def drawn_chunks(count: int, tuples: int, seed: int = 1, first: int = 1) -> list[Indexed]:
    """Chunks of a few words, of tuples 1 to *tuples*."""
    draw = random.Random(seed)
    return [
        Indexed(
            first + n,
            draw.randint(1, tuples),
            " ".join(draw.choices(VOCABULARY, k=draw.randint(3, 30))),
            f"Manual {draw.randint(1, 9)}",
        )
        for n in range(count)
    ]


def by_kind(hits: Sequence[SearchHit], most: int) -> tuple[list[int], list[int]]:
    """Ids of the best by words and by vectors."""
    lexical = {hit.id: round(hit.lexical, 4) for hit in hits if hit.lexical > 0}
    return _best(lexical, most), _best({hit.id: round(hit.cosine, 4) for hit in hits}, most)


def told(hits: Sequence[SearchHit]) -> list[tuple[int, float, float]]:
    """Hits by id, as far as they are the same on every machine."""
    return sorted((hit.id, round(hit.lexical, 4), round(hit.cosine, 4)) for hit in hits)


def recall(found: Sequence[int], truth: Sequence[int]) -> float:
    """Which share of what is true was found."""
    return len(set(found) & set(truth)) / len(truth) if truth else 1.0


HOSTILE = [
    "",
    "   ",
    "limita " * 3000,
    " ".join(f"w{n}" for n in range(4000))[:20_000],
    "limita & !deska | 'swapb':* <-> (breachc",
    "'; DROP TABLE knowledge_chunks; -- $1 {1,2} \\",
    '{"must":[{"key":"tuple"}]} ]]}}"',
    "limita\x00deska",
    "\ud800 lone",
    "🏦💸 limita 👩‍👩‍👧",
    "限额 交易台 风险 limita",
    "क्रेडिट सीमा",
    "%s %(x)s {0} ?",
]


class KnowledgeContract:
    """The promises.  Scores are compared to four decimals: engines add floats in their own order, and hold vectors as 4 bytes."""

    length: ClassVar[float | None] = None
    recalled: ClassVar[float] = 1.0
    """Which share of the exact answer is found at least."""

    def test_nothing_but_what_is_permitted_is_found(self, index: KnowledgeIndex) -> None:
        """Whatever is asked, no chunk of a tuple that is not permitted is in an answer."""
        chunks = drawn_chunks(120, 12)
        index.replace([], chunks)
        of = {chunk.id: chunk.tuple_id for chunk in chunks}
        for seed in range(4):
            allowed = permitted_ids(random.Random(seed).sample(range(1, 20), 4))
            hits = index.search("limita deskb swapc breachd", allowed, 500)
            assert {of[hit.id] for hit in hits} <= set(allowed.tolist())
            assert {hit.id for hit in hits} == {one for one, tuple_id in of.items() if tuple_id in allowed}

    def test_an_answer_is_that_of_the_exact_scan(self, index: KnowledgeIndex) -> None:
        """What is found, and how it scores, is what reading all that is permitted would give."""
        exact, chunks = ExactIndex(self.length), drawn_chunks(200, 10, seed=2)
        for one in (exact, index):
            one.replace([], chunks)
        for question in ("limita", "ratec riskd swape", "limitj nothing deska deska", "Manual 3 breachb"):
            allowed = permitted_ids([1, 4, 7])
            mine, truth = (one.search(question, allowed, 10) for one in (index, exact))
            scores = {hit.id: hit for hit in exact.search(question, allowed, 1000)}
            for kind, (found, true) in enumerate(zip(by_kind(mine, 10), by_kind(truth, 10), strict=True)):
                assert recall(found, true) >= self.recalled, (question, kind, found, true)
            for hit in mine:
                assert hit.lexical == pytest.approx(scores[hit.id].lexical, abs=1e-4)
                assert hit.cosine == pytest.approx(scores[hit.id].cosine, abs=1e-4)

    def test_what_is_forbidden_changes_no_answer(
        self, index: KnowledgeIndex, another: Callable[[], KnowledgeIndex]
    ) -> None:
        """Order and scores are those of an index that holds the permitted chunks alone, whatever else is in this one."""
        permitted = [chunk for chunk in drawn_chunks(60, 3, seed=3) if chunk.tuple_id != 2]
        forbidden = [
            Indexed(1000 + n, 2, "limita " * (n % 7 + 1) + f"forbidden{n} " * 40, "Secret limita") for n in range(150)
        ]
        alone = another()
        alone.replace([], permitted)
        index.replace([], [*forbidden[:75], *permitted, *forbidden[75:]])
        for question in ("limita deskb", "limita forbidden7", "secret rateb"):
            allowed = permitted_ids([1, 3])
            assert told(index.search(question, allowed, 10)) == told(alone.search(question, allowed, 10))

    def test_an_empty_permission_finds_nothing(self, index: KnowledgeIndex) -> None:
        """Nobody permitted nothing: an empty set of tuples is no wildcard."""
        index.replace([], drawn_chunks(5, 2))
        assert list(index.search("limita", permitted_ids([]), 10)) == []

    def test_an_empty_index_is_searched(self, index: KnowledgeIndex) -> None:
        """Before anything was taken in, nothing is found and nothing fails."""
        assert list(index.search("limita", permitted_ids([1]), 10)) == []
        assert index.ids().tolist() == []

    def test_each_chunk_once_and_of_each_kind_so_many(self, index: KnowledgeIndex) -> None:
        """No chunk comes twice, and there are at most so many of each kind."""
        index.replace([], drawn_chunks(80, 1))
        hits = index.search("limita deskb", permitted_ids([1]), 5)
        assert len({hit.id for hit in hits}) == len(hits) <= 10

    def test_revisions_follow_what_is_held(self, index: KnowledgeIndex, another: Callable[[], KnowledgeIndex]) -> None:
        """Each change gives another revision; the same chunks give the same, whatever was there before."""
        chunks, seen = drawn_chunks(6, 2), [index.revision]
        index.replace([], chunks[:3])
        seen.append(index.revision)
        index.replace([1], chunks[3:])
        seen.append(index.revision)
        index.replace([], [Indexed(2, 9, "limita", "")])
        seen.append(index.revision)
        assert len(set(seen)) == len(seen)
        index.replace(range(100), [])
        assert index.revision == seen[0]
        like = another()
        for one in (index, like):
            one.replace([], chunks)
        assert index.revision == like.revision

    def test_a_replacement_takes_out_and_in(self, index: KnowledgeIndex) -> None:
        """What is gone is found no more, what came is; a chunk that comes again is what it is now, and is there once."""
        index.replace([], [Indexed(1, 1, "limita", ""), Indexed(2, 1, "deskb", ""), Indexed(3, 1, "swapc", "")])
        index.replace([1, 77], [Indexed(2, 2, "limita limita", "Moved"), Indexed(4, 1, "limita", "")])
        assert index.ids().tolist() == [2, 3, 4]
        assert {hit.id for hit in index.search("limita", permitted_ids([1]), 9)} == {3, 4}
        [hit] = index.search("limita", permitted_ids([2]), 9)
        assert hit.id == 2
        assert hit.lexical > 0
        index.replace([2], [])
        assert index.ids().tolist() == [3, 4]
        assert list(index.search("limita", permitted_ids([2]), 9)) == []

    @pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
    def test_hostile_questions(self, index: KnowledgeIndex, question: str) -> None:
        """A question is words and no command: whatever stands in it, it is answered within what is permitted."""
        index.replace([], [Indexed(1, 1, "limita deska 限额", ""), Indexed(2, 2, "limita deska 限额", "")])
        assert [hit.id for hit in index.search(question, permitted_ids([1]), 10)] == [1]
        assert index.ids().tolist() == [1, 2]

    def test_hostile_chunks(self, index: KnowledgeIndex) -> None:
        """A chunk may hold any characters, none at all, or very many words; it is kept and found."""
        texts = ["", "\x00\x00", "\ud800", "limita " * 20_000, " ".join(f"v{n}" for n in range(5000)), "' OR 1=1 --"]
        index.replace([], [Indexed(n, 1, text, text[:50]) for n, text in enumerate(texts, 1)])
        assert index.ids().tolist() == list(range(1, len(texts) + 1))
        assert {hit.id for hit in index.search("limita v17", permitted_ids([1]), 10) if hit.lexical} == {4, 5}

    def test_many_tuples(self, index: KnowledgeIndex) -> None:
        """A mask of five thousand tuples is a mask like any other."""
        chunks = [Indexed(n, n, VOCABULARY[n % 60], "") for n in range(1, 201)]
        index.replace([], [*chunks, *(Indexed(10_000 + n, 10_000 + n, "limita", "") for n in range(20))])
        hits = index.search("limita", permitted_ids(range(1, 5001)), 1000)
        assert {hit.id for hit in hits} == set(range(1, 201))

    def test_what_cannot_be_taken_in_changes_nothing(self, index: KnowledgeIndex) -> None:
        """Where one chunk of a replacement is refused, none of it came and nothing is gone."""
        index.replace([], [Indexed(1, 1, "limita", "")])
        before = index.revision

        with pytest.raises(IndexUnavailableError):
            index.replace([1], [Indexed(2, 1, "limita", ""), Indexed(2**70, 1, "deskb", "")])
        assert index.revision == before
        assert index.ids().tolist() == [1]
        assert [hit.id for hit in index.search("limita", permitted_ids([1]), 5)] == [1]
