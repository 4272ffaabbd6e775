"""Documents: where they are kept, what reads, cuts and finds them, and what is made good in the background."""

import asyncio
import contextlib

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import structlog

from adapters.knowledge.findings import KeptFindings, KnownFindings
from adapters.knowledge.folders import DocumentFolder
from adapters.knowledge.repositories import Branch
from adapters.knowledge.store import SqliteDocuments
from gateway.bootstrap.knowledge_parts import chunked_by, embedder_of, opened_index, readers_of, search_terms
from gateway.errors import GatewayError
from gateway.knowledge.checking import check
from gateway.knowledge.reach import Reach
from gateway.knowledge.room import Chunker, KnowledgeRoom
from gateway.knowledge.screening import look_again
from gateway.knowledge.searching import KnowledgeLibrary, SearchTerms
from gateway.model import Registry
from gateway.model.base import Clock
from gateway.observability.observer import Observer
from gateway.pipeline import Pipeline
from gateway.ports.documents import FileTree
from gateway.ports.knowledge import Embedder, KnowledgeIndex, Reader
from gateway.ports.packing import Likeness, Tokenizer
from gateway.prompt.rendering import RenderingDetector
from gateway.settings import Settings

log = structlog.get_logger()

_AGAIN_SECONDS: Final = 60


class Knowledge:
    """The documents of a gateway, and the room in which acts on them are done."""

    def __init__(  # noqa: PLR0917
        self,
        settings: Settings,
        store: SqliteDocuments,
        index: KnowledgeIndex,
        readers: Mapping[str, Reader],
        chunked: Chunker,
        terms: Callable[[Registry], SearchTerms | None],
        likeness: Likeness,
        embedder: Embedder,
    ) -> None:
        self.likeness, self.embedder = likeness, embedder
        self.store = store
        self.index = index
        self.known = KnownFindings(store, settings.finding_cache_items)
        """For requests: what was found before, in documents and in other items."""

        self._kept = KeptFindings(store, settings.finding_cache_items)
        self._readers, self._chunked, self._bytes = readers, chunked, settings.max_document_bytes
        self._room: KnowledgeRoom | None = None
        self._terms = terms

    def library(self, observer: Observer) -> KnowledgeLibrary:
        """What requests search."""

        def counted(tuples: int) -> None:
            observer.searches.counted(tuples)
            observer.retrieval_quality.label_tuples(tuples)

        reach = Reach(self.store, counted=counted)
        return KnowledgeLibrary(self.store, self.index, reach, self._terms)

    @property
    def room(self) -> KnowledgeRoom:
        """What acts on documents work with, once the gateway runs."""
        assert self._room is not None  # noqa: S101 - the gateway hands this out when it runs
        return self._room

    def work_with(self, pipeline: Pipeline, clock: Clock) -> None:
        """Take up work beside a pipeline, with its policy, its ledger and its detectors."""
        self._room = KnowledgeRoom(
            store=self.store,
            index=self.index,
            readers=self._readers,
            chunked=self._chunked,
            ledger=pipeline.ledger,
            pinned=pipeline.pinned,
            detectors=lambda registry: (RenderingDetector(registry.rendering), *pipeline.detectors),
            findings=self._kept,
            clock=clock,
            document_bytes=self._bytes,
        )

    async def make_good(self) -> None:
        """
        Mend the index, then look at all texts that a detector of this version has not seen; again and again, until both are done.

        For a process that serves: what a killed one left is mended here, and what is left undone here by the next one.
        """
        while True:
            try:
                checked = await check(self.room, mend=True)
                again = await look_again(self.room)
            except GatewayError as error:
                log.warning("knowledge is not whole yet", code=error.code)
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                log.info(
                    "knowledge is whole", chunks=checked.findable, mended=checked.missing + checked.stray, again=again
                )
                return


def open_knowledge(settings: Settings, stack: AsyncExitStack, tokenizer: Tokenizer, likeness: Likeness) -> Knowledge:
    """
    The documents that the settings name, until the stack ends.

    Args:
        settings: where they are, and how they are found.
        stack: that ends them.
        tokenizer: counts what chunks are cut by.
        likeness: finds chunks that say the same.

    Raises:
        StoreError, IndexUnavailableError, ModelUnusableError, ConfigurationError: they cannot be opened.
    """
    folder = settings.knowledge_dir or settings.state_dir / "knowledge"
    store = SqliteDocuments(folder / "knowledge.sqlite")
    stack.callback(store.close)
    embedder = embedder_of(settings)
    index = opened_index(settings, folder, embedder)
    stack.callback(index.close)
    readers, terms = readers_of(settings, stack), search_terms(settings, embedder, likeness)
    return Knowledge(settings, store, index, readers, chunked_by(tokenizer), terms, likeness, embedder)


@asynccontextmanager
async def mending(knowledge: Knowledge) -> AsyncIterator[None]:
    """Make good in the background what a killed process left, for as long as this lasts."""
    task = asyncio.create_task(knowledge.make_good(), name="knowledge")
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def tree_of(place: Path, branch: str | None) -> FileTree:
    """
    A folder, or a branch of a repository.

    Raises:
        SyncFailedError: there is none.
    """
    return DocumentFolder(place) if branch is None else Branch(place, branch)
