"""
Merkle tree hashing, proofs and their verification (RFC 6962 section 2.1, RFC 9162 section 2.1), with SHA-256.

Rules: a leaf is hashed with the prefix 0x00 and a node with 0x01, so that one can never pass for the
other.  The root over nothing is the hash of the empty string.  A proof has exactly the hashes it needs:
one too many is refused like one too few.  From an empty tree every tree follows, with an empty proof, as
long as the root given for the empty one is the hash of the empty string.
"""

import hashlib

from collections.abc import Callable, Sequence
from typing import Final

EMPTY_ROOT: Final = hashlib.sha256().digest()
HASH_BYTES: Final = 32
ZERO_HASH: Final = bytes(HASH_BYTES)
"""What the first record of a lane has for its previous leaf hash."""

Subtree = Callable[[int, int], bytes]
"""Answers the root over the leaves from the first index up to, not including, the second."""


def leaf_hash(entry: bytes) -> bytes:
    """SHA-256(0x00 || entry)."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 || left || right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_hash(leaves: Sequence[bytes]) -> bytes:
    """
    The tree head over leaf hashes, in order (RFC 6962 section 2.1).

    Pairing neighbours level by level, with an odd last one carried up, gives the same tree as the
    RFC's recursive split at the largest power of two.
    """
    if not leaves:
        return EMPTY_ROOT
    level = list(leaves)
    while len(level) > 1:
        paired = [node_hash(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        if len(level) % 2:
            paired.append(level[-1])
        level = paired
    return level[0]


def split(size: int) -> int:
    """The largest power of two smaller than *size*, which is at least 2."""
    return 1 << (size - 1).bit_length() - 1


def inclusion_proof(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """
    The audit path of a leaf, from the leaf's sibling up (RFC 6962 section 2.1.1).

    Raises:
        ValueError: there is no such leaf.
    """
    if not 0 <= index < size:
        msg = f"there is no leaf {index} in a tree of {size}"
        raise ValueError(msg)
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            path.append(subtree(middle, end))
            end = middle
        else:
            path.append(subtree(start, middle))
            start = middle
    return path[::-1]


def consistency_proof(old: int, size: int, subtree: Subtree) -> list[bytes]:
    """
    What shows that the tree of *size* begins with the tree of *old* (RFC 6962 section 2.1.2).

    Raises:
        ValueError: the old tree is larger.
    """
    if not 0 <= old <= size:
        msg = f"a tree of {size} has no part of {old}"
        raise ValueError(msg)
    if old in {0, size}:
        return []
    path: list[bytes] = []
    start, end, whole = 0, size, True
    while old != end:
        middle = start + split(end - start)
        if old <= middle:
            path.append(subtree(middle, end))
            end = middle
        else:
            path.append(subtree(start, middle))
            start, whole = middle, False
    if not whole:
        path.append(subtree(start, end))
    return path[::-1]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows the leaf at an index of the tree with this root (RFC 9162 section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def verify_consistency(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the newer tree begins with the older one (RFC 9162 section 2.1.4.2)."""
    if not 0 <= old <= size:
        return False
    if old == size:
        return not proof and old_root == root and (old > 0 or root == EMPTY_ROOT)
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    older = newer = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and older == old_root and newer == root
