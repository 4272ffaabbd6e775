"""Reading a log as others see it: tiles, bundles of entries and proofs, from any store."""

from dataclasses import dataclass

from ledger.errors import LedgerCorruptError
from ledger.store import Published, Store
from ledger.tlog.checkpoint import Proof
from ledger.tlog.merkle import EMPTY_ROOT, HASH_BYTES, consistency_proof, inclusion_proof
from ledger.tlog.tiles import WIDTH, TileName, bundle, edge_tiles, subtree_of


@dataclass(frozen=True, slots=True)
class LogReader:
    """The static side of a log (c2sp.org/tlog-tiles)."""

    store: Store

    def tile(self, name: TileName) -> bytes | None:
        """The bytes of a tile or bundle; None if the log has not come so far."""
        if name.level is None:
            return self._bundle(name)
        hashes = self.store.tile(name.level, name.number)
        if hashes is None:
            head = self.store.head()
            edge = edge_tiles(head.size, head.edge)
            here = head.size // WIDTH ** (name.level + 1) == name.number
            # A tile may have become full between the two questions.
            hashes = (edge[name.level] if here and name.level < len(edge) else None) or self.store.tile(
                name.level, name.number
            )
        if hashes is None or len(hashes) < name.width * HASH_BYTES:
            return None
        return hashes[: name.width * HASH_BYTES]

    def _bundle(self, name: TileName) -> bytes | None:
        start = name.number * WIDTH
        if start + name.width > self.store.head().size:
            return None
        return bundle(self.store.entries(start, start + name.width))

    def hashes(self, level: int, number: int, size: int) -> bytes:
        """
        A tile as it is in the tree of a size.

        Raises:
            LedgerCorruptError: the log lacks it.
        """
        width = min(WIDTH, size // WIDTH**level - number * WIDTH)
        hashes = self.tile(TileName(level, number, width))
        if hashes is None:
            raise LedgerCorruptError(f"tile {level}/{number}", "it is not there")
        return hashes

    def inclusion(self, decision_id: str) -> Proof | None:
        """The proof that a record is in the log, against the newest checkpoint; None if it is not covered yet."""
        published, index = self.store.published(), self.store.index_of(decision_id)
        if published is None or index is None or index >= published.size:
            return None
        return self.proof(index, published)

    def proof(self, index: int, published: Published) -> Proof:
        """
        The proof that an entry is in the tree of a checkpoint.

        Raises:
            ValueError: the checkpoint does not cover it.
        """
        subtree = subtree_of(lambda level, number: self.hashes(level, number, published.size))
        return Proof(index, tuple(inclusion_proof(index, published.size, subtree)), published.note)

    def consistency(self, old: int, published: Published) -> list[bytes]:
        """
        The proof that a published tree begins with an older one.

        Raises:
            ValueError: the older one is larger.
        """
        subtree = subtree_of(lambda level, number: self.hashes(level, number, published.size))
        return consistency_proof(old, published.size, subtree)

    def root(self, size: int) -> bytes:
        """
        The root of the tree as it was at a size.

        Raises:
            LedgerCorruptError: the log has not come so far.
        """
        if size > self.store.head().size:
            raise LedgerCorruptError("the log", f"it has fewer than {size} entries")
        if size == 0:
            return EMPTY_ROOT
        return subtree_of(lambda level, number: self.hashes(level, number, size))(0, size)
