"""Documents found as a request would find them, for measuring how well that is done."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gateway.model.knowledge.golden import Asker


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A chunk that was found, without its text."""

    document: str
    """By its name in its corpus."""

    version: str | None = None
    path: tuple[str, ...] = ()
    """Titles of the sections that it stands in, the outermost first."""

    admitted: bool = True
    """Whether the gate admits what the search found: it is asked again of every chunk."""


@dataclass(frozen=True, slots=True)
class Searchable:
    """What is searched, so that two measurements can be told apart."""

    index: str
    """Revision of the index."""

    bundle: str
    """Revision of the bundle that decides."""

    embedder: str
    """Its name, with the digest of its weights."""

    reranker: str | None
    """The same of the reranker; None where nothing is reranked."""


class Finder(Protocol):
    """Searches as the stage `retrieve` does: within what policy lets the asker see, with the same ranking."""

    @property
    def searchable(self) -> Searchable:
        """What is searched now."""

    def documents(self, tenant: str) -> Iterable[str]:
        """Names of the tenant's documents that may be found by somebody."""

    async def find(self, asker: Asker, question: str, *, reranked: bool) -> Sequence[FoundSection]:
        """
        What is found, the best first.

        Args:
            asker: who asks; policy decides what may be found.
            question: what is asked.
            reranked: with the reranker, or in the order of the first stage; in both cases as many as a request would get.

        Raises:
            PolicyError: policy gave no usable answer, so nothing is searched.

            KnowledgeError: the index cannot be searched.
        """


class Findable(Protocol):
    """What a gateway has taken in, opened to be measured or learned from."""

    @property
    def finder(self) -> Finder:
        """As requests search it now."""

    @property
    def base(self) -> Mapping[str, Path]:
        """Files that a new embedder is trained from: `embedder.onnx`, `word_embeddings.bin` and `tokenizer.json`."""

    def with_embedder(self, weights: Path) -> AbstractAsyncContextManager[Finder]:
        """
        The same documents, searched with another embedder in a temporary index; nothing that requests use is changed.

        Args:
            weights: a graph with its word table and its tokenizer beside it.

        Raises:
            ModelUnusableError: the file holds no embedder of the form that the gateway runs.
        """

    async def passages(self, asker: Asker) -> Sequence[str]:
        """
        Texts of the chunks that policy lets an asker see, in an order that is always the same.

        Raises:
            PolicyError: policy gave no usable answer, so nothing is shown.
        """
