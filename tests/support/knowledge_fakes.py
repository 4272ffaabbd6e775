"""Stand-ins for the store and the index of documents, in memory and exact."""

import hashlib
import math
import re

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from gateway.model.knowledge.version import DocumentVersion, KnownChunk
from gateway.model.request import Provenance
from gateway.ports.knowledge import Ids, Indexed, LabelTuple, SearchHit


class FakeDocuments:
    """A `gateway.ports.knowledge.Documents` that a test fills."""

    def __init__(self, tuples: Sequence[LabelTuple] = ()) -> None:
        self.epoch = 1
        self.held = {one.id: one for one in tuples}
        self.known: dict[int, KnownChunk] = {}

    def tuples(self, tenant: str) -> Sequence[LabelTuple]:
        return [one for _, one in sorted(self.held.items()) if one.tenant == tenant]

    def chunks(self, ids: Sequence[int]) -> Mapping[int, KnownChunk]:
        return {one: self.known[one] for one in ids if one in self.known}

    def withdrawn(self, tenant: str, named: Sequence[tuple[str, str | None]]) -> Sequence[bool]:
        return [False for _ in named]

    def findable(self) -> Iterable[Indexed]:
        return [Indexed(one.id, one.tuple_id, one.text, " ".join(one.path)) for one in self.known.values()]

    def change(self, *tuples: LabelTuple) -> None:
        """Put combinations in the place of those of the same ids, or beside them."""
        self.held |= {one.id: one for one in tuples}
        self.epoch += 1

    def add(self, text: str, labels: Provenance, tenant: str = "gfm") -> int:
        """A document of one chunk; its id."""
        number = len(self.known) + 1
        self.change(LabelTuple(number, tenant, labels))
        version = DocumentVersion(
            id=number,
            tenant=tenant,
            corpus=labels.corpus or "corpus",
            document=labels.source_id or "document",
            labels=labels,
            metadata=None,
            digest=hashlib.sha256(text.encode()).hexdigest(),
            media_type="text/plain",
            title=None,
            status="accepted",
            codes=(),
            origin=1,
            added_at="2026-03-01T00:00:00.000000Z",
        )
        self.known[number] = KnownChunk(number, number, text, (), 0, len(text), 0, None, version)
        return number


class ExactIndex:
    """A `gateway.ports.knowledge.KnowledgeIndex` that looks at every permitted chunk; what is forbidden has no part in a score."""

    def __init__(self, chunks: Iterable[Indexed] = ()) -> None:
        self.held = {one.id: one for one in chunks}
        self.asked: list[tuple[int, ...]] = []

    @property
    def revision(self) -> str:
        said = repr(sorted((one.id, one.tuple_id) for one in self.held.values()))
        return hashlib.sha256(said.encode()).hexdigest()

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        for one in gone:
            self.held.pop(one, None)
        self.held |= {one.id: one for one in added}

    def ids(self) -> Ids:
        return np.array(sorted(self.held), np.int64)

    def search(self, question: str, permitted: Ids, most: int) -> Sequence[SearchHit]:
        self.asked.append(tuple(permitted.tolist()))
        may = set(permitted.tolist())
        words = {
            one.id: Counter(_words(f"{one.context} {one.text}")) for one in self.held.values() if one.tuple_id in may
        }
        asked = Counter(_words(question))
        among = Counter(word for counts in words.values() for word in counts)
        hits = [
            SearchHit(id_, _bm25(asked, counts, among, len(words)), _cosine(asked, counts))
            for id_, counts in words.items()
        ]
        best = {one.id for one in sorted(hits, key=lambda hit: (-hit.lexical, hit.id))[:most]}
        best |= {one.id for one in sorted(hits, key=lambda hit: (-hit.cosine, hit.id))[:most]}
        return [one for one in hits if one.id in best]

    def close(self) -> None:
        pass


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _bm25(asked: Counter[str], counts: Counter[str], among: Counter[str], documents: int) -> float:
    weights = {word: math.log(1 + (documents - among[word] + 0.5) / (among[word] + 0.5)) for word in asked}
    return sum(weights[word] * counts[word] * 2.2 / (counts[word] + 1.2) for word in asked)


def _cosine(asked: Counter[str], counts: Counter[str]) -> float:
    length = math.sqrt(sum(n * n for n in asked.values())) * math.sqrt(sum(n * n for n in counts.values()))
    return sum(asked[word] * counts[word] for word in asked) / length if length else 0.0
