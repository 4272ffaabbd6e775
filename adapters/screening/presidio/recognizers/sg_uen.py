"""
Singapore Unique Entity Number, in its three forms, each with a check letter.

    business           8 digits and a letter: weights 10 4 9 3 8 2 7 1, modulo 11, into XMKECAWLJDB
    local company      year, 5 digits and a letter: weights 10 8 6 4 9 7 5 3 1, modulo 11, into ZKCMDNERGWH
    other entities     R, S or T, 2 digits, 2 letters, 4 digits and a letter: over the alphabet
                       ABCDEFGHJKLMNPQRSTUVWX0123456789, weights 4 3 5 3 10 2 2 5 7, less 5, modulo 11

Forms: ACRA, "What is the Unique Entity Number".  Check letters: as published in python-stdnum, `stdnum.sg.uen`.
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import CERTAIN, IdentifierRecognizer, weighted

_OTHERS: Final = "ABCDEFGHJKLMNPQRSTUVWX0123456789"
_OTHER_WEIGHTS: Final = (4, 3, 5, 3, 10, 2, 2, 5, 7)


def is_valid(value: str) -> bool:
    """Whether a UEN ends in its check letter."""
    if value[0].isalpha():
        if any(character not in _OTHERS for character in value):
            return False
        indexes = [_OTHERS.index(character) for character in value[:-1]]
        total = sum(index * weight for index, weight in zip(indexes, _OTHER_WEIGHTS, strict=True))
        return _OTHERS[(total - 5) % 11] == value[-1]
    if len(value) == 9:
        return "XMKECAWLJDB"[weighted(value[:-1], (10, 4, 9, 3, 8, 2, 7, 1)) % 11] == value[-1]
    return "ZKCMDNERGWH"[weighted(value[:-1], (10, 8, 6, 4, 9, 7, 5, 3, 1)) % 11] == value[-1]


class UenRecognizer(IdentifierRecognizer):
    """UEN with a valid check letter; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "SG_UEN",
            r"[RST]\d{2}[A-Z]{2}\d{4}[A-Z]|(?:1[89]|20)\d{7}[A-Z]|\d{8}[A-Z]",
            check=is_valid,
            passed=CERTAIN,
            failed=0.25,
            context=["uen", "unique entity number", "acra", "company registration", "business registration", "roc"],
        )
