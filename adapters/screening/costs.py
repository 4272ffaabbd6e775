"""
What screening costs, before any is done: processor time, estimated from sizes alone.

The table is measured on one core of the reference machine (`docs/operations.md` says which, and how to compare another with
it).  Estimates take one pass over the bytes for each kind of character and no model; they may be off by a factor of three for
texts that were made to be so, which the limit on a job's time ends.
"""

import string

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.model.content import Leaf

_LETTERS: Final = string.ascii_letters.encode()
_DIGITS: Final = string.digits.encode()
_BLANKS: Final = string.whitespace.encode()
_FOREIGN: Final = bytes(range(0x80, 0x100))

_TOKENS: Final = {"letters": 0.36, "digits": 0.75, "signs": 1.29, "foreign": 1.29}
"""Tokens that the encoder reads for each character of a kind; its windows overlap by 29 in 100."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Processor seconds on this machine."""

    speed: float = 1.0
    """How many times as fast as the reference machine it is."""

    value: float = 0.000_3
    """For each value, whatever is in it."""

    named_value: float = 0.002_8
    """For each value in which names of people are looked for."""

    character: float = 0.000_008
    """For each character: rules and patterns."""

    named_character: float = 0.000_055
    """For each character in which names of people are looked for."""

    token: float = 0.000_085
    """For each token of the encoder."""

    def personal_data(self, item: Sequence[Leaf], *, names: bool) -> float:
        """Seconds for personal data in an item."""
        value, character = (self.named_value, self.named_character) if names else (self.value, self.character)
        return (value * len(item) + character * sum(len(leaf.text) for leaf in item)) / self.speed

    def injection(self, item: Sequence[Leaf], *, encoder: bool) -> float:
        """Seconds for injected instructions in an item."""
        texts = [leaf.text for leaf in item]
        seconds = self.value * len(texts) + self.character * sum(map(len, texts))
        return (seconds + encoder * self.token * tokens_of("\n".join(texts))) / self.speed


def tokens_of(text: str) -> float:
    """About how many tokens the encoder reads of a text."""
    raw = text.encode(errors="surrogatepass")
    ascii_only = raw.translate(None, _FOREIGN)
    letters = len(ascii_only) - len(ascii_only.translate(None, _LETTERS))
    digits = len(ascii_only) - len(ascii_only.translate(None, _DIGITS))
    blanks = len(ascii_only) - len(ascii_only.translate(None, _BLANKS))
    kinds = {
        "letters": letters,
        "digits": digits,
        "signs": len(ascii_only) - letters - digits - blanks,
        "foreign": len(text) - len(ascii_only),
    }
    return sum(_TOKENS[kind] * count for kind, count in kinds.items())


REFERENCE: Final = Costs()
