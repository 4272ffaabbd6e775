"""What is kept of a version of a document."""

from dataclasses import dataclass
from typing import Literal

from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata

VersionStatus = Literal["accepted", "set_aside", "withdrawn", "superseded"]
"""Found by searches; kept for an officer to look at, never indexed; taken back; replaced by a newer version."""


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A version of a document of one tenant, as it was judged at the door."""

    id: int
    """In the store of this gateway."""

    tenant: str
    corpus: str
    document: str
    """Its name in the corpus."""

    labels: Provenance
    """Those that its chunks are judged by; `doc_section` is each chunk's own, `fetched_at` that of its origin."""

    metadata: Metadata | None
    digest: str
    """SHA-256 of the file in hex."""

    media_type: str
    title: str | None
    status: VersionStatus
    codes: tuple[str, ...]
    """Of the rules that set it aside."""

    origin: int
    """What vouches for how old it is: the folder, the repository or the day that it came from."""

    added_at: str


@dataclass(frozen=True, slots=True)
class KnownChunk:
    """A chunk that may be found, with what an item is made of."""

    id: int
    """In the store of this gateway; never used again."""

    tuple_id: int
    """Which combination of labels it carries, in the label dictionary."""

    text: str
    path: tuple[str, ...]
    start: int
    end: int
    repeats: int
    pages: tuple[int, int] | None
    version: DocumentVersion
