"""From a chunk to an item; also to the one that stands for all chunks of its labels, so that mask and gate ask about the same."""

from typing import Final

from gateway.model import Candidate
from gateway.model.knowledge.version import KnownChunk
from gateway.model.request import Fetched, Provenance
from gateway.model.words.labels import MOST_METADATA, Metadata

BEGINNING: Final = "kb:"
"""What the id of such an item begins with."""

SECTION: Final = "knowledge"

_LONGEST: Final = 200


def item_id(document: str, version: int, chunk: int) -> str:
    """A name for a chunk, the same whenever it is found; ids of versions and chunks are never used again."""
    tail = f":{version}:{chunk}"
    return f"{BEGINNING}{document[: _LONGEST - len(BEGINNING) - len(tail)].rstrip()}{tail}"


def candidate_of(chunk: KnownChunk, labels: Provenance, source: str, section: str, score: float) -> Fetched:
    """
    The item that a chunk is.

    Args:
        chunk: as it was found.
        labels: of its combination; of them, when it was fetched and which section it is, since a version has neither.
        source: id of the source in the registry that vouches for it.
        section: which part of a pack it is for.
        score: its relevance, 0 to 1.
    """
    version = chunk.version
    own = version.labels.model_copy(update={"fetched_at": labels.fetched_at, "doc_section": labels.doc_section})
    item = Candidate.model_construct(
        id=item_id(version.document, version.id, chunk.id),
        section=section,
        content=chunk.text,
        media_type="text/plain",
        score=relevance(score),
        provenance=own,
        metadata=_metadata(chunk),
        attestation=None,
        receipt=None,
    )
    return Fetched.of(item, source)


def relevance(score: float) -> float:
    """A score as an item may have it: 0 to 1, of six digits."""
    return round(min(1.0, max(0.0, score)), 6)


def representative(labels: Provenance, source: str, section: str) -> Fetched:
    """The item that stands for all chunks of a combination of labels."""
    item = Candidate.model_construct(
        id=BEGINNING, section=section, content="", media_type="text/plain", score=None, provenance=labels,
        metadata=None, attestation=None, receipt=None,
    )  # fmt: skip
    return Fetched.of(item, source)


def _metadata(chunk: KnownChunk) -> Metadata:
    pages = {} if chunk.pages is None else {"first_page": chunk.pages[0], "last_page": chunk.pages[1]}
    own: Metadata = {
        "document": chunk.version.document,
        "chunk": chunk.id,
        "start": chunk.start,
        "end": chunk.end,
        **pages,
    }
    kept = [(name, value) for name, value in (chunk.version.metadata or {}).items() if name not in own]
    return {**dict(kept[: MOST_METADATA - len(own)]), **own}
