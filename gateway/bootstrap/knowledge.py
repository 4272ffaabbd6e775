"""Documents: where they are kept, what reads, cuts and finds them, and what is made good in the background."""

import asyncio
import contextlib

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import structlog

from adapters.knowledge.findings import KeptFindings, KnownFindings
from adapters.knowledge.folders import DocumentFolder
from adapters.knowledge.plain import PlainReader
from adapters.knowledge.repositories import Branch
from adapters.knowledge.store import SqliteDocuments
from adapters.knowledge.unindexed import Unindexed
from gateway.errors import GatewayError
from gateway.knowledge.checking import check
from gateway.knowledge.room import Chunker, KnowledgeRoom
from gateway.knowledge.screening import look_again
from gateway.model import Registry
from gateway.model.base import Clock
from gateway.model.knowledge.document import Chunk, ReadDocument
from gateway.model.request import Provenance
from gateway.pipeline import Pipeline
from gateway.ports.documents import FileTree
from gateway.ports.knowledge import KnowledgeIndex, Reader
from gateway.prompt.rendering import RenderingDetector
from gateway.settings import Settings

log = structlog.get_logger()

_AGAIN_SECONDS: Final = 60
_LONGEST: Final = 2000
"""Characters of a chunk that `by_blocks` makes, unless one block is longer."""


def by_blocks(document: ReadDocument, labels: Provenance, registry: Registry) -> Sequence[Chunk]:
    """Chunks of whole blocks, each within one section; of no table, so that it stands in where there is no chunker."""
    del labels, registry
    made: list[Chunk] = []
    path: list[str] = []
    run: list[tuple[int, int]] = []

    def close() -> None:
        if run:
            start, end = run[0][0], run[-1][1]
            text = document.text[start:end]
            made.append(Chunk(len(made), text, start, end, 0, tuple(path), max(1, len(text) // 4)))
            run.clear()

    for block in document.blocks:
        if block.kind == "heading":
            close()
            path[block.level - 1 :] = [document.text[block.start : block.end].lstrip("# ").strip()]
        elif run and block.end - run[0][0] > _LONGEST:
            close()
        run.append((block.start, block.end))
    close()
    return made


def readers_of(settings: Settings) -> Mapping[str, Reader]:
    """What reads files, by media type."""
    del settings
    return dict.fromkeys(sorted(PlainReader.media_types), PlainReader())


class Knowledge:
    """The documents of a gateway, and the room in which acts on them are done."""

    def __init__(
        self,
        settings: Settings,
        store: SqliteDocuments,
        index: KnowledgeIndex,
        readers: Mapping[str, Reader],
        chunked: Chunker,
    ) -> None:
        self.store = store
        self.index = index
        self.known = KnownFindings(store, settings.finding_cache_items)
        """For requests: what was found before, in documents and in other items."""

        self._kept = KeptFindings(store, settings.finding_cache_items)
        self._readers, self._chunked, self._bytes = readers, chunked, settings.max_document_bytes
        self._room: KnowledgeRoom | None = None

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


def open_knowledge(
    settings: Settings,
    stack: AsyncExitStack,
    *,
    index_of: Callable[[Path], KnowledgeIndex] = lambda _: Unindexed(),
    readers: Callable[[Settings], Mapping[str, Reader]] = readers_of,
    chunked: Chunker = by_blocks,
) -> Knowledge:
    """
    The documents that the settings name, until the stack ends.

    Args:
        settings: where they are.
        stack: that ends them.
        index_of: makes the index, in a folder.
        readers: by media type.
        chunked: cuts what was read.

    Raises:
        StoreError, IndexUnavailableError: they cannot be opened.
    """
    folder = settings.knowledge_dir or settings.state_dir / "knowledge"
    store = SqliteDocuments(folder / "knowledge.sqlite")
    stack.callback(store.close)
    index = index_of(folder)
    stack.callback(index.close)
    return Knowledge(settings, store, index, readers(settings), chunked)


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
