"""What reads, cuts, finds and reads again: the adapters behind the ports of knowledge, as the settings and the tables choose them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from adapters.documents.apart import ApartReading
from adapters.documents.detecting import BY_SUFFIX
from adapters.documents.limits import ReadingLimits
from adapters.knowledge.index import EmbeddedIndex
from adapters.knowledge.models.embedder import OnnxEmbedder
from adapters.knowledge.models.reranker import reranker_of
from adapters.knowledge.models.weights import WeightFiles
from adapters.knowledge.words import terms as terms_of_text
from gateway.bootstrap.knowledge_index import index_of
from gateway.errors import BundleInvalidError
from gateway.knowledge.chunking import chunk
from gateway.knowledge.ranking import rank_hits
from gateway.knowledge.room import Chunker
from gateway.knowledge.searching import SearchTerms
from gateway.knowledge.tuning.adoption import require_adopted
from gateway.model import Registry
from gateway.model.knowledge.document import Chunk, ReadDocument
from gateway.model.knowledge.retrieval import Fusion
from gateway.model.request import Provenance
from gateway.ports.knowledge import Embedder, KnowledgeIndex, Reader, Reranker, SearchHit
from gateway.ports.packing import Likeness, Tokenizer
from gateway.settings import Settings

INDEX: Final = "index.sqlite"


class ApartReader:
    """A `gateway.ports.knowledge.Reader` that reads in a process of its own."""

    def __init__(self, reading: ApartReading, media_type: str) -> None:
        self._reading = reading
        self._media_type = media_type

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({self._media_type})

    def read(self, body: bytes) -> ReadDocument:
        # What a file is its bytes say: one that is something else than it was called is not read.
        return self._reading.read(body, claimed=self._media_type)[1]


def readers_of(settings: Settings, stack: AsyncExitStack) -> Mapping[str, Reader]:
    """What reads files, by media type; the process that does ends with the stack."""
    reading = ApartReading(replace(ReadingLimits(), file_bytes=settings.max_document_bytes))
    stack.callback(reading.close)
    return {media_type: ApartReader(reading, media_type) for media_type in sorted(set(BY_SUFFIX.values()))}


def chunked_by(tokenizer: Tokenizer) -> Chunker:
    """What cuts documents by the table `chunking`."""

    def chunked(document: ReadDocument, labels: Provenance, registry: Registry) -> Sequence[Chunk]:
        table = registry.chunking
        if table is None:
            raise BundleInvalidError("the bundle does not say how documents are cut: it has no table registry/chunking")
        kind = (labels.labels or {}).get("document_type")
        rule = table.rule_for(kind if isinstance(kind, str) else None)
        return chunk(document, rule, tokenizer, encoding=table.encoding)

    return chunked


def embedder_of(settings: Settings) -> OnnxEmbedder:
    """
    The embedder that ships, or the one of the bank's own that the settings name.

    Raises:
        ModelUnusableError: it was not adopted, or is another than the one that was.
    """
    if settings.knowledge_embedder is None:
        return OnnxEmbedder()
    require_adopted(settings.knowledge_embedder / "model.onnx")
    return OnnxEmbedder(WeightFiles.mounted(settings.knowledge_embedder))


def opened_index(settings: Settings, folder: Path, embedder: Embedder) -> KnowledgeIndex:
    """
    The index that the settings choose.

    Raises:
        ConfigurationError, IndexUnavailableError: it cannot be opened.

        ModelUnusableError: the weights of the embedder are not those that ship.
    """
    return index_of(settings, embedder, terms_of_text, embedded=lambda: EmbeddedIndex(folder / INDEX, embedder))


def search_terms(
    settings: Settings, embedder: Embedder, likeness: Likeness, *, reranked: bool = True
) -> Callable[[Registry], SearchTerms | None]:
    """How a bundle's table `retrieval` has documents searched; None for a bundle without the table."""
    rerankers = lru_cache(maxsize=4)(lambda name: reranker_of(name, settings.knowledge_reranker))

    def terms(registry: Registry) -> SearchTerms | None:
        table = registry.retrieval
        if table is None:
            return None
        reranker: Reranker | None = rerankers(table.reads_again) if reranked else None

        def rank(question: str, hits: Sequence[SearchHit], texts: Mapping[int, str]) -> Sequence[tuple[int, float]]:
            return rank_hits(question, hits, texts, table, reranker, likeness=likeness)

        told = {
            "embedder": embedder.name,
            "reranker": reranker.name if reranker else "",
            "fusion": _said(table.fusion),
        }
        return SearchTerms(table.stage1_top_k, told, rank)

    return terms


def _said(fusion: Fusion) -> str:
    weights = f"lexical {fusion.weights.lexical:g}, cosine {fusion.weights.cosine:g}"
    return f"{fusion.method}, k {fusion.k}, {weights}" if fusion.method == "rrf" else f"{fusion.method}, {weights}"
