"""
The nearest of the permitted vectors, exactly.

Up to `EXACT` permitted vectors all are compared; above that, the `CLOSE` nearest by one bit a dimension are.  What is told of a vector
is reckoned in double precision, row by row: a library of linear algebra sums a row differently with its place in a block, so its
figures only preselect, with room for the largest error that they can have.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from numpy.typing import NDArray

from adapters.knowledge.segment import IndexSegment, Ints, PermittedSpans
from gateway.ports.knowledge import Vector

EXACT: Final = 50_000
CLOSE: Final = 1_000

_ROOM: Final = 2e-4
"""Twice what two single-precision products of unit vectors of up to 1,000 dimensions can differ by: 2 * 1,000 * 2^-24."""

Floats = NDArray[np.float64]


class Near:
    """Vectors of the permitted chunks, and a question's."""

    def __init__(
        self, question: Vector, segments: Sequence[IndexSegment], spans: Sequence[PermittedSpans], *, exact: int = EXACT
    ) -> None:
        """
        Args:
            question: of unit length.
            segments: what is searched.
            spans: the permitted rows of each.
            exact: from how many permitted on bits are compared first.
        """
        self._question = question
        self._pairs = list(zip(segments, spans, strict=True))
        self._bases = np.cumsum([0, *(span.size for span in spans)])
        self._exact = exact

    def nearest(self, most: int, ids: Ints) -> Ints:
        """
        Places of the *most* nearest, or more of them, where some are equally near.

        Args:
            most: how many.
            ids: of all permitted chunks, which decide between such as are equally near by their bits.
        """
        size = int(self._bases[-1])
        if size <= self._exact:
            near = self._products()
            if size <= most:
                return np.arange(size)
            return np.flatnonzero(near >= np.partition(near, size - most)[size - most] - _ROOM)
        distance = self._distances()
        close = min(max(CLOSE, most), size)
        furthest = np.partition(distance, close - 1)[close - 1]
        closer, level = np.flatnonzero(distance < furthest), np.flatnonzero(distance == furthest)
        first = level[np.argsort(ids[level])][: close - len(closer)]
        return np.concatenate([closer, first])

    def cosines(self, places: Ints) -> Floats:
        """Of some permitted vectors and the question's; the same for the same two vectors, wherever they stand."""
        found: Floats = np.empty(len(places), np.float64)
        question = self._question.astype(np.float64)
        for (segment, span), low, high in zip(self._pairs, self._bases[:-1], self._bases[1:], strict=True):
            here = np.flatnonzero((places >= low) & (places < high))
            rows = segment.vectors[span.at(places[here] - low)]
            found[here] = (rows.astype(np.float64) * question).sum(axis=1)
        return np.asarray(np.round(np.clip(found, -1, 1), 9), np.float64)

    def _products(self) -> NDArray[np.float32]:
        parts = [
            segment.vectors[start:end] @ self._question
            for segment, span in self._pairs
            for start, end in zip(span.starts, span.ends, strict=True)
        ]
        return np.concatenate([*parts, np.empty(0, np.float32)])

    def _distances(self) -> NDArray[np.int64]:
        parts = []
        for segment, span in self._pairs:
            wide = np.zeros(segment.bits.shape[1] * 64, bool)
            wide[: len(self._question)] = self._question > 0
            asked = np.packbits(wide).view(np.uint64)
            for start, end in zip(span.starts, span.ends, strict=True):
                differ = np.bitwise_count(segment.bits[start:end] ^ asked)
                parts.append(differ.sum(axis=1, dtype=np.int64))
        return np.concatenate(parts)
