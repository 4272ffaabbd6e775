"""What reads, cuts, finds and reads again: the adapters behind the ports of knowledge, as the settings and the tables choose them."""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from adapters.documents.apart import ApartReading
from adapters.documents.detecting import BY_SUFFIX
from adapters.documents.limits import ReadingLimits
from adapters.knowledge.embedder import OnnxEmbedder
from adapters.knowledge.index import EmbeddedIndex
from adapters.knowledge.words import terms
from gateway.bootstrap.knowledge_index import index_of
from gateway.errors import BundleInvalidError
from gateway.knowledge.chunking import chunk
from gateway.knowledge.room import Chunker
from gateway.model import Registry
from gateway.model.knowledge.document import Chunk, ReadDocument
from gateway.model.request import Provenance
from gateway.ports.knowledge import KnowledgeIndex, Reader
from gateway.ports.packing import Tokenizer
from gateway.settings import Settings

INDEX = "index.sqlite"


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


def opened_index(settings: Settings, folder: Path) -> KnowledgeIndex:
    """
    The index that the settings choose.

    Raises:
        ConfigurationError, IndexUnavailableError: it cannot be opened.

        ModelUnusableError: the weights of the embedder are not those that ship.
    """
    embedder = OnnxEmbedder()
    return index_of(settings, embedder, terms, embedded=lambda: EmbeddedIndex(folder / INDEX, embedder))
