"""What tests of searching share: an embedder without weights, and chunks with little text."""

import hashlib

from collections.abc import Iterable

import numpy as np

from gateway.ports.knowledge import Indexed, Vector


class HashedEmbedder:
    """
    A `gateway.ports.knowledge.Embedder` that costs nothing: a text is near another that shares its words.

    Each word has a vector of its own, made of its hash; a text's is the sum of them.
    """

    def __init__(self, name: str = "hashed", dimensions: int = 64) -> None:
        self.name = name
        self.dimensions = dimensions

    def embed(self, text: str) -> Vector:
        total = np.zeros(self.dimensions)
        for word in text.lower().split() or [""]:
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            total += np.random.default_rng(seed).standard_normal(self.dimensions)
        return (total / max(float(np.linalg.norm(total)), 1e-9)).astype(np.float32)


def chunk(number: int, tuple_id: int, text: str, context: str = "") -> Indexed:
    """A chunk as an index is told of it."""
    return Indexed(id=number, tuple_id=tuple_id, text=text, context=context)


def permitted_alone(chunks: Iterable[Indexed], permitted: Iterable[int]) -> list[Indexed]:
    """The chunks that may be found."""
    allowed = set(permitted)
    return [one for one in chunks if one.tuple_id in allowed]
