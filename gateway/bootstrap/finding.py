"""The gateway's own documents, opened to be measured: searched as requests search them, and the gate asked again of what is found."""

import asyncio
import contextlib
import tempfile

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from adapters.knowledge.index import EmbeddedIndex
from adapters.knowledge.models.embedder import SHIPPED as EMBEDDER
from adapters.knowledge.models.embedder import OnnxEmbedder
from adapters.knowledge.models.weights import SHIPPED, WeightFiles
from gateway.bootstrap.gateway import Gateway
from gateway.bootstrap.knowledge_parts import INDEX, search_terms
from gateway.errors import NoCandidatesError
from gateway.knowledge.quality.watching import QualityWatch
from gateway.knowledge.searching import KnowledgeLibrary
from gateway.model import PackRequest
from gateway.model.knowledge.golden import Asker
from gateway.model.knowledge.version import DocumentVersion, KnownChunk
from gateway.pipeline import Asked
from gateway.ports.finding import Finder, FoundSection, Searchable
from gateway.ports.knowledge import Ids, Indexed, SearchHit

_LONGEST_TITLE: Final = 120

_AT_ONCE: Final = 256
"""Chunks that go into a temporary index at a time."""


class GatewayFinder:
    """A `gateway.ports.finding.Finder` of a running gateway."""

    def __init__(self, gateway: Gateway, library: KnowledgeLibrary, unranked: KnowledgeLibrary) -> None:
        """
        Args:
            gateway: whose policy decides.
            library: what is searched.
            unranked: the same without a reranker.
        """
        self._gateway = gateway
        self._library = library
        self._unranked = unranked

    @property
    def searchable(self) -> Searchable:
        pinned = self._gateway.pipeline.pinned()
        terms = self._library.terms(pinned.registry)
        told = terms.told if terms else {}
        return Searchable(
            index=self._library.index.revision,
            bundle=pinned.policy.version.revision,
            embedder=told.get("embedder", ""),
            reranker=told.get("reranker") or None,
        )

    def documents(self, tenant: str) -> Iterable[str]:
        kept = self._gateway.knowledge.store.versions(tenant)
        return sorted({named(one.version) for one in kept if one.version.status == "accepted"})

    async def find(self, asker: Asker, question: str, *, reranked: bool) -> Sequence[FoundSection]:
        library = self._library if reranked else self._unranked
        try:
            looked = await self._gateway.pipeline.look(asked_by(self._gateway, asker, question), library)
        except NoCandidatesError:
            return ()
        ids = [int(str((item.metadata or {})["chunk"])) for item, _ in looked]
        known = await asyncio.to_thread(library.documents.chunks, ids)
        return [
            FoundSection(named(known[id_].version), known[id_].version.labels.version, titles(known[id_]), admitted)
            for id_, (_, admitted) in zip(ids, looked, strict=True)
            if id_ in known
        ]


class GatewayFindable:
    """A `gateway.ports.finding.Findable` of a running gateway."""

    def __init__(self, gateway: Gateway, library: KnowledgeLibrary) -> None:
        self._gateway = gateway
        self._library = library
        terms = search_terms(gateway.settings, gateway.knowledge.embedder, gateway.knowledge.likeness, reranked=False)
        self._unranked = replace(library, terms=terms)

    @property
    def finder(self) -> Finder:
        return GatewayFinder(self._gateway, self._library, self._unranked)

    @property
    def base(self) -> Mapping[str, Path]:
        files = {"embedder.onnx": EMBEDDER, "word_embeddings.bin": "word_embeddings.bin"}
        return {name: SHIPPED / file for name, file in {**files, "tokenizer.json": "tokenizer.json"}.items()}

    @asynccontextmanager
    async def with_embedder(self, weights: Path) -> AsyncIterator[Finder]:
        embedder = OnnxEmbedder(WeightFiles.mounted(weights.parent))
        settings, likeness = self._gateway.settings, self._gateway.knowledge.likeness
        with tempfile.TemporaryDirectory() as folder:
            index = EmbeddedIndex(Path(folder) / INDEX, embedder)
            try:
                await asyncio.to_thread(_fill, index, self._library.documents.findable())
                made = [
                    replace(self._library, index=index, terms=search_terms(settings, embedder, likeness, reranked=one))
                    for one in (True, False)
                ]
                yield GatewayFinder(self._gateway, *made)
            finally:
                index.close()

    async def passages(self, asker: Asker) -> Sequence[str]:
        noted = _Noted()
        library = replace(self._library, index=noted)
        # An index that only notes what may be found finds nothing.
        with contextlib.suppress(NoCandidatesError):
            await self._gateway.pipeline.look(asked_by(self._gateway, asker, "passages"), library)
        return await asyncio.to_thread(self._texts, noted.permitted)

    def _texts(self, permitted: Ids) -> list[str]:
        ids = [one.id for one in self._library.documents.findable() if one.tuple_id in set(permitted.tolist())]
        known = self._library.documents.chunks(ids)
        return [known[id_].text for id_ in sorted(known)]


@dataclass(slots=True)
class _Noted:
    """A `gateway.ports.knowledge.KnowledgeIndex` that finds nothing, and notes what may be found."""

    permitted: Ids = field(default_factory=lambda: np.array([], np.int64))
    revision: str = "none"

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        raise NotImplementedError

    def ids(self) -> Ids:
        return np.array([], np.int64)

    def search(self, question: str, permitted: Ids, most: int) -> Sequence[SearchHit]:
        self.permitted = permitted
        return ()

    def close(self) -> None:
        """Nothing is open."""


def titles(chunk: KnownChunk) -> tuple[str, ...]:
    """Titles of the sections that a chunk stands in, and lines of its own that may be some: a chunk may hold several sections."""
    lines = (line.strip() for line in chunk.text.splitlines())
    return (*chunk.path, *(line for line in lines if 0 < len(line) <= _LONGEST_TITLE))


def named(version: DocumentVersion) -> str:
    """What a document calls itself, which stays the same when its file has another name."""
    return version.labels.source_id or version.document


def _fill(index: EmbeddedIndex, chunks: Iterable[Indexed]) -> None:
    some: list[Indexed] = []
    for one in chunks:
        some.append(one)
        if len(some) == _AT_ONCE:
            index.replace((), some)
            some = []
    index.replace((), some)


def asked_by(gateway: Gateway, asker: Asker, question: str) -> Asked:
    """The request of somebody who asks a golden question."""
    registry = gateway.registry
    model = next(iter(registry.models.values()))
    request = PackRequest(
        agent_id=asker.agent,
        purpose=asker.purpose,
        query=question,
        jurisdictions=asker.jurisdictions,
        model=model.id,
        token_budget=model.window,
    )
    return Asked(request, asker.subject, gateway.clock())


@asynccontextmanager
async def watching_quality(gateway: Gateway) -> AsyncIterator[None]:
    """Ask the golden sets of the settings in the background, for as long as this lasts; nothing where none are set."""
    settings = gateway.settings
    if settings.knowledge_golden is None:
        yield
        return
    finder = GatewayFindable(gateway, gateway.knowledge.library(gateway.observer)).finder
    watch = QualityWatch(
        settings.knowledge_golden,
        finder,
        lambda: gateway.pipeline.pinned().bundle,
        gateway.observer.retrieval_quality,
        gateway.clock,
        hour=settings.knowledge_golden_hour,
        seconds=settings.knowledge_golden_seconds,
    )
    task = asyncio.create_task(watch.run(), name="golden sets")
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
