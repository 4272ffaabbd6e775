"""
Pieces that a reader reads one after the other: what stands at their seams, joined.

A piece was looked at whole; what it may say only together with its neighbours stands where they meet, or in pieces so short that
several make one sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

PieceT = TypeVar("PieceT")


@dataclass(frozen=True, slots=True)
class Neighbours(Generic[PieceT]):
    """Short pieces, and the ends of long ones, as they follow one another."""

    parts: tuple[tuple[PieceT, str], ...]

    @property
    def text(self) -> str:
        """What is read."""
        return "\n".join(text for _, text in self.parts)

    def within(self, start: int, end: int) -> list[PieceT]:
        """The pieces that a stretch of the text is from."""
        found, place = [], 0
        for piece, text in self.parts:
            if start < place + len(text) and place < end:
                found.append(piece)
            place += len(text) + 1
        return found


def runs(pieces: Sequence[tuple[PieceT, str]], edge: int) -> list[Neighbours[PieceT]]:
    """
    What stands together of pieces, in runs that overlap in no piece but a long one.

    Args:
        pieces: with their texts, in the order in which they are read.
        edge: characters of an end; a piece of no more than two ends is taken whole.
    """
    found, current = [], list[tuple[PieceT, str]]()
    for piece, text in pieces:
        if len(text) <= 2 * edge:
            current.append((piece, text))
        else:
            found.append([*current, (piece, text[:edge])])
            current = [(piece, text[-edge:])]
    return [Neighbours(tuple(parts)) for parts in (*found, current) if len(parts) > 1]
