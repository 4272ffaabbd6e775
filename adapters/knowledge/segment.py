"""
Chunks laid out for searching: rows in order of label tuple, so that a permitted set is a few spans of rows.

A segment never changes; taking chunks out or in makes another one.  It takes about 1.6 KB a chunk for vectors of 384 dimensions, and
6 bytes for each different term of each chunk.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from numpy.typing import NDArray

from gateway.ports.knowledge import Ids

Ints = NDArray[np.int64]
MOST_TIMES: Final = 2**16 - 1
"""How often a term is counted in a chunk at most."""


class IndexEntry(NamedTuple):
    """A chunk as it is kept."""

    id: int
    tuple_id: int
    length: int
    """In terms."""

    terms: bytes
    """Its different terms, as int64 in ascending order: see `adapters.knowledge.lexical.key`."""

    times: bytes
    """How often each stands there, as uint16."""

    vector: bytes
    """As float32."""


@dataclass(frozen=True, slots=True)
class PermittedSpans:
    """The permitted rows of a segment."""

    starts: Ints
    ends: Ints
    """After the last row of each; sorted, and no two touch."""

    bases: Ints
    """Where each span's first row stands when all are counted through."""

    size: int
    """Rows in all of them."""

    def at(self, places: Ints) -> Ints:
        """Rows that stand at these places when all are counted through."""
        span = np.searchsorted(self.bases, places, side="right") - 1
        return self.starts[span] + places - self.bases[span]

    def within(self, rows: Ints | NDArray[np.int32]) -> tuple[Ints, Ints]:
        """Of sorted rows the places of those that are permitted, and where each stands when the permitted are counted through."""
        if len(rows) <= 4 * len(self.starts):
            span = np.searchsorted(self.starts, rows, side="right") - 1
            places = np.flatnonzero((span >= 0) & (rows < self.ends[span]))
            span = span[places]
        else:
            low, high = np.searchsorted(rows, self.starts), np.searchsorted(rows, self.ends)
            places = _ranges(low, high)
            span = np.repeat(np.arange(len(low)), high - low)
        return places, rows[places] - self.starts[span] + self.bases[span]

    def count(self, rows: NDArray[np.int32]) -> int:
        """How many of sorted rows are permitted."""
        if len(rows) <= 4 * len(self.starts):
            return len(self.within(rows)[0])
        return int((np.searchsorted(rows, self.ends) - np.searchsorted(rows, self.starts)).sum())


