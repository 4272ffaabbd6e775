"""A log as others read it: tiles as they fill, bundles, proofs, and what is not there yet."""

import pytest

from ledger.errors import LedgerCorruptError
from ledger.lane import LaneWriter
from ledger.log import LogReader
from ledger.sqlite.store import SqliteStore
from ledger.tlog.merkle import EMPTY_ROOT, HASH_BYTES, leaf_hash, root_hash, verify_consistency, verify_inclusion
from ledger.tlog.tiles import TileName, tiles_of
from tests.support.strategies import ORIGIN, REPLICA, new_lane, ruling, sequencer, signer, uid, write, write_request

SIZE = 300


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A store with 300 entries in the log under one checkpoint, and the leaf hashes of them."""
    store = SqliteStore(tmp_path_factory.mktemp("log") / "ledger.sqlite")
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    leaves = [one.leaf for one in write(lane, *(ruling(uid(), f"i{n}") for n in range(SIZE)))]
    yield store, leaves, sequencer(store).run()
    store.close()


class TestTiles:
    def test_full_and_partial(self, grown):
        """
        A full tile has 256 hashes; of the one that fills any part is served that is there, and no more.
        """
        store, leaves, _ = grown
        reader = LogReader(store)
        assert reader.tile(TileName(0, 0)) == b"".join(leaves[:256])
        assert reader.tile(TileName(0, 1, 44)) == b"".join(leaves[256:])
        assert reader.tile(TileName(0, 1, 7)) == b"".join(leaves[256:263])
        assert reader.tile(TileName(1, 0, 1)) == root_hash(leaves[:256])

    @pytest.mark.parametrize(
        "name",
        [
            TileName(0, 1, 45),
            TileName(0, 1),
            TileName(0, 2, 1),
            TileName(1, 0, 2),
            TileName(2, 0, 1),
            TileName(None, 1, 45),
        ],
    )
    def test_what_the_log_has_not_come_to(self, grown, name):
        """
        A tile or bundle beyond the end of the log is not there, rather than short.
        """
        assert LogReader(grown[0]).tile(name) is None

    def test_bundles(self, grown):
        """
        A bundle holds the entries themselves, whose hashes are the tile's.
        """
        packed, found = LogReader(grown[0]).tile(TileName(None, 1, 44)), []
        while packed:
            length = int.from_bytes(packed[:2])
            found.append(leaf_hash(packed[2 : 2 + length]))
            packed = packed[2 + length :]
        assert found == grown[1][256:]

    def test_tiles_of_an_older_tree(self, grown):
        """
        A tile as it was in a smaller tree has the width that it had; of a larger one it is missing, which is an alarm.
        """
        store, leaves, _ = grown
        assert LogReader(store).hashes(0, 1, 258) == b"".join(leaves[256:258])
        assert all(
            len(LogReader(store).hashes(t.level, t.number, SIZE)) == t.width * HASH_BYTES for t in tiles_of(SIZE)
        )
        with pytest.raises(LedgerCorruptError, match="tile 0/1"):
            LogReader(store).hashes(0, 1, 400)


class TestProofs:
    @pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 257, 300])
    def test_roots_of_every_past(self, grown, size):
        """
        The root of the tree as it was at any size is that over its leaves.
        """
        store, leaves, _ = grown
        assert LogReader(store).root(size) == (root_hash(leaves[:size]) if size else EMPTY_ROOT)

    def test_a_root_of_the_future(self, grown):
        """
        The log has no root for a size that it has not come to.
        """
        with pytest.raises(LedgerCorruptError, match="fewer than 301"):
            LogReader(grown[0]).root(SIZE + 1)

    def test_proofs_against_the_checkpoint(self, grown):
        """
        Entries on both sides of a tile's border are proved, and so is every older tree; beyond the checkpoint there is no proof.
        """
        store, leaves, published = grown
        reader, root = LogReader(store), root_hash(leaves)
        for index in (0, 1, 255, 256, 299):
            proof = reader.proof(index, published)
            assert verify_inclusion(leaves[index], index, SIZE, proof.hashes, root)
        for old in (0, 1, 255, 256, 257, 300):
            assert verify_consistency(old, SIZE, reader.root(old), root, reader.consistency(old, published))
        for act in (lambda: reader.proof(SIZE, published), lambda: reader.consistency(SIZE + 1, published)):
            with pytest.raises(ValueError, match=r"30\d"):
                act()

    def test_a_record_that_is_not_covered_yet(self, tmp_path):
        """
        A record has a proof once a checkpoint covers it, not when it is durable and not when it is in the log.
        """
        store, lane = new_lane(tmp_path / "ledger.sqlite")
        write_request(lane, ["released"])
        first, reader = sequencer(store).run(), LogReader(store)
        [late] = write(lane, ruling(uid()))
        assert reader.inclusion(late.record.decision_id) is None
        sequencer(store).catch_up()
        assert reader.inclusion(late.record.decision_id) is None
        assert reader.inclusion(uid()) is None
        sequencer(store).run()
        proof = reader.inclusion(late.record.decision_id)
        assert (proof.index, first.size) == (2, 2)
        assert verify_inclusion(late.leaf, 2, 3, proof.hashes, reader.root(3))
        store.close()
