"""Keys of a log that sign from one size of it to another."""

from dataclasses import dataclass

from ledger.tlog.note import Verifier, VerifierKey


@dataclass(frozen=True, slots=True)
class LogKey:
    """A `Verifier` whose signature counts under trees of these sizes alone: a key that was replaced signs nothing any more."""

    verifier: Verifier
    first: int = 0
    """Size of the smallest tree that it signs."""

    last: int | None = None
    """Size of the largest; None while it signs."""

    @property
    def key(self) -> VerifierKey:
        return self.verifier.key

    def verify(self, signature: bytes, message: bytes) -> bool:
        return self.verifier.verify(signature, message)

    def spans(self, size: int) -> bool:
        """Whether a tree of this size is one that it signs."""
        return self.first <= size and (self.last is None or size <= self.last)

    def within(self, first: int, last: int | None) -> "LogKey":
        """The same key, of the sizes that are also between these."""
        ends = [end for end in (self.last, last) if end is not None]
        return LogKey(self.verifier, max(self.first, first), min(ends, default=None))


def spans(verifier: Verifier, size: int) -> bool:
    """Whether a signature by this key counts under a tree of this size; one without sizes signs all of them."""
    return not isinstance(verifier, LogKey) or verifier.spans(size)
