"""What all acts on documents work with, and how they take turns."""

import asyncio

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gateway.errors import CorpusUnknownError, DocumentUnreadableError
from gateway.model import Registry
from gateway.model.base import Clock
from gateway.model.knowledge.corpus import CorpusEntry
from gateway.model.knowledge.document import Chunk, ReadDocument
from gateway.model.request import Provenance
from gateway.policy.registries import PinnedBundle
from gateway.ports.documents import KnowledgeStore
from gateway.ports.knowledge import KnowledgeIndex, Reader
from gateway.ports.ledger import Ledger
from gateway.ports.screening import Detector
from gateway.screening.find import FindingCache

Chunker = Callable[[ReadDocument, Provenance, Registry], Sequence[Chunk]]
"""Cuts a document by its labels, as the tables of a registry say."""


@dataclass(frozen=True, slots=True)
class KnowledgeRoom:
    """The outside world of the acts on documents."""

    store: KnowledgeStore
    index: KnowledgeIndex
    readers: Mapping[str, Reader]
    """By media type."""

    chunked: Chunker
    ledger: Ledger
    pinned: Callable[[], PinnedBundle]
    detectors: Callable[[Registry], Sequence[Detector]]
    """What looks into labels and texts, under a registry."""

    findings: FindingCache
    """Keeps what is found durably."""

    clock: Clock
    document_bytes: int
    """The largest file."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """
        The store for oneself, among all tasks and processes, rid of what somebody left unfinished.

        Raises:
            StoreError, IndexUnavailableError: it cannot be had.
        """
        async with self.turn:
            held = self.store.writing()
            await asyncio.to_thread(held.__enter__)
            try:
                await asyncio.to_thread(self._tidy)
                yield
            finally:
                held.__exit__(None, None, None)

    def _tidy(self) -> None:
        # Who staged something and does not hold the lock any more is gone, and nothing of it was acknowledged.
        if gone := self.store.forget_staged():
            self.index.replace(gone, ())

    def reader(self, media_type: str) -> Reader:
        """
        What reads files of a media type.

        Raises:
            DocumentUnreadableError: nothing does.
        """
        reader = self.readers.get(media_type)
        if reader is None:
            raise DocumentUnreadableError(f"files of this media type are not read; known are {', '.join(self.readers)}")
        return reader


def corpus_of(registry: Registry, name: str) -> CorpusEntry:
    """
    A corpus of the registry.

    Raises:
        CorpusUnknownError: there is none of this name.
    """
    corpus = registry.corpora.get(name)
    if corpus is None:
        raise CorpusUnknownError("the registry has no such corpus")
    return corpus
