"""What packing needs: token counts, which texts are nearly the same, and which fit a question."""

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


class Lexicon(Protocol):
    """Finds texts by the words of a question."""

    def fits(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """
        How well each text fits: 0 where they share no word that says anything; the same for the same question and texts.

        1 is what a word counts at most that no other text has; texts that share several rare words fit better than that.
        """
