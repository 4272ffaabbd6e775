"""Long texts in pieces that overlap, so that nothing falls between two of them."""

from typing import Final

WIDTH: Final = 900
STRIDE: Final = 700
"""In characters: about 210 tokens of English, of which the encoder takes 256."""


def windows(text: str, width: int = WIDTH, stride: int = STRIDE) -> list[tuple[int, int]]:
    """Start and end of each piece; the last one ends where the text does."""
    if len(text) <= width:
        return [(0, len(text))]
    return [(start, min(start + width, len(text))) for start in range(0, len(text) - (width - stride), stride)]
