"""The tree as it was at a size, from full tiles and entries alone: what the stored head says is not asked."""

from ledger.errors import LedgerCorruptError
from ledger.store import Head, Store
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import consistency_proof, leaf_hash, root_hash, verify_consistency
from ledger.tlog.tiles import WIDTH, edge_root, edge_tiles, hashes_of, subtree_of, widths


def head_of(store: Store, checkpoint: Checkpoint) -> Head:
    """
    The head that a checkpoint was signed over.

    Raises:
        LedgerCorruptError: the log does not have it any more.
    """
    stored = store.head()
    if (stored.size, stored.root) == (checkpoint.size, checkpoint.root) and _whole(stored):
        return stored
    edge = b"".join(
        _partial(store, level, width, checkpoint.size) for level, width in enumerate(widths(checkpoint.size))
    )
    head = Head(checkpoint.size, checkpoint.root, edge)
    if not _whole(head):
        raise LedgerCorruptError(
            "the log", f"{checkpoint.size} entries were signed here or by others, and it does not have them"
        )
    return head


def _whole(head: Head) -> bool:
    """Whether the root of a head is the one of its edge."""
    return len(head.edge) == 32 * sum(widths(head.size)) and edge_root(head.size, head.edge) == head.root


def _partial(store: Store, level: int, width: int, size: int) -> bytes:
    start = size // WIDTH ** (level + 1) * WIDTH
    if level == 0:
        return b"".join(map(leaf_hash, store.entries(start, start + width)))
    below = (store.tile(level - 1, number) for number in range(start, start + width))
    return b"".join(root_hash(hashes_of(tile)) for tile in below if tile)


def continues(store: Store, old: Checkpoint, head: Head) -> bool:
    """Whether the tree of a head begins with an older one, by a proof of consistency (RFC 9162 section 2.1.4)."""
    if old.size > head.size:
        return False
    edge = edge_tiles(head.size, head.edge)

    def read(level: int, number: int) -> bytes:
        if number == head.size // WIDTH ** (level + 1):
            return edge[level]
        return store.tile(level, number) or b""

    try:
        proof = consistency_proof(old.size, head.size, subtree_of(read))
    except (IndexError, ValueError):
        return False
    return verify_consistency(old.size, head.size, old.root, head.root, proof)
