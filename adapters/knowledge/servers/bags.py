"""
What the distributed indexes share: words of a chunk, how they count, and the digest of what an index holds.

Rule held here: no server is told a word.  Terms are numbers made of them, so that whoever reads an index reads no text; of
questions, too.
"""

import hashlib

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from gateway.ports.knowledge import Indexed

Analyser = Callable[[str], Sequence[str]]
"""The terms of a text, as they are compared: a stem each, in order, repeated where they are."""

K1: Final = 1.2
B: Final = 0.75
"""The constants of BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.1)."""

MOST_TERMS: Final = 512
"""Different terms of a question that are looked for, the first ones; it bounds what a question may cost a server."""

MOST_CHARACTERS: Final = 20_000
"""Of a question so many are read."""

_SPACE: Final = 2**256


def reading(chunk: Indexed) -> str:
    """What of a chunk is read: where it stands, then its text."""
    return f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text


def term_number(term: str, *, bits: int = 64) -> int:
    """
    A term as a number: the beginning of its SHA-256.

    Args:
        term: as the analyser gives it.
        bits: how many; two of a million terms are one number with a chance of 3e-8 at 64 bits, and some hundred are at 32.
    """
    digest = hashlib.sha256(term.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[: bits // 8], "big", signed=bits == 64)


def bag(text: str, analyse: Analyser, *, bits: int = 64) -> Counter[int]:
    """How often each term stands in a text."""
    return Counter(term_number(term, bits=bits) for term in analyse(text))


def asked_terms(question: str, analyse: Analyser, *, bits: int = 64) -> list[int]:
    """The terms of a question, each once: to repeat one does not make it mean more."""
    terms = dict.fromkeys(analyse(question[:MOST_CHARACTERS]))
    return list(dict.fromkeys(term_number(term, bits=bits) for term in list(terms)[:MOST_TERMS]))


def mark(chunk: int, tuple_id: int) -> int:
    """What one chunk adds to the sum of an index, modulo 2**256; taken out again it leaves nothing of itself."""
    return int.from_bytes(hashlib.sha256(f"{chunk}:{tuple_id}".encode()).digest(), "big")


def sum_after(total: int, gone: Iterable[int], added: Iterable[int]) -> int:
    """The sum of an index after marks were taken out and in."""
    return (total - sum(gone) + sum(added)) % _SPACE


def revision_of(embedder: str, count: int, total: int) -> str:
    """Digest of what an index holds: the same for the same chunks, whatever it held before."""
    return hashlib.sha256(f"{embedder}:{count}:{total:064x}".encode()).hexdigest()
