"""
The tree as tiles of 256 hashes (c2sp.org/tlog-tiles), and what a growing log has to remember of itself.

The *edge* of a tree is the hashes of its partial tiles, one tile a level from the leaves up.  How many
hashes each level has follows from the size: the digits of the size in base 256.
"""

import re

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.tlog.merkle import EMPTY_ROOT, HASH_BYTES, Subtree, node_hash, root_hash

WIDTH: Final = 256
"""Hashes in a full tile."""


ENTRIES: Final = "entries"
"""Stands for the level in the path of a bundle of entries."""

ReadTile = Callable[[int, int], bytes]
"""Answers the hashes of a tile, whole or partial, by level and number within the level."""

_PATH: Final = re.compile(r"tile/(entries|0|[1-9]\d?)/((?:x\d{3}/)*\d{3})(?:\.p/([1-9]\d{0,2}))?")


@dataclass(frozen=True, slots=True)
class Tile:
    """A full tile."""

    level: int
    number: int
    hashes: bytes


@dataclass(frozen=True, slots=True)
class TileName:
    """Which tile a path names; a level of None is a bundle of entries."""

    level: int | None
    number: int
    width: int = WIDTH


def widths(size: int) -> list[int]:
    """How many hashes the partial tile of each level has, from the leaves up."""
    digits = []
    while size:
        digits.append(size % WIDTH)
        size //= WIDTH
    return digits


def edge_tiles(size: int, edge: bytes) -> list[bytes]:
    """The partial tiles of a tree, from the leaves up; empty where a level has none."""
    tiles, start = [], 0
    for width in widths(size):
        tiles.append(edge[start : start + width * HASH_BYTES])
        start += width * HASH_BYTES
    return tiles


def grow(size: int, edge: bytes, leaves: Sequence[bytes]) -> tuple[bytes, list[Tile]]:
    """
    Put leaves at the end of a tree.

    Args:
        size: of the tree as it is.
        edge: of the tree as it is.
        leaves: hashes to append.

    Returns:
        The new edge, and the tiles that became full.
    """
    partial = [bytearray(tile) for tile in edge_tiles(size, edge)]
    full: list[Tile] = []
    for count, leaf in enumerate(leaves, size + 1):
        rising, level = leaf, 0
        while True:
            if level == len(partial):
                partial.append(bytearray())
            partial[level] += rising
            if len(partial[level]) < WIDTH * HASH_BYTES:
                break
            hashes = bytes(partial[level])
            full.append(Tile(level, count // WIDTH ** (level + 1) - 1, hashes))
            rising, partial[level], level = root_hash(hashes_of(hashes)), bytearray(), level + 1
    return b"".join(partial), full


def edge_root(size: int, edge: bytes) -> bytes:
    """The root of a tree, from its edge alone."""
    if not size:
        return EMPTY_ROOT
    peaks: list[bytes] = []
    for tile in reversed(edge_tiles(size, edge)):
        hashes, start = hashes_of(tile), 0
        for bit in reversed(range(8)):
            if len(hashes) & 1 << bit:
                peaks.append(root_hash(hashes[start : start + (1 << bit)]))
                start += 1 << bit
    root = peaks.pop()
    while peaks:
        root = node_hash(peaks.pop(), root)
    return root


def hashes_of(tile: bytes) -> list[bytes]:
    """The hashes of a tile, one by one."""
    return [tile[start : start + HASH_BYTES] for start in range(0, len(tile), HASH_BYTES)]


def subtree_of(read: ReadTile) -> Subtree:
    """Roots of parts of a tree, such as proofs are made of, from its tiles."""

    def subtree(start: int, end: int) -> bytes:
        level, step = 0, 1
        while start % (step * WIDTH) == 0 and end % (step * WIDTH) == 0 and end - start >= step * WIDTH:
            level, step = level + 1, step * WIDTH
        if end - start <= step * WIDTH and end % step == 0:
            number, first = divmod(start // step, WIDTH)
            tile = read(level, number)
            hashes = hashes_of(tile[first * HASH_BYTES : (first + (end - start) // step) * HASH_BYTES])
            return root_hash(hashes)
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        return node_hash(subtree(start, middle), subtree(middle, end))

    return subtree


def path_of(level: int | None, number: int, width: int = WIDTH) -> str:
    """Where a tile is served; a level of None stands for a bundle of entries."""
    digits = f"{number:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[start : start + 3] for start in range(0, len(digits), 3)]
    where = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
    partial = "" if width == WIDTH else f".p/{width}"
    return f"tile/{ENTRIES if level is None else level}/{where}{partial}"


def parse_path(path: str) -> TileName | None:
    """Which tile a path names; None if it names none, or not in the one way that is allowed."""
    match = _PATH.fullmatch(path)
    if match is None or len(path) > 100:
        return None
    level = None if match[1] == ENTRIES else int(match[1])
    # Written again and compared: of a tile with two addresses, caches would keep two copies.
    name = TileName(level, int(match[2].replace("x", "").replace("/", "")), int(match[3] or WIDTH))
    return name if path_of(name.level, name.number, name.width) == path and (level or 0) < 64 else None


def tiles_of(size: int) -> list[TileName]:
    """Every tile of a tree of a size, partial ones with their width, from the leaves up."""
    names = []
    for level, width in enumerate(widths(size)):
        whole = size // WIDTH ** (level + 1)
        names += [TileName(level, number) for number in range(whole)]
        names += [TileName(level, whole, width)] if width else []
    return names


def bundle(entries: Sequence[bytes]) -> bytes:
    """Entries as a bundle: each with its length before it, two bytes, the high one first."""
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)
