"""
Knowledge in Qdrant: exact vectors, and words as sparse vectors that the server weighs by what is permitted.

Rules held here: the permitted tuples are a filter of every search, and also the corpus that inverse document frequencies are
counted over, which a server does since 1.19 and an older one might ignore, so that none is used; what comes back is held against
the filter once more; no graph is built, since it would depend on forbidden chunks.

A server has no transactions, so that chunks carry from and until which generation they are there, and one point, the head, says
which generation it is: a replacement is complete when the head is written, and what was staged for one that never was is taken
out before the next.  One gateway writes at a time, as it does to the store that the index is made from.

Lengths are compared with `usual_terms`, a constant, where the mean of the permitted part would be: the server takes a chunk's weight
when it comes, and a mean over all chunks would tell of forbidden ones.
"""

import uuid

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, Final, TypeVar

import httpx
import numpy as np

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException

from adapters.knowledge.servers.bags import K1, Analyser, B, asked_terms, bag, mark, reading, revision_of, sum_after
from adapters.knowledge.servers.qdrant_wire import (
    DENSE,
    HEAD,
    HEAD_ID,
    NEVER,
    SPARSE,
    best,
    head_point,
    permitted_at,
    point_id,
    require_version,
    there_at,
)
from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Embedder, Ids, Indexed, SearchHit

_AT_ONCE: Final = 200
"""Points in one request."""

_PAGE: Final = 5_000
_SLACK: Final = 64
"""How many more of equal score are asked for, so that which of them come is decided here, by their ids."""

_LARGEST: Final = 2**63 - 1
_T = TypeVar("_T")