@dataclass(frozen=True)
class IndexSegment:
    """Some chunks."""

    ids: Ids
    tuples: Ids
    """Of each row; rows are in order of tuple, then of chunk."""

    lengths: Ints
    vectors: NDArray[np.float32]
    terms: Ints
    """All different terms, sorted."""

    offsets: Ints
    """Where in the next two each term's entries begin; one more at the end."""

    rows: NDArray[np.int32]
    """That a term stands in, sorted."""

    times: NDArray[np.uint16]

    @classmethod
    def of(cls, entries: Sequence[IndexEntry], dimensions: int) -> "IndexSegment":
        """The segment of some chunks, each once."""
        # Columns, not rows: postings are sorted by term once, and a search slices them.
        each = [np.frombuffer(entry.terms, np.int64) for entry in entries]
        flat = _Flat(
            ids=np.array([entry.id for entry in entries], np.int64),
            tuples=np.array([entry.tuple_id for entry in entries], np.int64),
            lengths=np.array([entry.length for entry in entries], np.int64),
            vectors=np.frombuffer(b"".join(entry.vector for entry in entries), np.float32).reshape(-1, dimensions),
            terms=np.concatenate([*each, np.empty(0, np.int64)]),
            rows=np.repeat(np.arange(len(entries), dtype=np.int32), [len(one) for one in each]),
            times=np.frombuffer(b"".join(entry.times for entry in entries), np.uint16),
        )
        return flat.segment()

    @classmethod
    def merged(cls, segments: Sequence["IndexSegment"]) -> "IndexSegment":
        """One segment of several, which hold different chunks."""
        # The rows of a segment count from its own first chunk: in the whole they begin behind those before it.
        flats = [segment.flat() for segment in segments]
        before = np.cumsum([0, *(len(flat.ids) for flat in flats)])
        rows = [flat.rows + np.int32(base) for flat, base in zip(flats, before[:-1], strict=True)]
        whole = _Flat(
            ids=np.concatenate([flat.ids for flat in flats]),
            tuples=np.concatenate([flat.tuples for flat in flats]),
            lengths=np.concatenate([flat.lengths for flat in flats]),
            vectors=np.concatenate([flat.vectors for flat in flats]),
            terms=np.concatenate([flat.terms for flat in flats]),
            rows=np.concatenate(rows).astype(np.int32),
            times=np.concatenate([flat.times for flat in flats]),
        )
        return whole.segment()

    def without(self, gone: Ids) -> "IndexSegment":
        """The same less some chunks; itself where it has none of them."""
        kept = ~np.isin(self.ids, gone)
        if kept.all():
            return self
        flat, place = self.flat(), (np.cumsum(kept) - 1).astype(np.int32)
        stays = kept[flat.rows]
        less = _Flat(
            ids=flat.ids[kept],
            tuples=flat.tuples[kept],
            lengths=flat.lengths[kept],
            vectors=flat.vectors[kept],
            terms=flat.terms[stays],
            rows=place[flat.rows[stays]],
            times=flat.times[stays],
        )
        return less.segment()

    def spans(self, permitted: Ids) -> PermittedSpans:
        """Rows of the permitted tuples."""
        tuples, starts = self._tuples
        here = np.isin(tuples, permitted, assume_unique=True)
        begin, end = starts[:-1][here], starts[1:][here]
        # PermittedSpans that touch are one: a permitted set of everything is a single slice.
        apart = np.concatenate([np.ones(min(1, len(begin)), bool), begin[1:] != end[:-1]])
        begin, end = begin[apart], end[np.concatenate([apart[1:], np.ones(min(1, len(begin)), bool)])]
        sizes = end - begin
        return PermittedSpans(begin, end, np.cumsum(sizes) - sizes, int(sizes.sum()))

    def holding(self, term: int) -> slice:
        """Entries of a term."""
        place = int(np.searchsorted(self.terms, term))
        if place == len(self.terms) or self.terms[place] != term:
            return slice(0, 0)
        return slice(int(self.offsets[place]), int(self.offsets[place + 1]))

    @cached_property
    def bits(self) -> NDArray[np.uint64]:
        """One bit a dimension: whether it is positive."""
        wide = np.zeros((len(self.ids), -(-self.vectors.shape[1] // 64) * 64), bool)
        wide[:, : self.vectors.shape[1]] = self.vectors > 0
        return np.packbits(wide, axis=1).view(np.uint64)

    @cached_property
    def lengths_before(self) -> Ints:
        """Terms in all rows before each; one more at the end."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    @cached_property
    def _tuples(self) -> tuple[Ids, Ints]:
        tuples, starts = np.unique(self.tuples, return_index=True)
        return tuples, np.concatenate([starts, [len(self.ids)]])

    def flat(self) -> "_Flat":
        """What it is made of."""
        terms = np.repeat(self.terms, np.diff(self.offsets))
        return _Flat(self.ids, self.tuples, self.lengths, self.vectors, terms, self.rows, self.times)


class _Flat(NamedTuple):
    """What a segment is made of, in any order."""

    ids: Ids
    tuples: Ids
    lengths: Ints
    vectors: NDArray[np.float32]
    terms: Ints
    """Of each entry."""

    rows: NDArray[np.int32]
    times: NDArray[np.uint16]

    def segment(self) -> IndexSegment:
        order = np.lexsort((self.ids, self.tuples))
        moved = np.empty(len(order), np.int32)
        moved[order] = np.arange(len(order), dtype=np.int32)
        rows = moved[self.rows]
        entries = np.lexsort((rows, self.terms))
        terms, offsets = np.unique(self.terms[entries], return_index=True)
        return IndexSegment(
            ids=self.ids[order],
            tuples=self.tuples[order],
            lengths=self.lengths[order],
            vectors=np.ascontiguousarray(self.vectors[order]),
            terms=terms,
            offsets=np.concatenate([offsets, [len(entries)]]).astype(np.int64),
            rows=rows[entries],
            times=self.times[entries],
        )


def _ranges(starts: Ints, ends: Ints) -> Ints:
    """All numbers of some ranges, one range after the other."""
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    numbers: Ints = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return numbers
