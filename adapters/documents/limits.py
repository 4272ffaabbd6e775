"""What reading a file may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Of one file."""

    file_bytes: int = 50_000_000
    unpacked_bytes: int = 400_000_000
    """Of all parts of a packed file together, as it says itself; no part unpacks to more than it says."""

    parts: int = 20_000
    """Of a packed file."""

    characters: int = 10_000_000
    """Of text."""

    blocks: int = 200_000
    """Paragraphs, rows and the like."""

    pages: int = 5_000
    """Pages, slides or sheets."""

    cells: int = 2_000_000
    """Of tables, the empty ones too."""

    seconds: float = 30.0
    """Of the processor, and twice that in all."""

    megabytes: int = 1024
    """Millions of bytes of memory beyond what the reading process has before it reads."""
