"""Draws that are the same on every machine: each from the SHA-256 of a seed and of what is drawn, in no order."""

import hashlib

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TypeVar

_Drawn = TypeVar("_Drawn")


class Draw:
    """Draws for one row: two rows share nothing, so that one more row changes no other."""

    def __init__(self, *key: object) -> None:
        self._key = "\x1f".join(map(str, key)).encode()
        self._drawn = 0

    def integer(self, low: int, high: int) -> int:
        """A whole number from *low* to *high*, both included."""
        digest = hashlib.sha256(b"%s\x1f%d" % (self._key, self._drawn)).digest()
        self._drawn += 1
        return low + int.from_bytes(digest[:8], "big") % (high - low + 1)

    def chance(self, percent: int) -> bool:
        """Whether something happens that happens so often in a hundred."""
        return self.integer(1, 100) <= percent

    def pick(self, options: Sequence[_Drawn]) -> _Drawn:
        """One of them."""
        return options[self.integer(0, len(options) - 1)]

    def several(self, options: Sequence[_Drawn], count: int) -> list[_Drawn]:
        """So many different ones, in their order."""
        left = list(range(len(options)))
        taken = sorted(left.pop(self.integer(0, len(left) - 1)) for _ in range(count))
        return [options[place] for place in taken]

    def day(self, first: date, last: date) -> str:
        """A day, as ISO 8601 writes it."""
        return (first + timedelta(days=self.integer(0, (last - first).days))).isoformat()
