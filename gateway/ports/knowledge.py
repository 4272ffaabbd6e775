"""Where documents are read, kept and found."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from numpy.typing import NDArray

from gateway.model.knowledge.document import ReadDocument
from gateway.model.knowledge.version import KnownChunk
from gateway.model.policy_input import SearchFacts
from gateway.model.request import Provenance

Vector = NDArray[np.float32]
"""Of unit length."""

Ids = NDArray[np.int64]
"""Sorted, each once."""


class Reader(Protocol):
    """Makes text of files of some media types."""

    @property
    def media_types(self) -> frozenset[str]:
        """Those that it reads."""

    def read(self, body: bytes) -> ReadDocument:
        """
        What stands in a file.

        Raises:
            DocumentUnreadableError: it is not what its media type says, is encrypted, or would cost too much to read.
        """


class Embedder(Protocol):
    """Makes vectors of texts; the same text gives the same bytes, whatever is embedded beside it."""

    @property
    def name(self) -> str:
        """The model with the digest of its bytes: vectors of different names cannot be compared."""

    @property
    def dimensions(self) -> int:
        """Of a vector."""

    def embed(self, text: str) -> Vector:
        """The vector of one text; what is longer than the model reads is cut."""


class Reranker(Protocol):
    """Scores how well texts answer a question, reading both together."""

    @property
    def name(self) -> str:
        """The model with the digest of its bytes."""

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A score for each, higher is better; of no fixed range."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an index is told of a chunk."""

    id: int
    tuple_id: int
    text: str
    context: str
    """Title and sections that it stands under, read with it."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk that was found."""

    id: int
    lexical: float
    """BM25 with the statistics of the permitted part alone; 0 where no word is shared."""

    cosine: float
    """Of its vector and the question's."""

    ceiling: float = 0.0
    """
    What `lexical` cannot reach for this question and this permitted part: the sum over the question's terms of idf * (k1 + 1).

    0 where the index does not know it; the best hit's `lexical` stands in for it then.
    """


class KnowledgeIndex(Protocol):
    """
    Finds chunks among permitted ones.

    What it answers equals, in order and score, what an index would answer that holds the permitted chunks alone.  Safe to share
    between threads.
    """

    @property
    def revision(self) -> str:
        """Digest of what it holds: of chunk ids, tuple ids and the embedder; another one after each change."""

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        """
        Take chunks out and in, durably and all at once.

        Raises:
            IndexUnavailableError: it is not known to be durable.
        """

    def ids(self) -> Ids:
        """All chunks that it holds."""

    def search(self, question: str, permitted: Ids, most: int) -> Sequence[SearchHit]:
        """
        The *most* best by BM25 and the *most* best by cosine, in no order: each chunk once, with both scores.

        Args:
            question: what is asked.
            permitted: ids of the label tuples whose chunks may be found; nothing is found of others.
            most: how many of each kind.

        Raises:
            IndexUnavailableError: it cannot be searched.
        """

    def close(self) -> None:
        """Release it."""


@dataclass(frozen=True, slots=True)
class LabelTuple:
    """A combination of labels that chunks carry."""

    id: int
    tenant: str
    labels: Provenance
    """With `fetched_at` as its origin says it now."""


class Documents(Protocol):
    """The documents of this gateway; the truth that every index is made from."""

    @property
    def epoch(self) -> int:
        """Counts each change of what may be found, of a label tuple or of an origin's time."""

    def tuples(self, tenant: str) -> Sequence[LabelTuple]:
        """The label tuples of a tenant's findable chunks, by id."""

    def chunks(self, ids: Sequence[int]) -> Mapping[int, KnownChunk]:
        """Of these chunks those that may be found now, by id; a chunk of a version that is withdrawn or set aside is none."""

    def withdrawn(self, tenant: str, named: Sequence[tuple[str, str | None]]) -> Sequence[bool]:
        """Whether a document of a name and version was kept and may not be found any more, for each."""

    def findable(self) -> Iterable[Indexed]:
        """All chunks that an index should hold, in order of id."""


class SearchWatch(Protocol):
    """Sees how searches go."""

    def source(self, name: str) -> AbstractContextManager[list[int]]:
        """One retrieval; the number of items goes into the list."""

    def searched(self, facts: SearchFacts, seconds: float, decided: int) -> None:
        """One search; in how many seconds and with how many questions it was told what may be found."""
