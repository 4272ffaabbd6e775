"""What documents are searched with, and one search within what may be found."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gateway.concurrency.apart import apart
from gateway.errors import ReachMismatchError
from gateway.knowledge.items import candidate_of, relevance
from gateway.knowledge.reach import Mask, Reach, ReachQuestion
from gateway.model import Registry
from gateway.model.knowledge.version import KnownChunk
from gateway.model.policy_input import SearchFacts
from gateway.model.request import Fetched
from gateway.ports.knowledge import Documents, KnowledgeIndex, SearchHit

_WHOLE: Final = 10_000_000
"""Bytes: a search is made apart from the event loop, however small the request."""


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """How a bundle has documents searched: of its table `retrieval` what a search needs."""

    most: int
    """Chunks that are found by words, and as many by meaning."""

    told: Mapping[str, str]
    """What is on record of a search: embedder, reranker and fusion, by these names."""

    rank: Callable[[str, Sequence[SearchHit], Mapping[int, str]], Sequence[tuple[int, float]]]
    """Which of the found chunks become items, the most relevant first, each with its relevance from 0 to 1."""


@dataclass(frozen=True, slots=True)
class KnowledgeLibrary:
    """The documents of this gateway with all that it takes to find them."""

    documents: Documents
    index: KnowledgeIndex
    reach: Reach
    terms: Callable[[Registry], SearchTerms | None]
    """Of a bundle's registry; None where it says nothing of searches, so that nothing is searched."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search came to."""

    items: tuple[Fetched, ...]
    facts: SearchFacts
    mask: Mask


async def search(
    library: KnowledgeLibrary,
    question: ReachQuestion,
    query: str,
    terms: SearchTerms,
    *,
    known: Collection[str],
    room: int,
    mark: str,
) -> SearchResult:
    """
    Items of the chunks that answer best, of those that may be found.

    Args:
        library: the documents.
        question: who asks, with what.
        query: what is asked.
        terms: how it is searched.
        known: digests of contents that the request has already, which are not found again.
        room: for so many items.
        mark: what stands on record for what is asked, of which nobody can guess the words.

    Raises:
        IndexUnavailableError: it cannot be searched, or it cannot be told what may be found.

        ReachMismatchError: the index answered with what it was not asked for.

        PolicyError: policy gave no usable answer.
    """
    mask = await library.reach.mask(question)
    # An index is never asked without anything that may be found: what it would do then is not its to choose.
    look = partial(_hits, library, query, terms, mask, question.vouching.tenant)
    hits, chunks = await apart(look, size=_WHOLE) if len(mask.permitted) else ([], {})
    choose = partial(_chosen, query, terms, hits, _items(chunks, mask, question), known)
    items = (await apart(choose, size=_WHOLE))[: max(0, room)] if hits else []
    return SearchResult(tuple(items), _facts(library, question, mark, terms, mask, len(hits), len(items)), mask)


def _hits(
    library: KnowledgeLibrary, query: str, terms: SearchTerms, mask: Mask, tenant: str
) -> tuple[Sequence[SearchHit], Mapping[int, KnownChunk]]:
    hits = library.index.search(query, mask.permitted, terms.most)
    found = library.documents.chunks([hit.id for hit in hits])
    permitted = set(mask.permitted.tolist())
    if any(chunk.version.tenant != tenant for chunk in found.values()):
        raise ReachMismatchError("the index found a chunk of another tenant")
    # What has other labels since the mask was made may not be judged by its old ones.
    kept = {id_: chunk for id_, chunk in found.items() if chunk.tuple_id in permitted}
    if len(kept) < len(found) and library.documents.epoch == mask.epoch:
        raise ReachMismatchError("the index found a chunk that it was not asked for")
    return [hit for hit in hits if hit.id in kept], kept


def _items(chunks: Mapping[int, KnownChunk], mask: Mask, question: ReachQuestion) -> dict[int, Fetched]:
    return {
        id_: candidate_of(chunk, mask.labels[chunk.tuple_id], question.source, question.section, 0.0)
        for id_, chunk in chunks.items()
    }


def _chosen(
    query: str, terms: SearchTerms, hits: Sequence[SearchHit], items: Mapping[int, Fetched], known: Collection[str]
) -> list[Fetched]:
    """The best of those that the request does not have; one of several that say the same word for word."""
    seen, texts = set(known), dict[int, str]()
    for id_, item in sorted(items.items()):
        if item.digest not in seen:
            seen.add(item.digest)
            texts[id_] = str(item.content)
    ranked = terms.rank(query, [hit for hit in hits if hit.id in texts], texts)
    return [items[id_].model_copy(update={"score": relevance(score)}) for id_, score in ranked if id_ in texts]


def _facts(  # noqa: PLR0917
    library: KnowledgeLibrary, question: ReachQuestion, mark: str, terms: SearchTerms, mask: Mask, hits: int, kept: int
) -> SearchFacts:
    told = terms.told
    return {
        "source": question.source,
        "index": library.index.revision,
        "epoch": mask.epoch,
        "dictionary": mask.dictionary,
        "mask": mask.digest,
        "tuples": mask.tuples,
        "permitted": len(mask.permitted),
        "most": terms.most,
        "query": mark,
        "embedder": told.get("embedder", ""),
        "reranker": told.get("reranker", ""),
        "fusion": told.get("fusion", ""),
        "hits": hits,
        "kept": kept,
    }


def require_reached(refused: Collection[str], found: Collection[str]) -> None:
    """
    Refuse a request for which the gate refuses what the search was allowed to find.

    Both were asked with the same facts at the same time, so that one of them is wrong.

    Raises:
        ReachMismatchError: says how many, never which.
    """
    wrong = len(set(refused) & set(found))
    if wrong:
        raise ReachMismatchError(f"the gate refused {wrong} items that the search was allowed to find")
