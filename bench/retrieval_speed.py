"""How long a search takes, and what it misses, with generated chunks of which a part is permitted."""

import time

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from numpy.typing import NDArray

from adapters.knowledge.index import EmbeddedIndex
from gateway.ports.knowledge import Ids, Indexed, Vector

TUPLES: Final = 5_000
WORDS: Final = 60
"""Of a chunk; Zipf over `VOCABULARY` of them."""

VOCABULARY: Final = 30_000
ASKED: Final = 14
"""Words of a question, as questions of ObliQA have that are no stop words."""

TOP: Final = 40
DIMENSIONS: Final = 384
TOPICS: Final = 500
"""Around which vectors lie."""


class Generated:
    """Texts, and an embedder that makes a vector around some topic of each: what embedding costs is measured apart."""

    name = "generated"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.chance = np.random.default_rng(7)
        self.vectors: list[Vector] = []
        weights = 1 / np.arange(1, VOCABULARY + 1)
        self._summed = np.cumsum(weights / weights.sum())[:-1]
        self._topics = self.chance.standard_normal((TOPICS, DIMENSIONS))

    def embed(self, text: str) -> Vector:
        vector = self._topics[self.chance.integers(TOPICS)] + 0.7 * self.chance.standard_normal(DIMENSIONS)
        self.vectors.append((vector / np.linalg.norm(vector)).astype(np.float32))
        return self.vectors[-1]

    def text(self, words: int) -> str:
        """Words by how often they stand in texts."""
        return " ".join(f"w{word}" for word in np.searchsorted(self._summed, self.chance.random(words)))


def measured(chunks: int, questions: int) -> dict[str, float]:
    """Processor time of building and searching, what is held, and recall of the nearest 40."""
    made = Generated()
    tuples = made.chance.integers(TUPLES, size=chunks)
    with TemporaryDirectory() as folder:
        index = EmbeddedIndex(Path(folder) / "index.sqlite", made)
        started = time.process_time()
        for start in range(0, chunks, 50_000):
            some = range(start, min(chunks, start + 50_000))
            index.replace([], [Indexed(one, int(tuples[one]), made.text(WORDS), "") for one in some])
        figures = {"build s": time.process_time() - started}
        vectors = np.array(made.vectors)
        for part in 0.01, 0.1, 1.0:
            told = _searched(index, made, tuples, vectors, part=part, questions=questions)
            figures |= {f"{part:.0%} permitted, {what}": value for what, value in told.items()}
        index.close()
        started = time.process_time()
        again = EmbeddedIndex(Path(folder) / "index.sqlite", made)
        figures["open s"] = time.process_time() - started
        figures["file MB"] = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        figures["held MB"] = _held(again)
        again.close()
    return {f"{chunks:,} chunks: {name}": value for name, value in figures.items()}


def _searched(
    index: EmbeddedIndex, made: Generated, tuples: Ids, vectors: NDArray[np.float32], *, part: float, questions: int
) -> dict[str, float]:
    times, recalls = [], []
    for _ in range(questions):
        permitted = np.sort(made.chance.choice(TUPLES, int(TUPLES * part), replace=False)).astype(np.int64)
        question = made.text(ASKED)
        started = time.process_time()
        hits = index.search(question, permitted, TOP)
        times.append((time.process_time() - started) * 1000)
        found = {hit.id for hit in sorted(hits, key=lambda hit: (-hit.cosine, hit.id))[:TOP]}
        rows = np.flatnonzero(np.isin(tuples, permitted))
        right = rows[np.argsort(-(vectors[rows] @ made.vectors[-1]), kind="stable")[:TOP]]
        recalls.append(len(found & set(right.tolist())) / len(right))
    return {
        "p50 ms of processor": float(np.median(times)),
        "p95 ms of processor": float(np.quantile(times, 0.95)),
        "recall": float(np.mean(recalls)),
    }


def _held(index: EmbeddedIndex) -> float:
    """Megabytes of arrays in memory, bits with them."""
    segments = index._held.segments  # noqa: SLF001 - nobody else has to know
    arrays = [one for part in segments for one in (part.bits, *vars(part).values()) if isinstance(one, np.ndarray)]
    return float(sum({id(one): one.nbytes for one in arrays}.values()) / 1e6)
