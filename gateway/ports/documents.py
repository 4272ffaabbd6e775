"""Where documents are kept, and where they come from."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from gateway.model.base import RecordProof
from gateway.model.knowledge.document import Chunk
from gateway.model.knowledge.version import DocumentVersion
from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata
from gateway.ports.knowledge import Documents, Indexed

OriginKind = Literal["hand", "folder", "repository", "left"]
"""Added by hand on one day; a folder; a branch of a Git repository; what stayed as it was when its folder went on."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What vouches for how old documents are: all of one origin were last looked at together."""

    kind: OriginKind
    name: str
    """The day, the path of the folder or the repository with its branch."""


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version of a document that is about to be kept."""

    tenant: str
    corpus: str
    document: str
    labels: Provenance
    metadata: Metadata | None
    digest: str
    media_type: str
    title: str | None
    origin: Origin
    place: str | None
    """Path within its origin; None for what was added by hand."""

    added_at: str
    proof: RecordProof
    """Of its record in the ledger."""


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version with what only its keeper needs."""

    version: DocumentVersion
    origin: Origin
    place: str | None
    proof: RecordProof
    ended_at: str | None
    """Since when it is not used any more."""

    purged: bool
    """Whether its text is deleted."""

    chunks: int


class KnowledgeStore(Documents, Protocol):
    """
    `Documents` that can be changed.

    What a call changed is durable when it returns.  Who changes anything holds the lock of `writing`, in whichever process.
    """

    def writing(self) -> AbstractContextManager[None]:
        """
        Have the store for oneself, among all processes; free again when the process ends, however it does.

        Raises:
            StoreError: somebody else has had it for too long.
        """

    def current(self, tenant: str, corpus: str, document: str) -> KeptVersion | None:
        """The version that may be found."""

    def versions(
        self, tenant: str, corpus: str | None = None, document: str | None = None, *, history: bool = False
    ) -> Sequence[KeptVersion]:
        """Versions by corpus, document and age; without *history* those alone that may be found or were set aside."""

    def of_origin(self, tenant: str, corpus: str, origin: Origin) -> Mapping[str, KeptVersion]:
        """The versions that may be found and were taken from an origin, by their place in it."""

    def put(self, new: NewVersion, chunks: Sequence[Chunk], codes: Sequence[str] | None = None) -> int:
        """
        Keep a version; with *codes* as one that was set aside for them, else as one that cannot be found before `publish`.

        Raises:
            StoreError: it is not known to be durable.
        """

    def indexed(self, version: int) -> Sequence[Indexed]:
        """The chunks of a version, as an index is told of them."""

    def publish(self, version: int, at: str) -> Sequence[int]:
        """
        Let a version be found from now on, and no other one of its document: all at once.

        Returns:
            The chunks that are not found any more.
        """

    def withdraw(self, versions: Sequence[int], at: str) -> Sequence[int]:
        """Have versions not found from now on, nor set aside; their chunks, of which an index is to be rid."""

    def purge(self, versions: Sequence[int]) -> int:
        """Delete the texts and findings of versions that are not found, so that no file holds them; how many had any."""

    def over(self, tenant: str, corpus: str, before: str) -> Sequence[int]:
        """Versions with text that ended before a time."""

    def moved(self, version: int, origin: Origin, place: str | None, at: str) -> Sequence[int]:
        """
        Have another origin vouch for a version, which was looked at then if it is new.

        Returns:
            The ids of its chunks that are gone: under their new labels they have new ids.
        """

    def verified(self, tenant: str, corpus: str, origin: Origin, at: str) -> None:
        """An origin was looked at to its end: all that was taken from it is as it was then."""

    def forget_staged(self) -> Sequence[int]:
        """Delete what was never published, since whoever was at it is gone; its chunks."""

    def screenings(self) -> Sequence[str]:
        """For what documents were looked at when they came in."""

    def unscreened(self, screening: str, detector: str, most: int) -> Sequence[tuple[str, str, str]]:
        """Chunks that may be found and of which no findings are kept: tenant, digest of the content and text, *most* at most."""

    def close(self) -> None:
        """Release it."""


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A file of a folder or a repository."""

    place: str
    """Its path there, with `/`."""

    size: int


class FileTree(Protocol):
    """A folder, or a branch of a repository, as it was when it was opened."""

    @property
    def origin(self) -> Origin:
        """What it vouches as."""

    def files(self) -> Sequence[PlacedFile]:
        """
        Its files, by place; no link is followed.

        Raises:
            SyncFailedError: it cannot be read to its end, or holds more than may be.
        """

    def read(self, place: str, most: int) -> bytes:
        """
        What stands in one of its files.

        Raises:
            DocumentTooLargeError: more than *most* bytes.

            SyncFailedError: it cannot be read.
        """
