"""Findings by content, in memory and beside the documents."""

import json

from collections.abc import Iterator, Mapping, MutableMapping
from threading import Lock

from cachetools import LRUCache

from adapters.knowledge.store import SqliteDocuments
from gateway.model import Finding
from gateway.screening.find import CacheKey

_Found = tuple[Finding, ...]


class KnownFindings(MutableMapping[CacheKey, _Found]):
    """
    A `FindingCache` that also knows what was found in documents when they came in.

    What requests add stays in memory alone, so that no request waits for the disk.  Safe to share between threads.
    """

    def __init__(self, store: SqliteDocuments, most: int) -> None:
        """
        Args:
            store: where those of documents are kept.
            most: how many are held in memory.
        """
        self._store = store
        self._held: LRUCache[CacheKey, _Found] = LRUCache(most)
        self._lock = Lock()

    def __getitem__(self, key: CacheKey) -> _Found:
        with self._lock:
            held = self._held.get(key)
        if held is None:
            held = _read(self._store.found([key])[key])
            self._keep(key, held)
        return held

    def _keep(self, key: CacheKey, found: _Found) -> None:
        with self._lock:
            self._held[key] = found

    def __setitem__(self, key: CacheKey, found: _Found) -> None:
        self._keep(key, found)

    def __delitem__(self, key: CacheKey) -> None:
        with self._lock:
            del self._held[key]

    def __iter__(self) -> Iterator[CacheKey]:
        with self._lock:
            return iter(list(self._held))

    def __len__(self) -> int:
        return len(self._held)


class KeptFindings(KnownFindings):
    """The same for whoever takes documents in: what is added is kept beside them, durably."""

    def __setitem__(self, key: CacheKey, found: _Found) -> None:
        self.update({key: found})

    def update(self, found: Mapping[CacheKey, _Found]) -> None:  # type: ignore[override] # of all its forms only this one is used
        for key, some in found.items():
            super().__setitem__(key, some)
        self._store.keep_findings({key: _written(some) for key, some in found.items()})


def _written(found: _Found) -> str:
    return json.dumps([one.model_dump(mode="json", exclude_defaults=True) for one in found], separators=(",", ":"))


def _read(text: str) -> _Found:
    return tuple(Finding.model_validate(one) for one in json.loads(text))
