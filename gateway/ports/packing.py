"""What packing needs: token counts, and which texts are nearly the same."""

from collections.abc import Sequence
from typing import Protocol


class Tokenizer(Protocol):
    """Counts tokens as a model would."""

    def count(self, text: str, encoding: str) -> int:
        """Number of tokens of the text in the named encoding."""


class Likeness(Protocol):
    """Finds texts that nearly say the same."""

    def alike(self, texts: Sequence[str], threshold: float) -> Sequence[tuple[int, int]]:
        """Pairs of places of texts that share at least this part of their runs of words (Jaccard), sorted."""
