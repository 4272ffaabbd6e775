"""What stands in the place of an index where there is none: it knows which chunks it would hold."""

import hashlib

from collections.abc import Iterable, Sequence

import numpy as np

from gateway.errors import IndexUnavailableError
from gateway.ports.knowledge import Ids, Indexed, SearchHit


class Unindexed:
    """`gateway.ports.knowledge.KnowledgeIndex` that finds nothing."""

    def __init__(self) -> None:
        self._held: dict[int, int] = {}

    @property
    def revision(self) -> str:
        return hashlib.sha256(repr(sorted(self._held.items())).encode()).hexdigest()

    def replace(self, gone: Iterable[int], added: Sequence[Indexed]) -> None:
        for id_ in gone:
            self._held.pop(id_, None)
        self._held |= {one.id: one.tuple_id for one in added}

    def ids(self) -> Ids:
        return np.array(sorted(self._held), dtype=np.int64)

    def search(self, question: str, permitted: Ids, most: int) -> Sequence[SearchHit]:
        raise IndexUnavailableError("there is no index of knowledge")

    def close(self) -> None:
        """Nothing to release."""
