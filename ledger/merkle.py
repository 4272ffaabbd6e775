"""
Merkle tree hashing of RFC 6962 section 2.1 (also RFC 9162), with SHA-256.

Rules: a leaf is hashed with the prefix 0x00 and a node with 0x01, so that one can never pass for the
other.  The root over nothing is the hash of the empty string.
"""

import hashlib

from collections.abc import Sequence
from typing import Final

EMPTY_ROOT: Final = hashlib.sha256().digest()
ZERO_HASH: Final = bytes(32)
"""What the first record of a lane has for its previous leaf hash."""


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
