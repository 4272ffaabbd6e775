"""The tree as tiles: grown step by step, read back from them alone, each under the one path that it has."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from ledger.tlog.merkle import EMPTY_ROOT, HASH_BYTES, leaf_hash, root_hash
from ledger.tlog.tiles import (
    WIDTH,
    TileName,
    bundle,
    edge_root,
    edge_tiles,
    grow,
    hashes_of,
    parse_path,
    path_of,
    subtree_of,
    tiles_of,
    widths,
)

LEAVES = [leaf_hash(number.to_bytes(4)) for number in range(70_000)]
"""Enough for a full tile of the second level."""


class TestGrowing:
    @given(st.lists(st.integers(0, 300), min_size=1, max_size=6))
    def test_in_steps_or_at_once(self, steps):
        """
        However the leaves are cut into steps, the edge has the root of the whole tree, and the full tiles are the same.
        """
        size, edge, tiles = 0, b"", []
        for step in steps:
            edge, full = grow(size, edge, LEAVES[size : size + step])
            tiles += full
            size += step
        whole, at_once = grow(0, b"", LEAVES[:size])
        assert (edge, tiles) == (whole, at_once)
        assert edge_root(size, edge) == root_hash(LEAVES[:size])
        assert len(edge) == sum(widths(size)) * HASH_BYTES

    def test_tiles_of_tiles(self):
        """
        256 full tiles make one of the level above, whose hashes are their roots.
        """
        edge, full = grow(0, b"", LEAVES)
        assert [len([tile for tile in full if tile.level == level]) for level in (0, 1, 2)] == [273, 1, 0]
        [above] = [tile for tile in full if tile.level == 1]
        assert hashes_of(above.hashes)[3] == root_hash(LEAVES[3 * WIDTH : 4 * WIDTH])
        assert edge_root(len(LEAVES), edge) == root_hash(LEAVES)

    @pytest.mark.parametrize(
        ("size", "expected"), [(0, []), (1, [1]), (255, [255]), (256, [0, 1]), (257, [1, 1]), (65_536, [0, 0, 1])]
    )
    def test_widths_are_the_digits_of_the_size(self, size, expected):
        """
        Each level has as many hashes in its partial tile as the size has in that place, in base 256.
        """
        assert widths(size) == expected
        assert [len(tile) // HASH_BYTES for tile in edge_tiles(size, bytes(HASH_BYTES * sum(expected)))] == expected

    def test_the_empty_tree(self):
        """
        A tree without leaves has the empty root and no tiles.
        """
        assert (edge_root(0, b""), tiles_of(0), grow(0, b"", [])) == (EMPTY_ROOT, [], (b"", []))


class TestReading:
    @given(st.integers(1, 2_000), st.data())
    def test_any_part_from_its_tiles(self, size, data):
        """
        Proofs ask for complete subtrees, and for what stands at the right edge: from tiles each has the root over its leaves.
        """
        start, end, asked = 0, size, []

        def read(level, number):
            width = min(WIDTH, size // WIDTH**level - number * WIDTH)
            asked.append((level, number, width))
            step = WIDTH**level
            first = number * WIDTH * step
            return b"".join(root_hash(LEAVES[first + n * step : first + (n + 1) * step]) for n in range(width))

        while end - start > 1 and data.draw(st.booleans()):
            middle = start + (1 << (end - start - 1).bit_length() - 1)
            start, end = (start, middle) if data.draw(st.booleans()) else (middle, end)
        assert subtree_of(read)(start, end) == root_hash(LEAVES[start:end])
        assert {TileName(*one) for one in asked} <= set(tiles_of(size))

    def test_a_bundle_is_read_by_its_lengths(self):
        """
        Entries stand with their length before them, the high byte first, as c2sp.org/tlog-tiles asks.
        """
        assert bundle([b"", b"ab", b"x" * 258]) == b"\x00\x00\x00\x02ab\x01\x02" + b"x" * 258


class TestPaths:
    @pytest.mark.parametrize(
        ("name", "path"),
        [
            (TileName(0, 0), "tile/0/000"),
            (TileName(0, 1_234_067), "tile/0/x001/x234/067"),
            (TileName(1, 999, 8), "tile/1/999.p/8"),
            (TileName(None, 1_000), "tile/entries/x001/000"),
            (TileName(63, 0), "tile/63/000"),
        ],
    )
    def test_paths_of_the_specification(self, name, path):
        """
        A tile is served under the path of c2sp.org/tlog-tiles, and the path names it.
        """
        assert path_of(name.level, name.number, name.width) == path
        assert parse_path(path) == name

    @given(st.none() | st.integers(0, 63), st.integers(0, 10**12), st.integers(1, WIDTH))
    def test_every_path_reads_back(self, level, number, width):
        """
        No two tiles have one path.
        """
        assert parse_path(path_of(level, number, width)) == TileName(level, number, width)

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "tile/0/0",
            "tile/00/000",
            "tile/64/000",
            "tile/0/x000/001",
            "tile/0/x001/x234",
            "tile/0/000.p/0",
            "tile/0/000.p/256",
            "tile/0/000.p/08",
            "tile/0/000/",
            "tile/../checkpoint",
            "tile/0/" + "x001/" * 40 + "000",
        ],
    )
    def test_other_paths_name_nothing(self, path):
        """
        A path in another form names no tile, so that caches hold each tile once and no file beside the log is served.
        """
        assert parse_path(path) is None
