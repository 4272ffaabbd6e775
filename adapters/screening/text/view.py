"""A reading of a text, with the way back from each of its characters to the original."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class View:
    """A text as one detector reads it.  All offsets are in code points."""

    text: str
    via: str = "text"
    """How it was come by: ``text`` for the content itself, else the disguises that were undone, joined by ``+``."""

    starts: Sequence[int] | None = None
    """For each character, where in the original it begins; None where the view is the original."""

    ends: Sequence[int] | None = None
    """For each character, where in the original it ends, exclusive."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the original a stretch of this view stands."""
        if self.starts is None or self.ends is None:
            return start, end
        if start >= end:
            return 0, 0
        return self.starts[start], self.ends[end - 1]

    def cut(self, start: int, end: int, via: str) -> Self:
        """A stretch of this view as a view of its own."""
        indexes = range(start, end)
        return type(self)(
            self.text[start:end],
            self._named(via),
            self.starts[start:end] if self.starts is not None else indexes,
            self.ends[start:end] if self.ends is not None else range(start + 1, end + 1),
        )

    def decoded(self, start: int, end: int, text: str, via: str) -> Self:
        """What a stretch of this view decodes to; each character of it stands for the whole stretch."""
        first, last = self.span(start, end)
        return type(self)(text, self._named(via), [first] * len(text), [last] * len(text))

    def _named(self, via: str) -> str:
        return via if self.via == "text" else f"{self.via}+{via}"


class Builder:
    """Writes a view of another view, piece by piece."""

    def __init__(self, source: View) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def copy(self, start: int, end: int) -> None:
        """Take a stretch as it is."""
        source = self._source
        end = min(end, len(source.text))
        self._pieces.append(source.text[start:end])
        if source.starts is None or source.ends is None:
            self._starts.extend(range(start, end))
            self._ends.extend(range(start + 1, end + 1))
        else:
            self._starts.extend(source.starts[start:end])
            self._ends.extend(source.ends[start:end])

    def write(self, text: str, start: int, end: int) -> None:
        """Put a text in the place of a stretch."""
        first, last = self._source.span(start, end)
        self._pieces.append(text)
        self._starts.extend([first] * len(text))
        self._ends.extend([last] * len(text))

    def view(self, via: str = "") -> View:
        """The view; named after its source, and *via* if given."""
        source = self._source
        name = source.via if not via else via if source.via == "text" else f"{source.via}+{via}"
        return View("".join(self._pieces), name, self._starts, self._ends)
