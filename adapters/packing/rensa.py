"""Texts that say nearly the same, by MinHash and locality-sensitive hashing with `rensa`, each hit checked exactly."""

import hashlib
import re

from collections.abc import Sequence
from threading import Lock
from typing import Final

import rensa

from cachetools import LRUCache

_WORD: Final = re.compile(r"\w+")
_LENGTH: Final = 3
"""Words in a shingle."""

_PERMUTATIONS: Final = 128
_BANDS: Final = 32
"""Of four rows each: two texts that share 85 % of their shingles meet in one band in all but one of 10^10 cases."""

_NEIGHBOURS: Final = 32
"""Texts before it that one is compared with exactly, the first that meet it; so the cost grows with the set, not its square."""

_SEED: Final = 1

_Sketch = tuple[rensa.RMinHash, frozenset[str]]


class MinHashLikeness:
    """A `gateway.ports.Likeness`, with a cache by content."""

    def __init__(self, *, cache_size: int = 20_000) -> None:
        self._sketches: LRUCache[bytes, _Sketch] = LRUCache(cache_size)
        self._lock = Lock()

    def alike(self, texts: Sequence[str], threshold: float) -> list[tuple[int, int]]:
        sketches = [self._sketch(text) for text in texts]
        table = rensa.RMinHashLSH(threshold=threshold, num_perm=_PERMUTATIONS, num_bands=_BANDS)
        near: list[tuple[int, int]] = []
        for index, (minhash, _) in enumerate(sketches):
            # Asked before it is put in: a text meets those before it, so that each pair comes once and none is of itself.
            near += [(other, index) for other in sorted(table.query(minhash))[:_NEIGHBOURS]]
            table.insert(index, minhash)
        return sorted(pair for pair in near if _jaccard(*(sketches[index][1] for index in pair)) >= threshold)

    def _sketch(self, text: str) -> _Sketch:
        key = hashlib.sha256(text.encode()).digest()
        with self._lock:
            if key in self._sketches:
                return self._sketches[key]
        shingles = _shingles(text)
        minhash = rensa.RMinHash(num_perm=_PERMUTATIONS, seed=_SEED)
        minhash.update(sorted(shingles))
        with self._lock:
            self._sketches[key] = minhash, shingles
        return minhash, shingles


def _shingles(text: str) -> frozenset[str]:
    """Runs of words; of a text shorter than a run, the text itself."""
    words = _WORD.findall(text.casefold())
    if len(words) < _LENGTH:
        return frozenset({" ".join(words)})
    return frozenset(" ".join(run) for run in zip(*(words[start:] for start in range(_LENGTH)), strict=False))


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right)