class QdrantIndex:
    """A `gateway.ports.knowledge.KnowledgeIndex` in a collection that `lay_out` has made."""

    def __init__(
        self, client: QdrantClient, collection: str, *, embedder: Embedder, analyse: Analyser, usual_terms: float = 120
    ) -> None:
        """
        Args:
            client: of the server.
            collection: its name.
            embedder: makes the vectors, those of questions and of chunks.
            analyse: makes terms, of questions and of chunks alike.
            usual_terms: how many terms a usual chunk has; it must stay what it was when the index was built.

        Raises:
            IndexUnavailableError: the server does not answer, is too old, or holds vectors of another embedder.
        """
        self._client = client
        self._collection = collection
        self._embedder = embedder
        self._analyse = analyse
        self._usual = usual_terms
        self._writing = Lock()
        self._ask(lambda: require_version(client))
        if self._head()["embedder"] != self._name:
            raise IndexUnavailableError("the index holds vectors of another embedder; build it anew")

    @property
    def _name(self) -> str:
        return f"{self._embedder.name}:{self._usual:g}"

    @property
    def revision(self) -> str:
        head = self._head()
        return revision_of(self._embedder.name, head["chunks"], int(head["marks"], 16))

    def _ask(self, act: Callable[[], _T]) -> _T:
        try:
            return act()
        except (ApiException, httpx.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
            raise IndexUnavailableError("the server of the index did not answer, or refused") from error

    def _head(self) -> Mapping[str, Any]:
        found = self._ask(
            lambda: self._client.retrieve(
                self._collection, [HEAD_ID], with_payload=True, consistency=models.ReadConsistencyType.MAJORITY
            )
        )
        if not found or HEAD not in (found[0].payload or {}):
            raise IndexUnavailableError("the collection of the index is not laid out")
        head: Mapping[str, Any] = (found[0].payload or {})[HEAD]
        return head

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        if any(not 0 <= number <= _LARGEST for chunk in added for number in (chunk.id, chunk.tuple_id)):
            raise IndexUnavailableError("an id is none of the store")
        out = sorted({*gone, *(chunk.id for chunk in added)})
        with self._writing:
            self._ask(lambda: self._replaced(out, added))

    def _replaced(self, out: Sequence[int], added: Sequence[Indexed]) -> None:
        head = self._head()
        # Until the head is written, what follows is seen by nobody.
        now, after = head["generation"], head["generation"] + 1
        self._clean(now)
        went: dict[int, int] = {}
        for some in _parts(out):
            filter_ = there_at(now, models.FieldCondition(key="chunk", match=models.MatchAny(any=list(some))))
            went |= {int(said["chunk"]): int(said["tuple"]) for said in self._payloads(filter_)}
            self._client.set_payload(
                self._collection, {"until": after}, filter_, wait=True, ordering=models.WriteOrdering.STRONG
            )
        for part in _parts(added):
            points = [self._point(chunk, after) for chunk in part]
            self._client.upsert(self._collection, points, wait=True, ordering=models.WriteOrdering.STRONG)
        marks = sum_after(
            int(head["marks"], 16), [mark(*one) for one in went.items()], [mark(c.id, c.tuple_id) for c in added]
        )
        written = {
            "embedder": self._name,
            "generation": after,
            "chunks": head["chunks"] + len(added) - len(went),
            "marks": f"{marks:x}",
            "writer": uuid.uuid4().hex,
        }
        self._client.upsert(
            self._collection,
            [head_point(written)],
            wait=True,
            ordering=models.WriteOrdering.STRONG,
            update_filter=models.Filter(
                must=[models.FieldCondition(key=f"{HEAD}.generation", match=models.MatchValue(value=now))]
            ),
        )
        if self._head()["writer"] != written["writer"]:
            raise IndexUnavailableError("another gateway changed the index meanwhile")

    def _clean(self, now: int) -> None:
        """Take out what no search sees: what was staged and never came, and what is gone since the last replacement."""
        never_came = models.FieldCondition(key="since", range=models.Range(gt=now))
        gone = models.FieldCondition(key="until", range=models.Range(lte=now))
        left = models.FieldCondition(key="until", range=models.Range(gt=now, lt=NEVER))
        self._client.delete(self._collection, models.Filter(should=[never_came, gone]), wait=True)
        self._client.set_payload(self._collection, {"until": NEVER}, models.Filter(must=[left]), wait=True)

    def _point(self, chunk: Indexed, since: int) -> models.PointStruct:
        terms = bag(reading(chunk), self._analyse, bits=32)
        norm = K1 * (1 - B + B * terms.total() / self._usual)
        weights = {term: times * (K1 + 1) / (times + norm) for term, times in terms.items()}
        vector: dict[str, Any] = {DENSE: self._embedder.embed(reading(chunk)).tolist()}
        if weights:
            vector[SPARSE] = models.SparseVector(indices=list(weights), values=list(weights.values()))
        payload = {"chunk": chunk.id, "tuple": chunk.tuple_id, "since": since, "until": NEVER}
        return models.PointStruct(id=point_id(chunk.id, since), vector=vector, payload=payload)

    def ids(self) -> Ids:
        now = self._head()["generation"]
        found = self._ask(lambda: [int(said["chunk"]) for said in self._payloads(there_at(now))])
        return np.array(sorted(found), dtype=np.int64)

    def _payloads(self, filter_: models.Filter) -> Iterator[Mapping[str, Any]]:
        offset = None
        while True:
            records, offset = self._client.scroll(
                self._collection, filter_, limit=_PAGE, offset=offset, with_payload=["chunk", "tuple"]
            )
            yield from (record.payload or {} for record in records)
            if offset is None:
                return

    def search(self, question: str, permitted: Ids, most: int) -> Sequence[SearchHit]:
        allowed = [int(one) for one in permitted]
        if not allowed:
            return []
        terms, vector = asked_terms(question, self._analyse, bits=32), self._embedder.embed(question).tolist()
        searching = _Search(permitted_at(self._head()["generation"], allowed), terms, vector)

        def both(lexical: models.Filter | None, near: models.Filter | None, limit: int) -> list[dict[int, float]]:
            requests = searching.requests(lexical, near, limit)
            answers = self._client.query_batch_points(
                self._collection, requests, consistency=models.ReadConsistencyType.MAJORITY
            )
            return [_scores(answer.points, allowed_set) for answer in answers]

        allowed_set = frozenset(allowed)

        def found() -> list[SearchHit]:
            lexical, near = both(searching.filter, searching.filter, most + _SLACK)
            lexical = {one: score for one, score in lexical.items() if score > 0}
            chosen = sorted({*best(lexical, most), *best(near, most)})
            if not chosen:
                return []
            # Asked again of the chosen, so that each has both scores.
            only = models.FieldCondition(key="chunk", match=models.MatchAny(any=chosen))
            within = models.Filter(must=[*searching.conditions, only])
            lexical, near = both(within, within, len(chosen))
            return [SearchHit(one, lexical.get(one, 0.0), near[one]) for one in chosen]

        return self._ask(found)

    def close(self) -> None:
        with suppress(Exception):
            self._client.close()


class _Search:
    """One search: what is permitted, and how it is asked by words and by the vector."""

    def __init__(self, filter_: models.Filter, terms: Sequence[int], vector: list[float]) -> None:
        self.filter = filter_
        self._terms = list(terms)
        self._vector = vector

    @property
    def conditions(self) -> list[Any]:
        """Those of the filter."""
        return list(self.filter.must or [])

    def requests(
        self, lexical: models.Filter | None, near: models.Filter | None, limit: int
    ) -> list[models.QueryRequest]:
        """A question by words and one by the vector; document frequencies are those of what is permitted."""
        asked = models.SparseVector(indices=self._terms, values=[1.0] * len(self._terms))
        scoped = models.SearchParams(exact=True, idf=models.IdfCorpusParams(corpus=self.filter))
        said = ["chunk", "tuple"]
        return [
            models.QueryRequest(
                query=asked, using=SPARSE, filter=lexical, params=scoped, limit=limit, with_payload=said
            ),
            models.QueryRequest(
                query=self._vector,
                using=DENSE,
                filter=near,
                params=models.SearchParams(exact=True),
                limit=limit,
                with_payload=said,
            ),
        ]


def _scores(points: Sequence[models.ScoredPoint], allowed: frozenset[int]) -> dict[int, float]:
    said = [(point.payload or {}, point.score) for point in points]
    if any(payload["tuple"] not in allowed for payload, _ in said):
        raise IndexUnavailableError("the server answered with chunks that were not permitted")
    return {int(payload["chunk"]): float(score) for payload, score in said}


def _parts(of: Sequence[_T]) -> Iterator[Sequence[_T]]:
    for start in range(0, len(of), _AT_ONCE):
        yield of[start : start + _AT_ONCE]
