"""What the index in Qdrant looks like there: its collection, its points and the conditions of a search."""

import re
import uuid

from collections.abc import Mapping, Sequence
from typing import Any, Final

from qdrant_client import QdrantClient, models

from gateway.errors import IndexUnavailableError

DENSE: Final = "dense"
SPARSE: Final = "terms"
HEAD: Final = "head"
HEAD_ID: Final = str(uuid.UUID(int=0))
"""The point that says which generation it is."""

NEVER: Final = 2**52
"""The generation until which a chunk is there that nobody took out; conditions of ranges are floats, which hold it exactly."""

_POINTS: Final = uuid.UUID("5b1f0f4e-6f63-5d6b-8a53-6a1c1d0c7f21")
_SINCE_VERSION: Final = (1, 19)
"""The first with document frequencies over a corpus of one's own."""

_VERSION: Final = re.compile(r"(\d{1,4})\.(\d{1,4})")
_INDEXED: Final = ("tuple", "chunk", "since", "until")


def require_version(client: QdrantClient) -> None:
    """
    Refuse a server that would weigh words by what is forbidden.

    Raises:
        IndexUnavailableError: it is older.
    """
    found = _VERSION.match(client.info().version)
    if found is None or tuple(map(int, found.groups())) < _SINCE_VERSION:
        raise IndexUnavailableError("the server of the index is older than Qdrant 1.19")


def lay_out(
    client: QdrantClient,
    collection: str,
    *,
    embedder: str,
    dimensions: int,
    usual_terms: float = 120,
    shards: int = 1,
    replicas: int = 1,
) -> None:
    """
    Make the collection, where there is none.

    Args:
        client: with a key that may make collections.
        collection: its name.
        embedder: name of the model whose vectors are kept.
        dimensions: of these.
        usual_terms: how many terms a usual chunk has.
        shards: parts that it is kept in.
        replicas: of each part.
    """
    if client.collection_exists(collection):
        return
    client.create_collection(
        collection,
        vectors_config={DENSE: models.VectorParams(size=dimensions, distance=models.Distance.DOT)},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        # No graph: every search is exact.
        hnsw_config=models.HnswConfigDiff(m=0),
        shard_number=shards,
        replication_factor=replicas,
        write_consistency_factor=replicas // 2 + 1,
    )
    for name in _INDEXED:
        client.create_payload_index(collection, name, models.PayloadSchemaType.INTEGER, wait=True)
    name = f"{embedder}:{usual_terms:g}"
    empty = {"embedder": name, "generation": 0, "chunks": 0, "marks": "0", "writer": ""}
    client.upsert(collection, [head_point(empty)], wait=True, ordering=models.WriteOrdering.STRONG)


def head_point(head: Mapping[str, Any]) -> models.PointStruct:
    """The head as a point; it has no vectors, so that no search finds it."""
    return models.PointStruct(id=HEAD_ID, vector={}, payload={HEAD: dict(head)})


def point_id(chunk: int, since: int) -> str:
    """Of a chunk that came with a generation; one that comes again is another point until the first is gone."""
    return str(uuid.uuid5(_POINTS, f"{chunk}:{since}"))


def there_at(generation: int, *more: models.FieldCondition) -> models.Filter:
    """What is there in a generation."""
    came = models.FieldCondition(key="since", range=models.Range(lte=generation))
    stays = models.FieldCondition(key="until", range=models.Range(gt=generation))
    return models.Filter(must=[came, stays, *more])


def permitted_at(generation: int, tuples: Sequence[int]) -> models.Filter:
    """What is permitted of that."""
    return there_at(generation, models.FieldCondition(key="tuple", match=models.MatchAny(any=list(tuples))))


def best(scores: Mapping[int, float], most: int) -> list[int]:
    """The best by score; of equal ones those of smaller ids."""
    return sorted(scores, key=lambda one: (-scores[one], one))[:most]
