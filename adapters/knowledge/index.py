"""
The search engine that comes with the gateway: words and vectors in memory, laid out by label tuple, over one file.

Rules held here: what is found, in which order and with which scores is what an index of the permitted chunks alone would find
(`adapters.knowledge.lexical` and `.vectors` say how); a change is durable before it is seen; a change by another process is seen by
the next search; where the file cannot be read nothing is found.
"""

import hashlib

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

from numpy.typing import NDArray

from adapters.knowledge.index_file import IndexFile
from adapters.knowledge.lexical import counted, scored
from adapters.knowledge.segment import IndexEntry, IndexSegment
from adapters.knowledge.vectors import EXACT, Near
from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Embedder, Ids, Indexed, SearchHit

MOST: Final = 1_000_000
"""Chunks: 2 GB of memory.  Beyond that PostgreSQL or Qdrant stand behind the same port."""

CHARACTERS: Final = 200_000
"""Of a chunk so many are read for its words; the embedder reads fewer."""

_LEVELS: Final = 4
"""A segment is merged with the one before it unless that is so many times larger: each chunk is moved a few times, not each time."""

_BLOCK: Final = 50_000
"""Chunks that are read from the file at a time, so that little more memory is taken than what is held."""


@dataclass(frozen=True)
class _Held:
    """What is searched, at one moment."""

    segments: tuple[IndexSegment, ...]
    stamps: dict[int, int]
    version: int
    """Of the file, as this connection sees it."""

    @cached_property
    def ids(self) -> Ids:
        return np.array(sorted(self.stamps), np.int64)

    @cached_property
    def digest(self) -> str:
        rows = [np.stack([segment.ids, segment.tuples], axis=1) for segment in self.segments]
        whole = np.concatenate([*rows, np.empty((0, 2), np.int64)])
        return hashlib.sha256(whole[np.argsort(whole[:, 0])].astype("<i8").tobytes()).hexdigest()


class EmbeddedIndex:
    """A `gateway.ports.knowledge.KnowledgeIndex`."""

    def __init__(self, path: Path, embedder: Embedder, *, exact: int = EXACT, most: int = MOST) -> None:
        """
        Args:
            path: its file; one made with another embedder is emptied, to be filled anew.
            embedder: for chunks and questions.
            exact: up to how many permitted chunks all vectors are compared.
            most: chunks that it takes.

        Raises:
            IndexUnavailableError: the file cannot be read.
        """
        self._embedder = embedder
        self._exact = exact
        self._most = most
        self._file = IndexFile(path, f"{embedder.name}:{embedder.dimensions}")
        self._changing = Lock()
        self._held = _Held((), {}, -1)
        self._current()

    @property
    def revision(self) -> str:
        return hashlib.sha256(f"{self._embedder.name}\n{self._current().digest}".encode()).hexdigest()

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        entries = [self._entry(one) for one in added]
        if len({entry.id for entry in entries}) != len(entries):
            raise IndexUnavailableError("a chunk was given twice.")
        leaving = sorted(set(gone))
        with self._changing:
            held = self._seen()
            left = len((held.stamps.keys() - set(leaving)) | {entry.id for entry in entries})
            if left > self._most:
                raise IndexUnavailableError(f"the embedded index takes {self._most:,} chunks.")
            try:
                stamps = self._file.replace(leaving, entries)
                self._held = self._follow(held, stamps, {entry.id: entry for entry in entries})
            except BaseException:
                # It may stand in the file all the same: the next search reads that anew.
                self._held = _Held((), {}, -1)
                raise

    def ids(self) -> Ids:
        return self._current().ids

    def search(self, question: str, permitted: Ids, most: int) -> list[SearchHit]:
        held = self._current()
        spans = [segment.spans(permitted) for segment in held.segments]
        if most < 1 or not sum(span.size for span in spans):
            return []
        # From here on a chunk is its place in this array, the permitted ones of all segments one after the other.
        ids = np.concatenate(
            [s.ids[span.at(np.arange(span.size))] for s, span in zip(held.segments, spans, strict=True)]
        )
        lexical = scored(question, held.segments, spans)
        vectors = Near(self._embedder.embed(question), held.segments, spans, exact=self._exact)
        words = _best(np.flatnonzero(lexical.scores > 0), lexical.scores, ids, most)
        close = vectors.nearest(most, ids)
        cosines = np.zeros(len(ids))
        cosines[close] = vectors.cosines(close)
        places = np.union1d(words, _best(close, cosines, ids, most))
        exact = vectors.cosines(places)
        return [
            SearchHit(int(ids[place]), float(lexical.scores[place]), float(cosine), lexical.ceiling)
            for place, cosine in zip(places, exact, strict=True)
        ]

    def close(self) -> None:
        self._file.close()

    def _entry(self, one: Indexed) -> IndexEntry:
        whole = f"{one.context}\n{one.text}" if one.context else one.text
        length, terms, times = counted(whole[:CHARACTERS])
        vector = self._embedder.embed(whole).astype(np.float32)
        return IndexEntry(one.id, one.tuple_id, length, terms, times, vector.tobytes())

    def _current(self) -> _Held:
        """What is held, after another process's changes."""
        if self._file.version() == self._held.version:
            return self._held
        with self._changing:
            self._held = self._seen()
            return self._held

    def _seen(self) -> _Held:
        version = self._file.version()
        if version == self._held.version:
            return self._held
        held = self._follow(self._held, self._file.stamps(), {})
        return _Held(held.segments, held.stamps, version)

    def _follow(self, held: _Held, stamps: dict[int, int], known: dict[int, IndexEntry]) -> _Held:
        """What is held when the file's chunks are these."""
        # A chunk whose stamp changed is another one now: it leaves with those that are gone, and comes with those that are new.
        gone = [one for one, stamp in held.stamps.items() if stamps.get(one) != stamp]
        new = [one for one, stamp in stamps.items() if held.stamps.get(one) != stamp]
        segments = _merged([one.without(np.array(gone, np.int64)) for one in held.segments] if gone else held.segments)
        for start in range(0, len(new), _BLOCK):
            block = new[start : start + _BLOCK]
            entries = [known[one] for one in block if one in known]
            entries += self._file.entries(one for one in block if one not in known)
            if len(entries) != len(block):
                raise IndexUnavailableError("the index was changed while it was read.")
            segments = _merged([*segments, IndexSegment.of(entries, self._embedder.dimensions)])
        return _Held(segments, stamps, held.version)


def _merged(segments: Sequence[IndexSegment]) -> tuple[IndexSegment, ...]:
    kept: list[IndexSegment] = []
    for segment in sorted((one for one in segments if len(one.ids)), key=lambda one: -len(one.ids)):
        kept.append(segment)
        while len(kept) > 1 and len(kept[-2].ids) < _LEVELS * len(kept[-1].ids):
            kept[-2:] = [IndexSegment.merged(kept[-2:])]
    return tuple(kept)


def _best(places: Ids, scores: NDArray[np.float64], ids: Ids, most: int) -> Ids:
    """Of some places the *most* with the highest scores, and of equal ones those of the chunks that came first."""
    if len(places) > most:
        cut = np.partition(scores[places], len(places) - most)[len(places) - most]
        places = places[scores[places] >= cut]
    return places[np.lexsort((ids[places], -scores[places]))][:most]
